#!/usr/bin/env bash
# Builds mache from the sources this action came with, unless the cache brought it.
set -euo pipefail

root="$(cd -- "${GITHUB_ACTION_PATH:?}/../.." && pwd -P)"

if [[ ! -x "${MACHE_FOLDER:?}/mache" && ! -x "${MACHE_FOLDER}/mache.exe" ]]; then
  cargo build --release --locked --manifest-path "${root}/Cargo.toml" --target-dir "${RUNNER_TEMP:?}/mache-target"
  mkdir -p "${MACHE_FOLDER}"
  for name in mache mache.exe; do
    [[ ! -f "${RUNNER_TEMP}/mache-target/release/${name}" ]] || cp "${RUNNER_TEMP}/mache-target/release/${name}" "${MACHE_FOLDER}/"
  done
fi

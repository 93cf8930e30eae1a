#!/usr/bin/env bash
# Builds a cargo engine: $1 is the commit, $2 where the engine goes, MACHE_EXPORT a clean export.
set -euo pipefail
binary="$(realpath -m -- "$2")"
cd -- "${MACHE_EXPORT:?}"
cargo build --release --target-dir target
cp target/release/my-engine "${binary}"

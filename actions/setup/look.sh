#!/usr/bin/env bash
# Finds a mache of this very version: on the path, or in the release of the ref this action was asked for by.
# Without one it puts out the key under which a build of these sources is cached.
set -euo pipefail

root="$(cd -- "${GITHUB_ACTION_PATH:?}/../.." && pwd -P)"
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' "${root}/Cargo.toml" | head -n 1)"
folder="${RUNNER_TEMP:?}/mache-${version}"

die() {
  printf '::error title=mache setup::%s\n' "$*"
  exit 1
}

is_this_version() {
  [[ "$("$1" --version 2>/dev/null || true)" == "mache ${version}" ]]
}

# The name of a release's archive for this machine.
archive() {
  local system architecture
  case "${RUNNER_OS:-}" in
    Linux) system=linux ;;
    macOS) system=macos ;;
    Windows) system=windows ;;
    *) return 1 ;;
  esac
  case "${RUNNER_ARCH:-}" in
    X64) architecture=x86-64 ;;
    ARM64) architecture=arm64 ;;
    *) return 1 ;;
  esac
  printf 'mache-%s-%s.tar.gz' "${system}" "${architecture}"
}

# Whether the ref we run at is the release's: its tag, the tag of its major version, or its commit.
is_released() {
  local tag="v${version}" commit
  [[ "${MACHE_REF}" != "${tag}" && "${MACHE_REF}" != "${tag%%.*}" ]] || return 0
  [[ "${MACHE_REF}" =~ ^[0-9a-f]{40}$ ]] || return 1
  commit="$(gh api "repos/${MACHE_REPOSITORY}/commits/${tag}" --jq .sha 2>/dev/null)" || return 1
  [[ "${commit}" == "${MACHE_REF}" ]]
}

sums() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

fetch_release() {
  local name work
  command -v gh >/dev/null && [[ -n "${MACHE_REPOSITORY}" ]] || return 1
  name="$(archive)" && is_released || return 1
  work="$(mktemp -d "${RUNNER_TEMP}/mache-release.XXXXXX")"
  gh release download "v${version}" --repo "${MACHE_REPOSITORY}" --dir "${work}" \
    --pattern "${name}" --pattern SHA256SUMS || return 1
  # From here on a fault is no reason to build instead: someone may have put another file there.
  (cd "${work}" && grep -F "  ${name}" SHA256SUMS | sums --check --quiet -) ||
    die "${name} is not the file its release's SHA256SUMS names"
  gh attestation verify "${work}/${name}" --repo "${MACHE_REPOSITORY}" ||
    die "${name} has no sound attestation"
  mkdir -p "${folder}"
  tar -xzf "${work}/${name}" -C "${folder}"
  printf '::notice title=mache setup::mache %s from its release\n' "${version}"
}

# What a build depends on.
sources() {
  cd "${root}"
  find Cargo.toml Cargo.lock src books -type f -print | LC_ALL=C sort | git hash-object --stdin-paths |
    git hash-object --stdin
}

if program="$(command -v mache)" && is_this_version "${program}"; then
  printf '::notice title=mache setup::the mache on the path, %s\n' "${version}"
elif fetch_release; then
  printf '%s\n' "${folder}" >>"${GITHUB_PATH:?}"
else
  printf '%s\n' "${folder}" >>"${GITHUB_PATH:?}"
  printf 'folder=%s\nkey=mache-%s-%s-%s\n' \
    "${folder}" "${RUNNER_OS:-}" "${RUNNER_ARCH:-}" "$(sources)" >>"${GITHUB_OUTPUT:?}"
fi

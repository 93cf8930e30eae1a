#!/usr/bin/env bash
# Opponents of a gauntlet: `list`, `repository ENGINE`, `build ENGINE TAG BINARY`. Goes to scripts/opponent.sh.
set -euo pipefail

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

repository() {
  case "$1" in
    rival) printf 'https://example.org/rival.git\n' ;;
    *) die "no engine named '$1'; there is rival" ;;
  esac
}

build() {
  local address folder
  address="$(repository "$1")"
  folder="$(mktemp -d)"
  git clone --quiet --depth 1 --branch "$2" -- "${address}" "${folder}"
  make -C "${folder}/src" ARCH=x86-64
  cp "${folder}/src/rival" "$3"
}

case "${1:-}" in
  list) printf 'rival\n' ;;
  repository) repository "${2:?an engine}" ;;
  build) build "${2:?an engine}" "${3:?a tag}" "${4:?a file}" ;;
  *) die "the verbs are list, repository and build" ;;
esac

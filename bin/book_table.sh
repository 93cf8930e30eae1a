#!/usr/bin/env bash
# A table of books with the verbs that workflows ask tables for: list, pin, file, format, count, fetch, verify.
# Hands each to `mache book`: the program on the path, else the one built beside this folder.
set -euo pipefail

program="$(command -v mache || true)"
if [[ -z "${program}" ]]; then
  program="$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/../target/release/mache"
fi
if [[ ! -x "${program}" ]]; then
  printf '%s: no mache on the path; build it with cargo build --release\n' "${0##*/}" >&2
  exit 1
fi

usage() {
  printf 'usage: %s list | pin | file BOOK | format BOOK | count BOOK PATH | fetch BOOK DIR | verify BOOK DIR\n' \
    "${0##*/}" >&2
  exit 2
}

case "${1-}/$#" in
  list/1 | pin/1) exec "${program}" book "$1" ;;
  file/2 | format/2) exec "${program}" book "$1" -- "$2" ;;
  count/3)
    "${program}" book file -- "$2" > /dev/null
    exec "${program}" book count -- "$3"
    ;;
  fetch/3) exec "${program}" book fetch "--into=$3" -- "$2" > /dev/null ;;
  verify/3) exec "${program}" book verify -- "$2" "$3" ;;
  *) usage ;;
esac

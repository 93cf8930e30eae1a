#!/usr/bin/env bash
# A table of opponents as callers write it: mache's own engines, `tag` a seed.
set -euo pipefail
case "${1:-}" in
  list) printf 'random\ngreedy\n' ;;
  repository) printf 'https://example.org/%s.git\n' "${2:?an engine}" ;;
  build)
    case "${2:?an engine}" in
      random | greedy) printf '#!/bin/sh\nexec mache engine %s\n' "$2" >"${4:?a file}" ;;
      *) exit 1 ;;
    esac
    chmod +x "$4"
    ;;
  *) exit 1 ;;
esac

#!/usr/bin/env bash
# A build as callers write it: the engine of a commit is the script `engine.sh` of that commit's export, if it has
# one, else mache's own minimax.
set -euo pipefail
if [[ -f "${MACHE_EXPORT:?}/engine.sh" ]]; then
  cp "${MACHE_EXPORT}/engine.sh" "$2"
else
  printf '#!/bin/sh\nexec mache engine minimax\n' >"$2"
fi
chmod +x "$2"

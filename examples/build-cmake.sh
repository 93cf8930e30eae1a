#!/usr/bin/env bash
# Builds an engine with CMake: $1 is the commit, $2 where the engine goes, MACHE_EXPORT a clean export.
set -euo pipefail
binary="$(realpath -m -- "$2")"
cd -- "${MACHE_EXPORT:?}"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build --parallel "$(nproc)"
cp build/my-engine "${binary}"

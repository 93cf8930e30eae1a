#!/usr/bin/env bash
# Builds an engine with a Makefile: $1 is the commit, $2 where the engine goes, MACHE_EXPORT a clean export.
# ARCH names instructions that every hosted runner has; a native build may not run on the next one.
set -euo pipefail
binary="$(realpath -m -- "$2")"
cd -- "${MACHE_EXPORT:?}/src"
make -j"$(nproc)" ARCH=x86-64-avx2 EXE="${binary}"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the wrong uses of collectives and their right twins (tests/calls) on this machine's GPU, with checked calls.
#   tools/gpu_calls.sh [all|build|run]
# build needs only nvcc; run needs only the GPU. Exit status 1 if a report is absent or differs.
#   NVCC     the compiler                     BUILD    the folder for the program (build-gpu)
#   TARGET   as in sm_90; default: the GPU's own
set -euo pipefail
cd "$(dirname "$0")/.."

nvcc=${NVCC:-nvcc}
build=${BUILD:-build-gpu}/calls

build_program() {
  command -v "$nvcc" > /dev/null || { echo "nvcc was not found: install the CUDA toolkit, or set NVCC"; exit 77; }
  [[ -n ${TARGET:-} ]] || command -v nvidia-smi > /dev/null ||
    { echo "no NVIDIA GPU to compile for: name one, as in TARGET=sm_90"; exit 77; }
  TARGET=${TARGET:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)}
  mkdir -p "$build"
  "$nvcc" -std=c++17 -arch="$TARGET" -O3 -cudart static -DCOHORT_GPU_CHECK -DCOHORT_GPU_TIMEOUT=1 -Iinclude/compat \
    -Iinclude tests/calls/misuse.cu -o "$build/misuse"
}

case ${1:-all} in
  build) build_program ;;
  run) python3 tests/calls/run.py "$build/misuse" --gpu ;;
  all)
    build_program
    python3 tests/calls/run.py "$build/misuse" --gpu
    ;;
  *) echo "usage: tools/gpu_calls.sh [all|build|run]" && exit 2 ;;
esac

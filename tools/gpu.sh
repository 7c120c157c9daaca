#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the conformance tests (tools/gpu_conformance.sh) and the benchmarks with nvcc, runs them on the GPU that is there,
# and keeps the numbers in bench/results/<date>-<gpu>.json. Exit status 1 if something does not build or a test fails; 77 without a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

nvcc=${NVCC:-nvcc}
build=${BUILD:-build-gpu}
command -v "$nvcc" > /dev/null || { echo "nvcc was not found: install the CUDA toolkit or set NVCC"; exit 77; }
command -v nvidia-smi > /dev/null || { echo "no NVIDIA GPU: nvidia-smi was not found"; exit 77; }
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)
target=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
mkdir -p "$build"

common=(-std=c++17 -arch="$target")
cohort=(-Iinclude -Iinclude/compat)
failed=()

echo "== $gpu, $target: conformance"
if BUILD=$build TARGET=$target tools/gpu_conformance.sh; then
  python3 tools/conformance.py . --results "$gpu=$build/results-O3" --results "$gpu=$build/results-G" --keep
else
  failed+=("conformance")
fi

echo "== $gpu, $target: benchmarks"
"$nvcc" "${common[@]}" -O3 "${cohort[@]}" -c bench/gpu/cohort.cu -o "$build/cohort.o"
"$nvcc" "${common[@]}" -O3 -c bench/gpu/nvidia.cu -o "$build/nvidia.o"
"$nvcc" "${common[@]}" -O3 -Iinclude -c bench/gpu/cohort_sums.cu -o "$build/cohort_sums.o"
"$nvcc" "${common[@]}" -O3 -c bench/gpu/cub_sums.cu -o "$build/cub_sums.o"
"$nvcc" "${common[@]}" -O3 bench/gpu/launch.cu bench/gpu/main.cpp bench/gpu/sums.cpp "$build"/{cohort,nvidia,cohort_sums,cub_sums}.o \
  -o "$build/gpu-bench"
results=bench/results/$(date +%F)-$(tr ' A-Z' '-a-z' <<< "$gpu").json
"$build/gpu-bench" "$results"
echo "written: $results"

if [[ ${#failed[@]} -ne 0 ]]; then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the tests and the benchmark of worlds with a GPU in each process; tools/gpu.sh calls it.
#   tools/gpu_world_suite.sh build [suite] [bench]      needs nvcc and NCCL 2.28 or newer, and for the suite GoogleTest
#   tools/gpu_world_suite.sh run [suite] [bench]        needs two GPUs; rows go to $BUILD/rows/6-world-<processes>.json
#   NVCC, TARGET, BUILD  as in tools/gpu.sh             NCCL_HOME  a folder with include/ and lib/
# Exit status 1 if something does not build or fails; 77, with the reason, where NCCL or a second GPU is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
nvcc=${NVCC:-nvcc}
build=${BUILD:-build-gpu}
step=$1
parts=" ${*:2} "

# Prints the folders of NCCL's headers and of its library.
find_nccl() {
  local place folder
  for place in "${NCCL_HOME:-}" $(python3 -c 'import nvidia; print(*[p + "/nccl" for p in nvidia.__path__])' 2> /dev/null) \
    "$(dirname "$(dirname "$(command -v "$nvcc")")")" /usr /usr/local; do
    [[ -n $place && -e $place/include/nccl_device.h ]] || continue
    for folder in "$place"/{lib,lib64,lib/x86_64-linux-gnu,lib/aarch64-linux-gnu}; do
      [[ -e $folder/libnccl.so.2 ]] && echo "$place/include $folder" && return
    done
  done
  return 1
}

nccl=$(find_nccl) || { echo "no world of GPUs: NCCL 2.28 or newer was not found; set NCCL_HOME" && exit 77; }
read -r include library <<< "$nccl"

if [[ $step == build ]]; then
  mkdir -p "$build/world"
  options=(-std=c++17 "-arch=$TARGET" -O3 -cudart static -Iinclude -Iinclude/compat "-I$include")
  link=(-Xlinker "$library/libnccl.so.2" -Xlinker "-rpath=$library")
  if [[ $parts == *" bench "* ]]; then
    "$nvcc" "${options[@]}" bench/gpu/world.cu -o "$build/world/bench" "${link[@]}"
  fi
  if [[ $parts == *" suite "* ]]; then
    tests=(-DCOHORT_TEST_WITHOUT_MPI -maxrregcount=64 -Itests -Itests/world)
    objects=()
    for name in arrays_test collectives_test memory_test world_main; do
      # Optimised machine code of the collectives takes ptxas tens of minutes.
      "$nvcc" -x cu "${options[@]}" "${tests[@]}" -Xptxas -O1 -c "tests/world/$name.cpp" -o "$build/world/$name.o"
      objects+=("$build/world/$name.o")
    done
    "$nvcc" "-arch=$TARGET" -cudart static "${objects[@]}" -o "$build/world/suite" "${link[@]}" -lgmock -lgtest -lpthread
    "$nvcc" "${options[@]}" tests/world/gpu_faults.cu -o "$build/world/faults" "${link[@]}"
  fi
  exit 0
fi

gpus=$(nvidia-smi -L | grep -c '^GPU ')
((gpus >= 2)) || { echo "no world of GPUs: $gpus GPU, and each process needs one of its own" && exit 77; }
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if [[ $parts == *" suite "* ]]; then
  for ((processes = 2; processes <= gpus; processes *= 2)); do
    python3 tests/world/test_gpus.py "$build/world/suite" "$build/world/faults" "$processes"
  done
fi
if [[ $parts == *" bench "* ]]; then
  mkdir -p "$build/rows"
  for ((processes = 2; processes <= gpus; processes *= 2)); do
    LIMIT=120 python3 tools/gpu_world.py "$processes" "$build/world/bench" "$build/rows/6-world-$processes.json"
  done
fi

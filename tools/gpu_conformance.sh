#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the conformance suite on this machine's GPU, at -O3 and at -G.
#   tools/gpu_conformance.sh [all|build|run]
# build needs only nvcc and GoogleTest; run needs only the GPU and the built programs. They may be on two machines.
# Exit status 1 if something does not build, fails or hangs.
#   NVCC     the compiler                           BUILD    the folder for the programs (build-gpu)
#   TARGET   as in sm_90; default: the GPU's own    MODES    "O3 G", or one of them
#   PROGRAMS names of tests/conformance/*_test.cu, or of pieces (multi_grid_arrays.3); default: all
#   INCLUDES folders of the groups' headers ("-Iinclude -Iinclude/compat"); NVCCFLAGS  more options
set -euo pipefail
cd "$(dirname "$0")/.."

nvcc=${NVCC:-nvcc}
build=${BUILD:-build-gpu}
read -ra modes <<< "${MODES:-O3 G}"
read -ra includes <<< "${INCLUDES--Iinclude -Iinclude/compat}"
read -ra more <<< "${NVCCFLAGS:-}"
read -ra programs <<< "${PROGRAMS:-$(cd tests/conformance && echo *_test.cu | sed 's/_test\.cu//g')}"

# The names of what is built: each program, or its pieces where its kernels take one compiler too long. A piece N is the
# source with -DCONFORMANCE_PIECE=N.
pieces_of() {
  local name number
  for name in "$@"; do
    case $name in
      multi_grid_arrays) for number in {1..7}; do echo "$name.$number"; done ;;
      *) echo "$name" ;;
    esac
  done
}
mapfile -t pieces < <(pieces_of "${programs[@]}")

# The tests launch blocks of 1024 threads, so a thread can have 64 registers at most.
compile() {
  local mode=$1 name=$2 piece=()
  [[ $name != *.* ]] || piece=("-DCONFORMANCE_PIECE=${name#*.}")
  rm -f "$build/$mode/$name"
  if ! "$nvcc" -std=c++17 -arch="$TARGET" "-$mode" -maxrregcount=64 -cudart static "${more[@]}" "${piece[@]}" \
    "${includes[@]}" -Itests "tests/conformance/${name%%.*}_test.cu" -o "$build/$mode/$name" \
    -lgmock_main -lgmock -lgtest -lpthread -lcuda > "$build/$mode/$name.log" 2>&1; then
    echo "$mode: $name does not build:"
    sed 's/^/  /' "$build/$mode/$name.log" | head -20
    return 1
  fi
}

# Checks which sources the compiler accepts and refuses. Another implementation may refuse with another message.
check_promises() {
  local command="$nvcc;-arch=$TARGET" words=() include
  for include in "${includes[@]}"; do command+=";-I$(realpath "${include#-I}")"; done
  ((${#includes[@]} != 0)) || words=(--any-error)
  python3 tests/conformance/compile_promises.py tests/conformance/promises.txt "$build/promises.json" "$build/promises" \
    "${words[@]}" --cuda "$command;-std=c++17" --plain "$command" > "$build/promises.log" || {
    cut -c1-300 "$build/promises.log"
    return 1
  }
}

build_suite() {
  command -v "$nvcc" > /dev/null || { echo "nvcc was not found: install the CUDA toolkit, or set NVCC"; exit 77; }
  [[ -n ${TARGET:-} ]] || command -v nvidia-smi > /dev/null ||
    { echo "no NVIDIA GPU to compile for: name one, as in TARGET=sm_90"; exit 77; }
  TARGET=${TARGET:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)}
  local failed=0 mode name
  for mode in "${modes[@]}"; do
    mkdir -p "$build/$mode"
    for name in "${pieces[@]}"; do
      while (($(jobs -rp | wc -l) >= ${JOBS:-$(nproc)})); do wait -n || true; done
      compile "$mode" "$name" &
    done
  done
  wait
  for mode in "${modes[@]}"; do
    for name in "${pieces[@]}"; do [[ -x $build/$mode/$name ]] || failed=1; done
  done
  [[ -n ${PROGRAMS:-} ]] || check_promises || failed=1
  return $failed
}

run_suite() {
  local failed=0 mode name status
  for mode in "${modes[@]}"; do
    rm -rf "$build/results-$mode"
    mkdir -p "$build/results-$mode"
    [[ ! -f $build/promises.json ]] || cp "$build/promises.json" "$build/results-$mode/"
    for name in "${pieces[@]}"; do
      if [[ ! -x $build/$mode/$name ]]; then
        echo "-$mode $name: not built in $build; tools/gpu_conformance.sh build"
        failed=1
        continue
      fi
      echo "== -$mode $name"
      status=0
      timeout 300 "$build/$mode/$name" --gtest_brief=1 "--gtest_output=json:$build/results-$mode/$name.json" \
        > "$build/$mode/$name.log" 2>&1 || status=$?
      grep -v "^Running main\|^\[==========\]" "$build/$mode/$name.log" | head -40 | cut -c1-300 || true
      if ((status != 0)); then
        echo "-$mode $name: exit status $status"
        failed=1
      fi
    done
  done
  return $failed
}

status=0
case ${1:-all} in
  build) build_suite || status=1 ;;
  run) run_suite || status=1 ;;
  all)
    build_suite || status=1
    run_suite || status=1
    ;;
  *) echo "usage: tools/gpu_conformance.sh [all|build|run]" && exit 2 ;;
esac
exit $status

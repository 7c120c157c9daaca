#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the conformance suite and the benchmarks on this machine's NVIDIA GPUs; the numbers go to
# bench/results/<date>-<gpu>.json, those of several GPUs to <date>-<count>-<gpu>.json.
#   tools/gpu.sh [--build-only | --run-only] [--no-suite | --no-bench] [--filter=PART OF A ROW'S NAME]
# Compilation needs nvcc and, for the suite, GoogleTest. With TARGET it needs no GPU. The programs also run on another
# machine: build with --build-only, copy the checkout with the folder BUILD, run with --run-only. With --filter the
# numbers are printed and not kept.
#   NVCC    the compiler (nvcc)      TARGET  as in sm_90; default: that of the first GPU    JOBS  compilers at once
#   BUILD   the folder for the programs (build-gpu)        MODES  of the suite: "O3 G", or one of them
#   COMPILE_REPEATS  repeats of the compile-time rows, which --build-only measures (5)
# Exit status 1 if something does not build, fails or hangs; 77 without a compiler or a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

build_them=1 run_them=1 suite=1 bench=1 filter=
for option in "$@"; do
  case $option in
    --build-only) run_them=0 ;;
    --run-only) build_them=0 ;;
    --no-suite) suite=0 ;;
    --no-bench) bench=0 ;;
    --filter=*) filter=${option#--filter=} ;;
    *) sed -n '5p' "$0" && exit 2 ;;
  esac
done
nvcc=${NVCC:-nvcc}
[[ $nvcc == nvcc ]] && ! command -v nvcc > /dev/null && [[ -x /usr/local/cuda/bin/nvcc ]] && nvcc=/usr/local/cuda/bin/nvcc
export NVCC=$nvcc BUILD=${BUILD:-build-gpu} JOBS=${JOBS:-$(nproc)}
failed=()

if ((run_them)) && ! { command -v nvidia-smi > /dev/null && nvidia-smi > /dev/null; }; then
  echo "no NVIDIA GPU: nvidia-smi finds none. To compile only: TARGET=sm_90 tools/gpu.sh --build-only"
  exit 77
fi

# Prints the compile commands, a line each; they run in parallel.
commands() {
  local options="-std=c++17 -arch=$TARGET -O3" cohort="-Iinclude -Iinclude/compat" file element
  for file in nvidia.cu cub_sums.cu launch.cu main.cpp sums.cpp; do
    echo "$NVCC $options -c bench/gpu/$file -o $BUILD/${file%.*}.o"
  done
  for file in cohort.cu cohort_sums.cu; do echo "$NVCC $options $cohort -c bench/gpu/$file -o $BUILD/${file%.*}.o"; done
  echo "$NVCC $options $cohort bench/gpu/multi_grid.cu bench/gpu/multi_sum.cu bench/gpu/multi_arrays.cu -o $BUILD/gpu-bench-multi-grid"
  echo "$NVCC $options $cohort bench/gpu/first_launch.cu -o $BUILD/first-launch-cohort"
  echo "$NVCC $options bench/gpu/first_launch.cu -o $BUILD/first-launch-nvidia"
  if [[ $TARGET == sm_90* ]]; then  # the model of tensor cores follows measurements of this GPU
    echo "$NVCC ${options/c++17/c++20} -Isrc -Iinclude bench/gpu/tensor_cores.cu src/engine/tensor/matrix_product.cpp" \
      "src/engine/tensor/fast_products.cpp src/engine/tensor/vector_sums.cpp -o $BUILD/tensor-cores"
    echo "$NVCC -std=c++20 -O3 -gencode arch=compute_90a,code=sm_90a -Isrc -Iinclude" \
      "bench/gpu/warpgroup_products.cu src/engine/tensor/warpgroup_product.cpp src/engine/tensor/fast_products.cpp" \
      "src/engine/tensor/vector_sums.cpp -o $BUILD/warpgroup-products"
  fi
  for element in int char; do
    for file in copied rest; do
      local more="-cubin -DELEMENT=$element bench/gpu/copied.cu"
      [[ $file == rest ]] && more+=" -DWITHOUT_COPY"
      echo "$NVCC $options $cohort $more -o $BUILD/cubin/$file-$element-cohort.cubin"
      echo "$NVCC $options $more -o $BUILD/cubin/$file-$element-nvidia.cubin"
    done
  done
}

if ((build_them)); then
  command -v "$NVCC" > /dev/null || { echo "nvcc was not found: install the CUDA toolkit, or set NVCC"; exit 77; }
  [[ -n ${TARGET:-} ]] || command -v nvidia-smi > /dev/null ||
    { echo "no NVIDIA GPU to compile for: name one, as in TARGET=sm_90"; exit 77; }
  export TARGET=${TARGET:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)}
  mkdir -p "$BUILD/cubin" "$BUILD/rows"
  echo "== compiling for $TARGET; the suite takes tens of minutes on 2 cores"
  if ((bench)); then
    commands | xargs -P "$JOBS" -I{} bash -c '{}' || failed+=("a benchmark that does not build")
    objects=("$BUILD"/{cohort,nvidia,cohort_sums,cub_sums,launch,main,sums}.o)
    "$NVCC" -arch="$TARGET" "${objects[@]}" -o "$BUILD/gpu-bench" || failed+=("gpu-bench does not link")
    python3 tools/compile_time.py --nvcc "$NVCC" --arch "$TARGET" --repeats "${COMPILE_REPEATS:-5}" \
      > "$BUILD/rows/4-compile.json" || failed+=("the compile times")
  fi
  if ((suite)); then
    if echo '#include <gtest/gtest.h>' | "${CXX:-c++}" -x c++ -fsyntax-only - 2> /dev/null; then
      tools/gpu_conformance.sh build || failed+=("a program of the conformance suite that does not build")
    else
      echo "the conformance suite is not built: GoogleTest is missing (Debian: libgtest-dev libgmock-dev). Programs built"
      echo "on another machine run here with --run-only; --no-suite leaves the suite out"
      failed+=("the conformance suite, which was not built")
    fi
    tools/gpu_calls.sh build || failed+=("the checks of calls, which do not build")
  fi
fi

# Worlds of GPUs, where NCCL and two GPUs are found.
world_of_gpus() {
  local parts=() status=0
  ((suite)) && parts+=(suite)
  ((bench)) && [[ -z $filter ]] && parts+=(bench)
  tools/gpu_world_suite.sh "$1" "${parts[@]}" || status=$?
  ((status == 0 || status == 77)) || failed+=("worlds of GPUs: $1")
}
((build_them)) && world_of_gpus build

# rows FILE COMMAND...: runs a part that writes rows to FILE
rows() {
  local file=$1
  shift
  rm -f "$file"
  if ! timeout 300 "$@"; then
    failed+=("$1")
  elif [[ -f $file ]]; then
    parts+=("$file")
  fi
}

if ((run_them)); then
  mkdir -p "$BUILD/rows"
  gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)
  echo "== $(nvidia-smi --query-gpu=name --format=csv,noheader | sort | uniq -c | sed 's/^ *//'), driver" \
    "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
  if ((suite)); then
    echo "== conformance suite"
    tools/gpu_conformance.sh run || failed+=("the conformance suite")
    echo "== checks of calls"
    tools/gpu_calls.sh run || failed+=("the checks of calls")
  fi
  if ((suite)) && [[ -x $BUILD/tensor-cores ]]; then
    echo "== tensor cores, against the engine's model"
    "$BUILD/tensor-cores" || failed+=("tensor cores")
    "$BUILD/warpgroup-products" || failed+=("products of warpgroups")
  fi
  echo "== worlds of GPUs"
  rm -f "$BUILD"/rows/6-world-*.json
  world_of_gpus run
  parts=()
  if ((bench)) && [[ -n $filter ]]; then
    "$BUILD/gpu-bench" "--filter=$filter" || failed+=(gpu-bench)
  elif ((bench)); then
    echo "== benchmarks"
    rows "$BUILD/rows/1-bench.json" "$BUILD/gpu-bench" "$BUILD/rows/1-bench.json"
    if command -v cuobjdump > /dev/null; then
      for element in int char; do
        cubins=("$BUILD/cubin/"{copied,rest}"-$element-"{cohort,nvidia}.cubin)
        rows "$BUILD/rows/2-$element.json" tools/gpu_report.py count "$BUILD/rows/2-$element.json" \
          "memcpy_async $element*: instructions" 120 "${cubins[@]}"
      done
    else
      echo "the instructions of the copies are not counted: cuobjdump was not found"
    fi
    name=$(tr ' A-Z' '-a-z' <<< "$gpu") several=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
    of_one_gpu=${#parts[@]}
    rows "$BUILD/rows/3-multi-grid.json" "$BUILD/gpu-bench-multi-grid" "$BUILD/rows/3-multi-grid.json"
    if ((several > 1 && ${#parts[@]} > of_one_gpu)); then
      tools/gpu_report.py merge "bench/results/$(date -u +%F)-$several-$name.json" "$BUILD/rows/3-multi-grid.json"
      parts=("${parts[@]:0:of_one_gpu}")
    fi
    rows "$BUILD/rows/5-first-launch.json" tools/first_launch.py "$BUILD/rows/5-first-launch.json" \
      "$BUILD/first-launch-"{cohort,nvidia}
    for file in "$BUILD"/rows/{4-compile,6-world-*}.json; do
      [[ -f $file ]] && parts+=("$file")
    done
    if ((${#parts[@]} != 0)); then
      results=bench/results/$(date -u +%F)-$name.json
      echo "== all rows"
      tools/gpu_report.py merge "$results" "${parts[@]}"
      echo "written: $results; update docs with: tools/gpu_report.py table . --write && tools/plots.py . --write"
    fi
  fi
fi

if ((${#failed[@]} != 0)); then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures and builds one preset:  tools/build.sh PRESET [-DNAME=VALUE...] [target...]
# Without targets it builds everything. The target `product` stands for all that `make install` installs, `demo` for
# what compiles and runs a program: the checker and the header in one file are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

demo=(cohort_cpu cohort_shared cohort-info cohortcc cohort_plugin cohort_preamble cohort_sleef_stub cohort_by_path)
product=("${demo[@]}" cohort_preambles cohort_check cohort_check_plain cohort_count cohort_single cohort_libcuda
         cohort_libcudart cohort_libnvrtc cohort_nvrtc_by_path cohort_nvrtc_builtins cohort_cublas
         cohort_cublas_by_name cohort_cublasLt cohort_cublasLt_by_name cohort_cufft cohort_cufft_by_name cohort_curand
         cohort_curand_by_name cohort_cusolver cohort_cusolver_by_name cohort_cusparse cohort_cusparse_by_name
         cohort_nvJitLink cohort_nvJitLink_by_name cohort_nvidia-ml cohort_nvidia-ml_by_name)
preset=$1
shift
settings=()
targets=()
for argument in "$@"; do
  case "$argument" in
    -D*) settings+=("$argument") ;;
    demo) targets+=("${demo[@]}") ;;
    product) targets+=("${product[@]}") ;;
    *) targets+=("$argument") ;;
  esac
done

folder=build-$preset
[[ $preset == release ]] && folder=build

if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then
  echo "build: the folder $PWD/$folder cannot be written. In a read-only checkout build elsewhere:" >&2
  echo "  cmake -S '$PWD' -B FOLDER -G Ninja && cmake --build FOLDER" >&2
  exit 1
fi

# The tests compile hundreds of .cu files with few sets of options: the first compilation of a set precompiles its headers.
export COHORT_CACHE="${COHORT_CACHE:-$PWD/$folder/preambles}"

# Ninja configures again after a change of a CMake file, so only new settings need CMake here.
if [[ ! -f $folder/build.ninja || ${#settings[@]} -gt 0 ]]; then
  cmake --preset "$preset" "${settings[@]}" >"$folder/configure.log" 2>&1 || {
    cat "$folder/configure.log" >&2
    exit 1
  }
fi
if [[ ${#targets[@]} -gt 0 ]]; then
  cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target "${targets[@]}"
else
  cmake --build "$folder" -j "${JOBS:-$(nproc)}"
fi

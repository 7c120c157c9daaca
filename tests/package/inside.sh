#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs in the chroot of chroot.sh, which has the sources in /cohort and the packages in /packages:
#   inside.sh prepare-wheel | prepare-deb    installs what the package depends on, with the network
#   inside.sh wheel | deb                    installs the package, uses it and removes it, without a network
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PYTHONDONTWRITEBYTECODE=1 PATH=/usr/sbin:/usr/bin:/sbin:/bin
jobs=$(nproc)

fail() {
  echo "FAILED: $1"
  exit 1
}

# expect_error TEXT COMMAND...: the command fails with this text among its messages
expect_error() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then fail "$* succeeded"; fi
  [[ $output == *"$text"* ]] || fail "$* did not print '$text' but: $output"
}

# Every file of the system, but for those that dpkg and ldconfig keep as logs and caches.
list_files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /scratch -o -path /venv \
    -o -path /var/cache -o -path /var/log -o -path '/var/lib/dpkg/*-old' \) -prune -o -print | sort
}

# The programs of examples/CMakeLists.txt that need no MPI, with the arguments of their tests.
use_examples() {
  local folder source arguments count=0
  while read -r folder source arguments; do
    echo "   example $folder"
    cohortcc "/cohort/examples/$folder/$source" -o /scratch/example
    # shellcheck disable=SC2086  # a list of arguments
    COHORT_DEVICES=3 /scratch/example $arguments >/scratch/output || fail "example $folder"
    count=$((count + 1))
  done < <(sed -nE 's/^cohort_example\(([^)]*)\)$/\1/p' /cohort/examples/CMakeLists.txt)
  ((count >= 12)) || fail "only $count examples were found"
}

use_mathematics() {
  cat >/scratch/mathematics.cu <<'TEXT'
#include <cmath>
#include <cstdio>
__global__ void k(float* out) { out[threadIdx.x] = expf(0.01f * threadIdx.x); }
int main() {
  float* out;
  cudaMallocManaged(&out, 256 * sizeof(float));
  k<<<1, 256>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 256; ++i) {
    if (std::fabs(out[i] - std::exp(0.01 * i)) > 1e-5 * out[i]) return 2;
  }
  std::puts("right");
}
TEXT
  cohortcc /scratch/mathematics.cu -o /scratch/mathematics
  [[ $(/scratch/mathematics) == right ]] || fail "device mathematics"
}

# use_projects PREFIX: CMake's CUDA language, find_package(cohort), and a toolkit's nvcc
use_projects() {
  echo "   a project in CMake's CUDA language"
  cmake -G Ninja -S /cohort/tests/compiler/toolkit/project -B /scratch/cuda -DCMAKE_CUDA_COMPILER="$(command -v cohortcc)" >/scratch/log
  cmake --build /scratch/cuda -j "$jobs" >/scratch/log || { cat /scratch/log && fail "the project was not built"; }
  ctest --test-dir /scratch/cuda --output-on-failure --no-tests=error
  echo "   find_package(cohort)"
  cmake -G Ninja -S /cohort/tests/consumer/library_alone -B /scratch/plain ${2:+-DCMAKE_PREFIX_PATH="$2"} >/scratch/log
  cmake --build /scratch/plain >/scratch/log || { cat /scratch/log && fail "the program in plain C++ was not built"; }
  [[ $(/scratch/plain/plain) == "plain: right" ]] || fail "the program in plain C++"
  "$1/cohort-toolkit/bin/nvcc" -x cu /scratch/mathematics.cu -o /scratch/by_nvcc
  [[ $(/scratch/by_nvcc) == right ]] || fail "bin/nvcc"
}

# The puzzles are in the package: one of them is begun, and its solution passes.
use_puzzles() {
  echo "   cohort learn"
  mkdir -p /scratch/puzzles
  (
    cd /scratch/puzzles
    cohort learn 7 >/scratch/output && fail "an empty hole is solved"
    cohort learn 7 --solution >/scratch/solution.cu
    cp /scratch/solution.cu cohort-learn/07-reduce/kernel.cu
    cohort learn 7 >/scratch/output || { cat /scratch/output && fail "the solution of puzzle 7"; }
    [[ $(cohort learn) == *"1 of 20 solved."* ]] || fail "the list of puzzles"
  )
}

use_without_gcc() {
  echo "   without parts of g++"
  mv /usr/include/c++ /usr/include/c++.away
  expect_error "the headers of the C++ standard library were not found. cohortcc takes the C++ standard library, the C \
library and the linker from g++. On Debian and Ubuntu: apt-get install g++" cohortcc /scratch/mathematics.cu -o /scratch/never
  mv /usr/include/c++.away /usr/include/c++
  cohortcc -c /scratch/mathematics.cu -o /scratch/mathematics.o
  mv /usr/bin/ld /usr/bin/ld.away
  expect_error "the linker 'ld' was not found" cohortcc /scratch/mathematics.o -o /scratch/never
  mv /usr/bin/ld.away /usr/bin/ld
}

mkdir -p /scratch
case $1 in
  prepare-wheel)
    apt-get -q update >/scratch/log
    apt-get -q install -y --no-install-recommends g++ cmake ninja-build python3-venv >/scratch/log
    ;;
  prepare-deb)
    apt-get -q install -y --no-install-recommends clang-19 libsleef3 >/scratch/log
    ;;
  wheel)
    for program in clang clang-19 clang++-19; do
      ! command -v $program || fail "this system has $program, so the wheel's own clang would not be tested"
    done
    python3 -m venv /venv
    find /venv | sort >/scratch/before
    /venv/bin/pip install -q --no-index --no-compile /packages/cohortcc-*.whl
    PATH=/venv/bin:$PATH
    cohort-info | head -3
    cohort-view --help >/dev/null
    use_mathematics
    use_puzzles
    use_without_gcc
    use_examples
    use_projects "$(python3 -m cohortcc prefix)" "$(python3 -m cohortcc prefix)"
    pip uninstall -q -y cohortcc
    find /venv | sort >/scratch/after
    ;;
  deb)
    list_files >/scratch/before
    apt-get -q install -y --no-install-recommends /packages/cohortcc_*.deb >/scratch/log
    cohort-info | head -3
    cohort-view --help >/dev/null
    use_mathematics
    [[ $(cohortcc -v -c /scratch/mathematics.cu -o /scratch/never.o 2>&1) == *-include-pch* ]] ||
      fail "the package has made no precompiled preamble"
    use_puzzles
    use_without_gcc
    use_examples
    use_projects /usr/lib/cohort ''
    dpkg --purge cohortcc >/scratch/log
    list_files >/scratch/after
    ;;
  *) fail "'$1' is no step" ;;
esac
if [[ -f /scratch/after ]]; then diff /scratch/before /scratch/after || fail "removing the package changed the system"; fi
rm -rf /scratch

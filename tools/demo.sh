#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the reduce_sum example from its unmodified .cu source with cohortcc and runs it on the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."

source=examples/10_reduce_sum/reduce_sum.cu

settings=()
if [[ ! -f build/build.ninja ]]; then
  settings=(-DCOHORT_BUILD_TESTS=OFF)  # the demo needs no test packages
  echo "demo: building cohortcc and the libraries into build/: 10 MB, about $(python3 tools/printed_times.py . demo) minutes on 2 cores"
fi
tools/build.sh release "${settings[@]}" demo

echo "demo: compiling and running one program"
echo
echo "\$ build/bin/cohortcc -O3 $source -o build/reduce_sum"
build/bin/cohortcc -O3 "$source" -o build/reduce_sum
echo "\$ build/reduce_sum --quick"
build/reduce_sum --quick

echo
echo "That was an eighth of the program's full size. The full size, with 2 GiB of memory:  build/reduce_sum"
echo "Your own program:  build/bin/cohortcc kernel.cu -o kernel && ./kernel"

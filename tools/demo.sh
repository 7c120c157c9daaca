#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the reduce_sum example from its unmodified .cu source with cohortcc and runs it on the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."

source=examples/10_reduce_sum/reduce_sum.cu
batches=256  # of 2048; ends within half a minute on 2 cores

settings=()
[[ -f build/build.ninja ]] || settings=(-DCOHORT_BUILD_TESTS=OFF)  # the demo needs no test packages
tools/build.sh release "${settings[@]}" product

echo
echo "\$ build/bin/cohortcc -O3 $source -o build/reduce_sum"
build/bin/cohortcc -O3 "$source" -o build/reduce_sum
echo "\$ build/reduce_sum --quick"
build/reduce_sum --quick

echo
echo "Those were $batches of 2048 batches. The full size:  build/reduce_sum"
echo "Your own program:  build/bin/cohortcc kernel.cu -o kernel && ./kernel"

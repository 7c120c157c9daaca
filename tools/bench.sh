#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the benchmarks. Each row has the medians of both sides and their ratio.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release -DCOHORT_BUILD_BENCH=ON bench
tools/build.sh release -DCOHORT_BUILD_BENCH=ON bench_check
tools/build.sh release -DCOHORT_BUILD_BENCH=ON bench_world || echo "bench: the rows of a world are left out; see above"

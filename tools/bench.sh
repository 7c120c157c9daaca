#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the benchmarks; each prints its medians and its ratio to the peer.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release -DCOHORT_BUILD_BENCH=ON bench

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and tests the projects of docs/ci-without-a-gpu.md that need no Python:  ci_projects.sh PROJECTS COHORTCC FOLDER
set -euo pipefail
projects=$1 cohortcc=$2 folder=$3
toolkit=$(dirname "$(dirname "$cohortcc")")/cohort-toolkit

rm -rf "$folder"
cp -r "$projects" "$folder"
make -C "$folder/makefile" check CUDA_HOME="$toolkit"
cmake -S "$folder/cmake" -B "$folder/build" -DCMAKE_CUDA_COMPILER="$cohortcc" -DCUDAToolkit_ROOT="$toolkit"
cmake --build "$folder/build"
ctest --test-dir "$folder/build" --output-on-failure --no-tests=error

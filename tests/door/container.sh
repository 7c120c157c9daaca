#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs in the chroot that tools/package/container.sh has made the image's system: uses the installed package as the image's
# documentation shows, and compares the Dockerfile with the steps.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
  echo "FAILED: $1"
  exit 1
}
[[ $(command -v cohortcc) == /usr/bin/cohortcc ]] || fail "cohortcc is not installed"
for step in "container.sh build /packages" "cohort-container install /packages"; do
  grep -q "^RUN .*$step\|^    .*$step" Dockerfile || fail "the Dockerfile does not run: $step"
done
ls /var/lib/apt/lists/*_Packages* 2>/dev/null && fail "package lists are left"

# The variables of the Dockerfile, for a project in CMake's CUDA language and for one with a makefile.
variables=$(sed -n 's/^ENV //p' Dockerfile)
[[ -n $variables ]] || fail "the Dockerfile sets no variables"
for variable in $variables; do export "${variable?}"; done
[[ -x $CUDACXX && -x $CUDA_HOME/bin/nvcc ]] || fail "$variables: no such files"
make -C examples/ci/makefile check
cmake -S examples/ci/cmake -B /tmp/ci
cmake --build /tmp/ci
ctest --test-dir /tmp/ci --output-on-failure --no-tests=error

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Formats the C++ and CUDA sources in place. With --check it changes no file, and fails if a file is not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
format=$(command -v clang-format-19 || command -v clang-format) || {
  echo "format: clang-format is missing; run tools/bootstrap.sh lint" >&2
  exit 1
}
options=(-i)
[[ ${1:-} == --check ]] && options=(--dry-run -Werror)
git ls-files -z '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh' | xargs -0 -r "$format" "${options[@]}"

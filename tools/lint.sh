#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Source rules, format, cppcheck and clang-tidy over the C++ sources.  tools/lint.sh [file...] looks at those alone.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0

if [[ $# -gt 0 ]]; then
  files=("$@")
else
  mapfile -t files < <(git ls-files 'src/*.cpp')
fi

echo "== source rules"
python3 tests/layers/check_layers.py . || failed=1

echo "== format"
tools/format.sh --check || failed=1

echo "== cppcheck"
cppcheck --quiet --std=c++20 --language=c++ --inline-suppr --error-exitcode=1 --enable=warning,performance,portability \
  --suppress=missingIncludeSystem --suppress=danglingLifetime --suppress=legacyUninitvar -I include "${files[@]}" || failed=1

echo "== clang-tidy"
if [[ ! -f build/compile_commands.json ]]; then
  cmake --preset release -DCOHORT_BUILD_TESTS=OFF >/dev/null || exit 1
fi
tidy=$(command -v clang-tidy-19 || command -v clang-tidy)
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "${JOBS:-$(nproc)}" "$tidy" --quiet -p build 2>/dev/null || failed=1

[[ $failed -eq 0 ]] && echo "lint: nothing found"
exit $failed

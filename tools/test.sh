#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the tests:  tools/test.sh [preset...]
# Without presets: all tests of `release` but the `long` ones, and the engine's tests of `asan`. ctest's closing lines come last.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=0
summaries=()

# run PRESET FOLDER [build targets... --] [ctest options...]
run() {
  local preset=$1 folder=$2
  shift 2
  local targets=()
  if [[ " $* " == *" -- "* ]]; then
    while [[ $1 != -- ]]; do
      targets+=("$1")
      shift
    done
    shift
  fi
  echo "== preset $preset: build"
  if ! tools/build.sh "$preset" -DCOHORT_BUILD_TESTS=ON "${targets[@]}"; then
    failed=1
    summaries+=("== preset $preset: the build failed, no test was run")
    return
  fi
  echo "== preset $preset: tests"
  local log=$folder/tests.log
  ctest --preset "$preset" "$@" 2>&1 | tee "$log"
  [[ ${PIPESTATUS[0]} -eq 0 ]] || failed=1
  summaries+=("== preset $preset" "$(sed -n '/tests passed/,$p' "$log")"
    "$(grep -cE '\*\*\*Skipped' "$log") tests skipped")
}

if [[ $# -eq 0 ]]; then
  run asan build-asan tests/engine/all tests/misuse/all -- -L '^(engine|misuse)$'
  run release build -- -LE '^long$'
else
  for preset in "$@"; do
    if [[ $preset == release ]]; then
      run release build
    elif [[ $preset == portable ]]; then
      run portable build-portable tests/engine/all tests/misuse/all -- -L '^(engine|misuse)$'
    else
      run "$preset" "build-$preset"
    fi
  done
fi

echo
printf '%s\n' "${summaries[@]}"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the tests:  tools/test.sh [preset... | long]
#   nothing   the engine's tests of `asan`, then all tests of `release` without the label `long`: `make test`
#   preset    the tests of those presets without the label `long`, those that depend on the preset: `make test-all`
#   long      the tests of `release` with the label `long`: `make test-long`. They are slow, or need root, network
#             namespaces, a browser or a chroot. A test of this rung exits with 77 and a line "skipped: REASON" where
#             the machine lacks something.
# The closing lines of ctest, with the reasons of skipped tests and the time of the run, come last.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

failed=0
summaries=()

# Copies ctest's output. After 30 seconds without a line it prints which tests are still running.
with_progress() {
  local line="" part status silent=0 number
  local -A running=()
  while true; do
    IFS= read -r -t 30 part
    status=$?
    line+=$part
    if ((status > 128)); then
      silent=$((silent + 30))
      ((${#running[@]} == 0)) || echo "      ... $silent s without a result; running: ${running[*]}"
      continue
    fi
    [[ $status -eq 0 || -n $line ]] && printf '%s\n' "$line"
    ((status == 0)) || return 0
    silent=0
    if [[ $line =~ ^[[:space:]]*Start[[:space:]]+([0-9]+):[[:space:]](.*) ]]; then
      running[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    elif [[ $line =~ Test[[:space:]]+\#([0-9]+): ]]; then
      number=${BASH_REMATCH[1]}
      unset "running[$number]"
    fi
    line=""
  done
}

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
  local log=$folder/tests.log results=$PWD/$folder/tests.xml
  rm -f "$results"
  ctest --preset "$preset" -j "${JOBS:-$(nproc)}" --output-junit "$results" "$@" 2>&1 | with_progress | tee "$log"
  [[ ${PIPESTATUS[0]} -eq 0 ]] || failed=1
  summaries+=("== preset $preset" "$(python3 tools/skipped_tests.py "$results")"
    "$(sed -n '/tests passed/,$p' "$log")" "$(grep -cE '\*\*\*Skipped' "$log") tests skipped")
}

without_long=(-LE '^long$')
# A preset other than `release` repeats the tests, by folder, whose results depend on it:
#   library   they run the engine, the runtime and the libraries, which every preset compiles in its own way
#   numbers   functions of one thread, without another one to race with: left out under tsan
#   tools     the checker, the counters, NVRTC, and single passes of the plugin. No sanitizer builds these folders, and
#             an uninstrumented clang loads the plugin: under dev only, where LLVM's headers check each cast. The build
#             of dev also compiles the 300 CUDA sources of the tests by that plugin
# The other folders test verdicts of compilers, source rules, pages, packages and scripts, which have one result under
# all presets, or repeat by hundreds of calls of cohortcc what compiler/ir has as single rules.
library='engine|misuse|group|collective|launch|world|runtime|libraries|programs|conformance|example'
numbers='base|machine|model|device|info'
tools='check|check/plain|count|nvrtc|ir'
engine_only=(tests/engine/all tests/misuse/all -- -L '^(engine|misuse)$')
# `make test` leaves a third of the time of these tests under AddressSanitizer to `make test-all`: two of three orders of
# threads, and the source lines, which another program finds.
quick_engine=("${engine_only[@]}" -E '^(engine_schedule_[23]|engine\.source_places)$')
if [[ $# -eq 0 ]]; then
  minutes=$(python3 tools/printed_times.py . test)
  echo "test: builds build/ and build-asan/ (about 1 GB) and runs the tests: about $minutes minutes on 2 cores"
  run asan build-asan "${quick_engine[@]}"
  run release build -- "${without_long[@]}"
elif [[ $* == long ]]; then
  echo "test: builds build/ and runs the tests with the label long. One of them downloads 350 MB into a chroot"
  run release build -- -L '^long$'
else
  for preset in "$@"; do
    case $preset in
      release) run release build -- "${without_long[@]}" ;;
      portable) run portable build-portable "${engine_only[@]}" ;;
      dev) run dev build-dev -- "${without_long[@]}" -L "^($library|$numbers|$tools)$" ;;
      tsan) run tsan build-tsan -- "${without_long[@]}" -L "^($library)$" ;;
      *) run "$preset" "build-$preset" -- "${without_long[@]}" -L "^($library|$numbers)$" ;;
    esac
  done
fi

echo
printf '%s\n' "${summaries[@]}"
echo "test: took $(((SECONDS + 59) / 60)) minutes on $(nproc) processors"
exit $failed

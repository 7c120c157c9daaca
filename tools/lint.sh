#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the sources:  tools/lint.sh [--changed] [part...]
#   rules     tests/layers over the checkout      format    clang-format         spelling  codespell
#   scripts   shellcheck                          python    ruff                 cppcheck  over src/
#   workflows GitHub's schemas of workflows and actions (check-jsonschema)
#   tidy      clang-tidy over src/ and, through the plain C++ example, the headers of include/cohort
# Without a part it runs all of them. With --changed, clang-tidy reads only the files that differ from the merge base
# with main, and stops after TIDY_SECONDS (300). A tool that is not installed skips its part; the last line counts the
# skipped parts.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

all=(rules format spelling scripts python workflows cppcheck tidy)
changed=0 parts=()
for argument in "$@"; do
  if [[ $argument == --changed ]]; then
    changed=1
  elif [[ " ${all[*]} " == *" $argument "* ]]; then
    parts+=("$argument")
  else
    echo "lint: there is no part '$argument'; there are: ${all[*]}" >&2
    exit 2
  fi
done
[[ ${#parts[@]} -gt 0 ]] || parts=("${all[@]}")

failed=() skipped=()

# skip PART REASON
skip() {
  echo "skipped: $2"
  skipped+=("$1")
}

# The commit that the changes of --changed start from: the fork from main, or on main itself the last commit.
base_commit() {
  local branch base
  for branch in origin/main main; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    [[ $base == "$(git rev-parse HEAD)" ]] || { echo "$base" && return; }
  done
  git rev-parse -q --verify HEAD~1
}

# A header is checked through a source that includes it.
source_of_header() {
  local header=$1 source=${1%.hpp}.cpp
  if [[ $header == include/cohort/* ]]; then
    echo examples/11_plain_cpp/plain_cpp.cpp
  elif [[ -f $source ]]; then
    echo "$source"
  else
    git grep -lF "${header##*/}\"" -- 'src/*.cpp' | head -1
  fi
}

# The sources that clang-tidy reads, a line each.
tidy_sources() {
  local base file
  if ((!changed)); then
    git ls-files 'src/*.cpp' examples/11_plain_cpp/plain_cpp.cpp
    return
  fi
  base=$(base_commit) || return 1
  git diff --name-only --diff-filter=d "$base" -- 'src/*.cpp' 'src/*.hpp' 'include/cohort/*.hpp' | while read -r file; do
    if [[ $file == *.hpp ]]; then source_of_header "$file"; else echo "$file"; fi
  done | sort -u
}

check_rules() { python3 tests/layers/check_layers.py .; }

check_format() {
  command -v clang-format-19 >/dev/null || { skip format "clang-format-19 is not installed" && return; }
  tools/format.sh --check
}

check_spelling() {
  command -v codespell >/dev/null || { skip spelling "codespell is not installed" && return; }
  git ls-files -z | xargs -0 codespell
}

check_scripts() {
  local scripts
  mapfile -t scripts < <(git ls-files '*.sh' .ci/run)
  command -v shellcheck >/dev/null || { skip scripts "shellcheck is not installed" && return; }
  shellcheck "${scripts[@]}"
}

check_python() {
  local ruff
  ruff=$(command -v ruff || command -v build/lint/bin/ruff) || { skip python "ruff is not installed" && return; }
  "$ruff" check --no-cache .
}

check_workflows() {
  local check workflows
  check=$(command -v check-jsonschema || command -v build/lint/bin/check-jsonschema) || {
    skip workflows "check-jsonschema is not installed" && return
  }
  mapfile -t workflows < <(git ls-files '.github/workflows/*.yml')
  "$check" --builtin-schema vendor.github-workflows "${workflows[@]}" &&
    "$check" --builtin-schema vendor.github-actions action.yml
}

check_cppcheck() {
  command -v cppcheck >/dev/null || { skip cppcheck "cppcheck is not installed" && return; }
  git ls-files -z 'src/*.cpp' | xargs -0 cppcheck --quiet --std=c++20 --language=c++ --inline-suppr --error-exitcode=1 \
    --enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=danglingLifetime \
    --suppress=legacyUninitvar -I include
}

# tidy_file TIDY FILE: prints the findings of clang-tidy, without its count of suppressed warnings. Past the time limit it
# prints nothing; the caller counts such files.
tidy_file() {
  local output status=0
  if ((TIDY_END != 0 && $(date +%s) >= TIDY_END)); then return 0; fi
  output=$("$1" --quiet -p build/tidy "$2" 2>&1) || status=$?
  grep -vE '^[0-9]+ warnings? (generated|treated as error)' <<<"$output"
  echo "$2" >>"$TIDY_DONE"
  return $status
}
export -f tidy_file

check_tidy() {
  local tidy list files status=0 left
  tidy=$(command -v clang-tidy-19) || { skip tidy "clang-tidy-19 is not installed" && return; }
  list=$(tidy_sources) || { skip tidy "no commit to compare with, as in a clone of depth 1" && return; }
  [[ -n $list ]] || { echo "0 files changed" && return; }
  mapfile -t files <<<"$list"
  # A database with each source by itself: the build compiles them in units.
  cmake --preset release -B build/tidy -DCOHORT_UNITS=OFF -DCOHORT_BUILD_TESTS=OFF >/dev/null || return 1
  TIDY_DONE=$(mktemp)
  TIDY_END=0
  if ((changed)); then TIDY_END=$(($(date +%s) + ${TIDY_SECONDS:-300})); fi
  export TIDY_DONE TIDY_END
  echo "${#files[@]} files"
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c 'tidy_file "$@"' tidy "$tidy" || status=1
  left=$((${#files[@]} - $(wc -l <"$TIDY_DONE")))
  rm -f "$TIDY_DONE"
  if ((left > 0)); then skip tidy "$left of ${#files[@]} files are left after the time limit; \`make lint\` checks them all"; fi
  return $status
}

if ! git rev-parse -q --verify HEAD >/dev/null; then
  echo "lint: this is no git checkout, whose list of files the checks read" >&2
  exit 1
fi
for part in "${parts[@]}"; do
  echo "== $part"
  "check_$part" || failed+=("$part")
done

echo
((${#skipped[@]} == 0)) || echo "lint: ${#skipped[@]} parts skipped: ${skipped[*]}"
if ((${#failed[@]} > 0)); then
  echo "lint: failed: ${failed[*]}"
  exit 1
fi
echo "lint: nothing found"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the step of action.yml as GitHub does, with the wheel of this build:  action.sh SOURCE PACKAGES FOLDER
set -euo pipefail
source=$1 packages=$2 folder=$3

fail() {
  echo "FAILED: $1"
  exit 1
}
wheels=("$packages"/cohortcc-*.whl)
[[ -e ${wheels[0]} ]] || { echo "skipped: there is no wheel in $packages" && exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
python3 -m venv "$folder/probe" >/dev/null || { echo "skipped: Python makes no virtual environment" && exit 77; }
trap 'rm -rf "$folder"' EXIT

export RUNNER_TEMP=$folder GITHUB_PATH=$folder/path GITHUB_OUTPUT=$folder/output GITHUB_ENV=$folder/env
export INPUT_FIND_LINKS=$packages
INPUT_VERSION=$(sed -nE 's/^## ([0-9.]+)$/\1/p;T;q' "$source/CHANGES.md")
INPUT_SHA256=$(sha256sum <"${wheels[0]}")
INPUT_SHA256=${INPUT_SHA256%% *}
export INPUT_VERSION INPUT_SHA256

# refused TEXT NAME=VALUE...: the step fails with this text
refused() {
  local text=$1 output
  shift
  if output=$(env "$@" bash "$source/tools/package/install_pinned.sh" 2>&1); then fail "the step succeeded with $*"; fi
  [[ $output == *"$text"* ]] || fail "with $* the step did not print '$text' but: $output"
}
refused "not of the form 1.2.3" INPUT_VERSION='0.1.0 --index-url=x'
refused "not 64 hexadecimal digits" INPUT_SHA256=abc
refused "DO NOT MATCH THE HASHES" "INPUT_SHA256=$(printf '0%.0s' {1..64})"

bash "$source/tools/package/install_pinned.sh"
PATH=$(cat "$GITHUB_PATH"):$PATH
toolkit=$(sed -n 's/^toolkit=//p' "$GITHUB_OUTPUT")
cp -r "$source/examples/ci/makefile" "$folder/makefile"
make -C "$folder/makefile" check CUDA_HOME="$toolkit"
cohortcc "$folder/makefile/scale.cu" -o "$folder/scale"
"$folder/scale"

# The text of action.yml: inputs have pinned versions, and no download is piped into a shell.
if grep -nE "(curl|wget)" "$source/action.yml" "$source/tools/package/install_pinned.sh"; then fail "the action downloads by itself"; fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The step of action.yml: installs one version of cohortcc with a known hash into a virtual environment, and adds its
# commands to the PATH of later steps.
#   INPUT_VERSION, INPUT_SHA256, INPUT_FIND_LINKS   the inputs of the action
#   RUNNER_TEMP, GITHUB_PATH, GITHUB_OUTPUT, GITHUB_ENV                  set by GitHub
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 1
}
[[ $INPUT_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version is '$INPUT_VERSION', not of the form 1.2.3"
[[ $INPUT_SHA256 =~ ^[0-9a-f]{64}$ ]] || fail "sha256 is '$INPUT_SHA256', not 64 hexadecimal digits"
command -v g++ >/dev/null || fail "g++ is not installed, which cohortcc needs: add the step 'apt-get install g++'"

environment=$RUNNER_TEMP/cohortcc
requirements=$RUNNER_TEMP/cohortcc.txt
echo "cohortcc==$INPUT_VERSION --hash=sha256:$INPUT_SHA256" >"$requirements"
options=(--require-hashes --only-binary :all: --no-deps --disable-pip-version-check)
[[ -z $INPUT_FIND_LINKS ]] || options+=(--no-index --find-links "$INPUT_FIND_LINKS")

python3 -m venv "$environment"
"$environment/bin/pip" install -q "${options[@]}" -r "$requirements"

# Only these commands are added to PATH: the Python of the virtual environment stays out of it.
mkdir -p "$environment/commands"
for command in cohort cohort-info cohort-view cohortcc; do
  ln -sf "../bin/$command" "$environment/commands/$command"
done
echo "$environment/commands" >>"$GITHUB_PATH"
toolkit=$("$environment/bin/python" -m cohortcc toolkit)
prefix=$("$environment/bin/python" -m cohortcc prefix)
echo "CUDACXX=$environment/commands/cohortcc" >>"$GITHUB_ENV"
printf '%s\n' "toolkit=$toolkit" "prefix=$prefix" >>"$GITHUB_OUTPUT"
"$environment/commands/cohortcc" --version

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the library alone and builds a project with it:  install_library.sh SOURCE FOLDER
# clang and apt-get are stubs that fail: neither may be needed. Exit status 77 where SOURCE cannot be cloned.
set -euo pipefail
source=$1 folder=$2

command -v git >/dev/null || { echo "skipped: git is not installed" && exit 77; }
rm -rf "$folder"
mkdir -p "$folder/bin"
git clone -q "$source" "$folder/checkout" || { echo "skipped: $source cannot be cloned" && exit 77; }

for name in clang clang++ clang-19 clang++-19 llvm-config-19 apt-get sudo; do
  printf '#!/bin/sh\necho "FAILED: %s was called" >&2\nexit 1\n' "$name" >"$folder/bin/$name"
done
chmod +x "$folder"/bin/*
export PATH=$folder/bin:$PATH

make -C "$folder/checkout" install-library PREFIX="$folder/prefix"
[[ ! -e $folder/prefix/bin/cohortcc ]] || { echo "FAILED: cohortcc was installed" && exit 1; }
"$folder/prefix/bin/cohort-info" >/dev/null
"$folder/prefix/bin/cohort-view" --help >/dev/null
(cd "$folder" && prefix/bin/cohort learn) | grep "^0 of 20 solved"
cmake -S "$source/tests/consumer/library_alone" -B "$folder/project" -DCMAKE_PREFIX_PATH="$folder/prefix"
cmake --build "$folder/project"
"$folder/project/plain" | grep -x "plain: right"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the packages of a build folder, and checks the Debian package with lintian:  make.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2

skip() {
  echo "skipped: $1"
  exit 77
}
for program in lintian patchelf dpkg-deb; do
  command -v $program >/dev/null || skip "$program is not installed"
done
/usr/bin/python3 -c "import wheel" 2>/dev/null || skip "Python's module wheel is not installed (python3-wheel)"
[[ -e /usr/lib/llvm-19/lib/libomp.so ]] || skip "clang's OpenMP runtime is not installed (libomp-19-dev)"

rm -rf "$build/packages"
"$source/tools/package.sh" "$build"
lintian --fail-on error,warning --allow-root "$build"/packages/*.deb

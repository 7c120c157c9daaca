#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the packages of a build folder:  tools/package.sh [BUILD]
# BUILD/packages (by default build/packages) then has a Debian package and a Python wheel.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$source/build}

(cd "$build" && cpack -G DEB >cpack.log 2>&1) || {
  cat "$build/cpack.log" >&2
  exit 1
}
rm -rf "$build/packages/_CPack_Packages"
ls "$build"/packages/*.deb
# Debian's interpreter has Debian's module wheel.
/usr/bin/python3 -B "$source/tools/package/build_wheel.py" "$build" "$build/packages"

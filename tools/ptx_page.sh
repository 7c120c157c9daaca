#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes docs/ptx.md from the compiler's table of inline PTX:  tools/ptx_page.sh
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"${CXX:-c++}" -std=c++20 -Isrc/compiler/plugin tests/compiler/ptx_table/ptx_table.cpp \
  src/compiler/plugin/lower/ptx/isa/*.cpp -o "$program"
"$program" page >docs/ptx.md

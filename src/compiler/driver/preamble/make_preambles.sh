#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the precompiled preambles of a build:  make_preambles.sh COHORTCC FOLDER
# for the options of most compilations, and for clang itself: with a compiler cache before it, cohortcc uses none.
# A failure is no error of the build, since cohortcc then reads the headers.
set -o pipefail
unset COHORT_CACHE
PATH=$(printf '%s' "$PATH" | sed -E 's,/usr/lib(64)?/ccache:?,,')
rm -rf "$2"
mkdir -p "$2"
for option in "" -DNDEBUG -O0 --check; do
  "$1" --make-preamble ${option:+"$option"} || exit 0
done
touch "$2/made"

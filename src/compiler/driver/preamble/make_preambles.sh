#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes precompiled preambles of a build:  make_preambles.sh COHORTCC STAMP OPTIONS...
# one for each OPTIONS, which are words in one argument, and for clang itself: with a compiler cache before it, cohortcc
# uses none. A form that cannot be made is no error of the build, since cohortcc then reads the headers. STAMP is written
# unless the script is interrupted, so that the next build does not try again.
set -o pipefail
cohortcc=$1 stamp=$2
shift 2
unset COHORT_CACHE
PATH=$(printf '%s' "$PATH" | sed -E 's,/usr/lib(64)?/ccache:?,,')
for options in "$@"; do
  read -ra words <<<"$options"
  "$cohortcc" --make-preamble "${words[@]}"
  status=$?
  ((status < 128)) || exit "$status"
  ((status == 0)) || echo "make_preambles: there is no precompiled preamble for '$options'" >&2
done
touch "$stamp"

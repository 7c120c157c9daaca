#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what a Debian 12 machine lacks to build Cohort:  tools/bootstrap.sh [demo] [test] [bench] [lint]
# Nothing missing: one look at dpkg's list, no network. Not root and no sudo: prints the command to run and stops.
set -euo pipefail

# Why each of them is needed: docs/design/dependencies.md
packages_demo=(g++ cmake ninja-build clang-19 llvm-19-dev libclang-19-dev python3)
packages_test=(libgtest-dev libgmock-dev libclang-rt-19-dev gdb)
packages_bench=(libbenchmark-dev libboost-context-dev ocl-icd-opencl-dev pocl-opencl-icd)
packages_lint=(clang-format-19 clang-tidy-19 cppcheck)

wanted=()
for set_name in "${@:-demo}"; do
  case "$set_name" in
    demo) wanted+=("${packages_demo[@]}") ;;
    test) wanted+=("${packages_demo[@]}" "${packages_test[@]}") ;;
    bench) wanted+=("${packages_demo[@]}" "${packages_bench[@]}") ;;
    lint) wanted+=("${packages_demo[@]}" "${packages_lint[@]}") ;;
    *)
      echo "bootstrap: '$set_name' is no set of packages; there are: demo, test, bench, lint" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "bootstrap: this is no Debian-like system, so nothing is installed; needed are: ${wanted[*]}" >&2
  exit 0  # CMake names what is really missing
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' | sed -n 's/^installed \([^:]*\).*/\1/p')
missing=()
for package in "${wanted[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $EUID -ne 0 ]]; then
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    as_root=(sudo)
  else
    echo "bootstrap: packages are missing, and this user cannot install them. Run as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
fi

apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

echo "bootstrap: installing ${missing[*]}"
install() { apt install -y --no-install-recommends "${missing[@]}"; }

# A new machine has no package lists yet; old lists name files that are gone. Either way: ask for new ones, once.
for package in "${missing[@]}"; do
  if ! apt-cache show "$package" >/dev/null 2>&1; then
    apt update
    install
    exit 0
  fi
done
install || { apt update && install; }

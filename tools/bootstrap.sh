#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian 12 packages that Cohort's build needs:  tools/bootstrap.sh [library] [demo] [test] [bench] [docs]
# [lint] [long] [package]
# With nothing missing it reads dpkg's list and uses no network. A user who is neither root nor has sudo gets the
# command to run.
set -euo pipefail

# docs/design/dependencies.md gives the reason for each package.
packages_library=(g++ cmake ninja-build python3)
packages_demo=("${packages_library[@]}" clang-19 llvm-19-dev libclang-19-dev libomp-19-dev libsleef3)
packages_test=(libgtest-dev libgmock-dev libclang-rt-19-dev llvm-19 llvm-19-tools gdb codespell libopenmpi-dev openmpi-bin
               libopenblas-dev python3-jsonschema)
packages_bench=(libboost-context-dev ocl-icd-opencl-dev pocl-opencl-icd libopenblas-dev libsleef-dev)
packages_docs=(python3 doxygen)
packages_lint=(git clang-format-19 clang-tidy-19 cppcheck shellcheck codespell python3-venv)
packages_long=(git debootstrap mpich libmpich-dev slurm-wlm python3-venv chromium-headless-shell g++-aarch64-linux-gnu
               qemu-user-static)
packages_package=(dpkg-dev libclang-rt-19-dev libomp-19-dev lintian patchelf python3-wheel)
pypi_lint=(ruff==0.17.6 check-jsonschema==0.39.0)  # installed from PyPI into build/lint, because Debian 12 lacks them

wanted=()
for set_name in "${@:-demo}"; do
  case "$set_name" in
    library) wanted+=("${packages_library[@]}") ;;
    demo) wanted+=("${packages_demo[@]}") ;;
    test) wanted+=("${packages_demo[@]}" "${packages_test[@]}") ;;
    bench) wanted+=("${packages_demo[@]}" "${packages_bench[@]}") ;;
    docs) wanted+=("${packages_docs[@]}") ;;
    lint) wanted+=("${packages_demo[@]}" "${packages_lint[@]}") ;;
    long) wanted+=("${packages_long[@]}" "${packages_package[@]}") ;;
    package) wanted+=("${packages_package[@]}") ;;
    *)
      echo "bootstrap: '$set_name' is no set of packages; there are: library, demo, test, bench, docs, lint, long, package" >&2
      exit 2
      ;;
  esac
done

install_from_pypi() {
  local venv package missing=()
  venv=$(dirname "$0")/../build/lint
  for package in "${pypi_lint[@]}"; do
    command -v "${package%%==*}" >/dev/null || [[ -x $venv/bin/${package%%==*} ]] || missing+=("$package")
  done
  if [[ ${#missing[@]} -eq 0 ]]; then return; fi
  { python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check "${missing[@]}"; } >/dev/null 2>&1 ||
    echo "bootstrap: not installed from PyPI, so their parts of the lint are skipped: ${missing[*]}" >&2
}
# cuFFT's transforms: the header of pocketfft lies in a package that depends on 400 MB of others, so the package is not
# installed.
header=pythran/pythonic/numpy/fft/pocketfft.hpp
take_pocketfft() {
  local folder work
  folder=$(dirname "$(readlink -f "$0")")/../build/pocketfft
  if [[ -f $folder/pocketfft.hpp || -f /usr/lib/python3/dist-packages/$header ]]; then return; fi
  work=$(mktemp -d)
  if (cd "$work" && apt-get -q download python3-pythran && dpkg-deb -x python3-pythran*.deb .) >/dev/null 2>&1 &&
    mkdir -p "$folder" && cp "$work/usr/lib/python3/dist-packages/$header" "$folder"; then
    echo "bootstrap: took pocketfft's header from Debian's package python3-pythran"
  else
    echo "bootstrap: cuFFT is built without transforms: pocketfft's header, from the package python3-pythran, is missing" >&2
  fi
  rm -rf "$work"
}
finish() {
  if [[ " ${wanted[*]} " == *" clang-19 "* ]]; then take_pocketfft; fi
  if [[ " $* " == *" lint "* ]]; then install_from_pypi; fi
  exit 0
}

if ! command -v dpkg-query >/dev/null; then
  echo "bootstrap: this is no Debian-like system, so nothing is installed; needed are: ${wanted[*]}" >&2
  finish "$@"  # CMake names the missing ones
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' | sed -n 's/^installed \([^:]*\).*/\1/p')
missing=()
for package in "${wanted[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || [[ " ${missing[*]} " == *" $package "* ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then finish "$@"; fi

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

echo "bootstrap: installing ${#missing[@]} Debian packages and what they depend on: ${missing[*]}"
echo "bootstrap: on a bare Debian 12, make demo downloads 250 MB of packages (1.5 GB on disk), make test 60 MB more"
install() { apt install -y --no-install-recommends "${missing[@]}"; }
update() { apt update && install; }

# A new machine has no package lists, and old lists name files that the mirror no longer has. Both need one update.
listed=1
for package in "${missing[@]}"; do
  apt-cache show "$package" >/dev/null 2>&1 || listed=0
done
if ! { { ((listed)) && install; } || update; }; then
  echo "bootstrap: the packages were not installed. The first run needs a Debian mirror; later runs need no network." >&2
  echo "bootstrap: missing: ${missing[*]}" >&2
  exit 1
fi
finish "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The steps of the Dockerfile, as root in a new Debian 12:
#   container.sh build PACKAGES     builds the packages of this checkout into the folder PACKAGES
#   container.sh install PACKAGES   installs the Debian package of the folder, and leaves no package lists
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

[[ $# -eq 2 && -n $2 ]] || {
  echo "usage: container.sh build|install PACKAGES" >&2
  exit 2
}
case $1 in
  build)
    cd "$(dirname "$0")/../.."
    apt-get -q update
    apt-get -q install -y --no-install-recommends make
    make package
    mkdir -p "$2"
    cp build/packages/*.deb build/packages/*.whl "$2"
    ;;
  install)
    apt-get -q update
    apt-get -q install -y --no-install-recommends "$2"/cohortcc_*.deb cmake gdb make ninja-build python3
    rm -rf /var/lib/apt/lists/*
    cohort-info --doctor
    ;;
  *)
    echo "container.sh: '$1' is no step; there are: build, install" >&2
    exit 2
    ;;
esac

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the packages in a new Debian 12, uses and removes them:  chroot.sh SOURCE PACKAGES FOLDER
# The network serves to install what the packages depend on; everything else runs without one. Exit status 77 where the
# machine lacks something.
set -euo pipefail
source=$1 packages=$2 folder=$3
here=$(dirname "$0")

# shellcheck source=tests/support/debian_chroot.sh
source "$here/../support/debian_chroot.sh"

make_chroot bookworm "$folder" --net
root=$folder/root
mkdir -p "$root/cohort/tests/compiler/toolkit" "$root/packages"
cp -r "$source/examples" "$root/cohort/"
cp -r "$source/tests/consumer" "$root/cohort/tests/"
cp -r "$source/tests/compiler/toolkit/project" "$root/cohort/tests/compiler/toolkit/"
cp "$packages"/*.deb "$packages"/*.whl "$root/packages/"
cp "$here/inside.sh" "$root/"

# inside STEP [NAMESPACE...]
inside() {
  local step=$1
  shift
  echo "== $step"
  in_chroot "$root" "exec bash /inside.sh $step" "$@"
}
inside prepare-wheel
inside wheel --net
inside prepare-deb
inside deb --net

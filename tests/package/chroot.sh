#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the packages in a new Debian 12, uses and removes them:  chroot.sh SOURCE PACKAGES FOLDER
# The network serves to install what the packages depend on; everything else runs without one. Exit status 77 where the
# machine lacks something.
set -euo pipefail
source=$1 packages=$2 folder=$3
here=$(dirname "$0")

skip() {
  echo "skipped: $1"
  exit 77
}
[[ $EUID -eq 0 ]] || skip "a chroot needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --net --fork true 2>/dev/null || skip "this machine allows no mount and network namespaces"

# shellcheck disable=SC2016  # the words are apt-get's
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 2>/dev/null |
  sed -n 's/ bookworm main$//p' | head -1)
rm -rf --one-file-system "$folder"
mkdir -p "$folder"
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root
debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$folder/debootstrap.log" 2>&1 || {
  tail -3 "$folder/debootstrap.log"
  skip "debootstrap cannot install Debian 12 from ${mirror:-http://deb.debian.org/debian}"
}
mkdir -p "$root/cohort/tests/compiler/toolkit" "$root/packages"
cp -r "$source/examples" "$root/cohort/"
cp -r "$source/tests/consumer" "$root/cohort/tests/"
cp -r "$source/tests/compiler/toolkit/project" "$root/cohort/tests/compiler/toolkit/"
cp "$packages"/*.deb "$packages"/*.whl "$root/packages/"
cp "$here/inside.sh" "$root/"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
{ grep -lsi proxy /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$root/etc/apt/apt.conf.d"

# inside STEP [OPTION...]: mounts and processes end with the namespaces.
inside() {
  local step=$1
  shift
  echo "== $step"
  # shellcheck disable=SC2016  # the inner bash expands $1 and $2
  unshare --mount --pid --fork --kill-child "$@" bash -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" bash /inside.sh "$2"
  ' chroot "$root" "$step"
}
inside prepare-wheel
inside wheel --net
inside prepare-deb
inside deb --net

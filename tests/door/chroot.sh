#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs README.md's commands in a new Debian 12:  chroot.sh SOURCE FOLDER
# debootstrap makes the system in FOLDER, with the machine's mirror; a clone of SOURCE lies in it. Exit status 77 where
# the machine lacks something.
set -euo pipefail
source=$1 folder=$2

skip() {
  echo "skipped: $1"
  exit 77
}
[[ $EUID -eq 0 ]] || skip "a chroot needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
command -v git >/dev/null || skip "git is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine allows no mount namespaces"

# shellcheck disable=SC2016  # the words are apt-get's
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 2>/dev/null |
  sed -n 's/ bookworm main$//p' | head -1)
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root
debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$folder/debootstrap.log" 2>&1 || {
  tail -3 "$folder/debootstrap.log"
  skip "debootstrap cannot install Debian 12 from ${mirror:-http://deb.debian.org/debian}"
}

git clone -q "$source" "$root/cohort" || skip "$source cannot be cloned"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
{ grep -lsi proxy /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$root/etc/apt/apt.conf.d"
python3 "$(dirname "$0")/commands.py" print "$root/cohort" README.md >"$root/commands.sh"

# Mounts and processes end with the namespaces.
# shellcheck disable=SC2016  # the inner bash expands $1
unshare --mount --pid --fork --kill-child bash -euc '
  mount -t proc proc "$1/proc"
  mount --rbind /dev "$1/dev"
  exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" bash -c "cd /cohort && exec bash /commands.sh"
' chroot "$root"

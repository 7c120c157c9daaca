# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# A new Debian for tests that install packages. Scripts source it.
set -euo pipefail

# skip REASON: ends the test, because the machine lacks something.
skip() {
  echo "skipped: $1"
  exit 77
}

# make_chroot SUITE FOLDER [NAMESPACE...]: installs Debian 12 (bookworm) or another suite in FOLDER/root with the machine's
# mirror, host names and proxy, and removes FOLDER at the end of the script. `noble` is Ubuntu 24.04, from its own mirror.
# Skips without root, debootstrap or the namespaces, such as --net.
make_chroot() {
  local suite=$1 folder=$2 mirror options=(--variant=minbase) script=()
  shift 2
  [[ $EUID -eq 0 ]] || skip "a chroot needs root"
  command -v debootstrap >/dev/null || skip "debootstrap is not installed"
  unshare --mount --pid "$@" --fork true 2>/dev/null || skip "this machine allows no namespaces: --mount --pid $*"
  # shellcheck disable=SC2016  # the words are apt-get's
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 2>/dev/null |
    sed -n 's/ bookworm main$//p' | head -1)
  mirror=${mirror:-http://deb.debian.org/debian}
  if [[ $suite == noble ]]; then
    mirror=http://archive.ubuntu.com/ubuntu
    options+=("--components=main,universe")
    script=(/usr/share/debootstrap/scripts/gutsy)  # the script of all Ubuntus; Debian's debootstrap has no link to it
  fi
  rm -rf --one-file-system "$folder"
  mkdir -p "$folder"
  # shellcheck disable=SC2064  # the folder's name of now
  trap "rm -rf --one-file-system ${folder@Q}" EXIT
  debootstrap "${options[@]}" "$suite" "$folder/root" "$mirror" "${script[@]}" >"$folder/debootstrap.log" 2>&1 || {
    tail -3 "$folder/debootstrap.log"
    skip "debootstrap cannot install $suite from $mirror"
  }
  if [[ $suite == noble ]]; then
    echo "deb $mirror noble-updates main universe" >>"$folder/root/etc/apt/sources.list"  # this pocket has clang 19
  fi
  cp /etc/resolv.conf /etc/hosts "$folder/root/etc/"
  { grep -lsi proxy /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$folder/root/etc/apt/apt.conf.d"
}

# in_chroot ROOT COMMAND [NAMESPACE...]: bash runs COMMAND in ROOT. Mounts and processes end with the namespaces.
in_chroot() {
  local root=$1 command=$2
  shift 2
  # shellcheck disable=SC2016  # the inner bash expands $1 and $2
  unshare --mount --pid --fork --kill-child "$@" bash -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" bash -c "$2"
  ' chroot "$root" "$command"
}

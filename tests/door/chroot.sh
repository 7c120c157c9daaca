#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs README.md's commands in a new Debian 12:  chroot.sh SOURCE FOLDER
# debootstrap makes the system in FOLDER, with the machine's mirror; a clone of SOURCE lies in it. Exit status 77 where
# the machine lacks something.
set -euo pipefail
source=$1 folder=$2

# shellcheck source=tests/support/debian_chroot.sh
source "$(dirname "$0")/../support/debian_chroot.sh"

command -v git >/dev/null || skip "git is not installed"
make_chroot "$folder"
root=$folder/root
git clone -q "$source" "$root/cohort" || skip "$source cannot be cloned"
python3 "$(dirname "$0")/commands.py" print "$root/cohort" README.md >"$root/commands.sh"

in_chroot "$root" "cd /cohort && exec bash /commands.sh"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs commands in a clone of SOURCE in a new Debian:  chroot.sh SOURCE FOLDER SUITE [COMMAND]
# debootstrap makes the system in FOLDER, with the machine's mirror. Without a command, those of README.md run. Exit status
# 77 where the machine lacks something.
set -euo pipefail
source=$1 folder=$2 suite=$3 command=${4-}

# shellcheck source=tests/support/debian_chroot.sh
source "$(dirname "$0")/../support/debian_chroot.sh"

command -v git >/dev/null || skip "git is not installed"
make_chroot "$suite" "$folder"
root=$folder/root
git clone -q "$source" "$root/cohort" || skip "$source cannot be cloned"
if [[ -z $command ]]; then
  python3 "$(dirname "$0")/commands.py" print "$root/cohort" README.md >"$root/commands.sh"
  command="exec bash /commands.sh"
fi

in_chroot "$root" "cd /cohort && $command"

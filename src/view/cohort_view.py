#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-view, the command. Its modules lie in ../lib/cohort/view of the installation."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib" / "cohort" / "view"))

import command

sys.exit(command.main(sys.argv[1:]))

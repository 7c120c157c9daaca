# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cohort in gdb:  source PREFIX/lib/cohort/gdb/cohort_gdb.py

`cohort threads` lists the CUDA threads of the blocks that run now, and pretty printers show groups."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cohort_groups
import cohort_threads

cohort_groups.register()
cohort_threads.register()

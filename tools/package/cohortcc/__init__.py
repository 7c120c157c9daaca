# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cohort's compiler for CUDA sources on the CPU, with the clang that it runs.

The package holds an installation of Cohort: bin/, lib/, include/ and cohort-toolkit/, which has the folders of a CUDA
toolkit. The commands cohortcc, cohort-info, cohort-view and cohort start the programs in bin/. In IPython and Jupyter,
`%load_ext cohortcc` adds the magic %%cuda."""

import os
import pathlib
import sys

prefix = pathlib.Path(__file__).resolve().parent
toolkit = prefix / "cohort-toolkit"


def _start(program):
    path = str(prefix / "bin" / program)
    os.execv(path, [path, *sys.argv[1:]])


def cohortcc():
    _start("cohortcc")


def cohort_info():
    _start("cohort-info")


def cohort_view():
    _start("cohort-view")


def cohort():
    _start("cohort")


def load_ipython_extension(shell):
    from cohortcc import notebook  # needs IPython, which the commands do not

    notebook.register(shell)

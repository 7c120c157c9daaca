# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares cuda_occupancy.h with that of CUDA 13.0, by the lines that occupancy.cpp prints with each.

test_occupancy.py CLANG INCLUDE-FOLDER ROOT"""

import pathlib
import subprocess
import sys
import tempfile

import toolkit


def lines(clang, *includes):
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/program"
        source = pathlib.Path(__file__).with_name("occupancy.cpp")
        subprocess.run([clang, "-O1", "-w", *(f"-I{include}" for include in includes), source, "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def main(clang, include, root):
    if not toolkit.is_there(clang, include):
        return 77
    theirs, ours = lines(clang, include), lines(clang, f"{root}/include/cudart", f"{root}/include")
    different = [pair for pair in zip(theirs, ours) if pair[0] != pair[1]]
    for pair in different[:10]:
        print("CUDA:   {}\nCohort: {}".format(*pair))
    print(f"{len(different)} of {len(theirs)} lines differ")
    return 1 if different or len(theirs) != len(ours) or len(ours) < 100000 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

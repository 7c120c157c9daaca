#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A million fetches of each kind have an H200's bits: the hashes of bench/gpu/texture_numbers.cu are those of h200.txt.

test_h200.py PROGRAM"""

import pathlib
import subprocess
import sys


def hashes(lines):
    """Kind of fetch -> hash, from the lines "kind: hash more"."""
    rows = (line.split(": ", 1) for line in lines if ": " in line and not line.startswith("#"))
    return {kind: rest.split()[0] for kind, rest in rows}


def main():
    recorded = hashes((pathlib.Path(__file__).parent / "h200.txt").read_text().splitlines())
    run = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True)
    found = hashes(run.stdout.splitlines())
    differ = [kind for kind, wanted in recorded.items() if found.get(kind) != wanted]
    print(f"{len(recorded) - len(differ)} of {len(recorded)} kinds of fetches are equal", *differ, sep="\n  ")
    return 1 if differ or not recorded else 0


if __name__ == "__main__":
    sys.exit(main())

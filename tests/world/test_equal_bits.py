# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conjugate gradients of example 15 give equal bits on 1, 2 and 4 ranks, as processes and as devices:

  test_equal_bits.py PROGRAM MPIEXEC NUMPROC_FLAG"""

import re
import sys

from runs import Run


def main():
    program, mpiexec, flag = sys.argv[1:]
    runs = {f"{n} processes": ([mpiexec, flag, str(n)], {}) for n in (1, 2, 4)}
    runs["2 hosts of 2 devices"] = ([mpiexec, flag, "2"], {"COHORT_DEVICES": "2", "COHORT_WORLD_SHARED": "0"})
    runs |= {f"{n} devices": ([], {"COHORT_DEVICES": str(n)}) for n in (1, 2, 4)}
    found = {}
    for name, (launcher, variables) in runs.items():
        run = Run([*launcher, program, "--size", "33", "--strips", "32"], **variables)
        bits = re.findall(r"solution: bits ([0-9a-f]{16})", run.output)
        if run.status != 0 or len(bits) != 1 or "verified" not in run.output:
            print(f"{name}: status {run.status}\n{run.output}")
            return 1
        found[name] = bits[0]
        print(f"{name}: {bits[0]}")
    return 0 if len(set(found.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several processes that `srun` starts:  test_slurm.py TESTS FAULTS SUM COHORT

The tests of a world pass, the faults of test_faults.py are reported and end the job, and `cohort run` works inside of
an allocation. Exits with 77 where this machine can have no Slurm cluster."""

import pathlib
import sys

from runs import Run
from slurm import Missing, Slurm

# The runs have more processes than cores.
SRUN = ["srun", "--mpi=pmix", "--overcommit"]


def main():
    tests, faults, total, cohort = sys.argv[1:]
    failed = []

    def check(name, run, *texts):
        lacks = run.lacks(*texts)
        print(f"{name}: status {run.status}, {run.seconds:.1f} s", flush=True)
        if run.status != 0 or lacks:
            failed.append(f"{name}: status {run.status}, lacks {lacks}\n{run.output}")

    try:
        with Slurm() as slurm:
            for ranks in ("1", "2", "3"):
                check(f"tests, {ranks} ranks", Run([*SRUN, "-n", ranks, tests, "--gtest_brief=1"], limit=300,
                                                   COHORT_TEST_RANKS=ranks, **slurm.environment), "PASSED")
            here = pathlib.Path(__file__).parent
            check("faults", Run([sys.executable, "-B", here / "test_faults.py", faults, *SRUN, "-n", "3"], limit=600,
                                **slurm.environment), "stop: right")
            check("cohort run in an allocation",
                  Run(["salloc", "--overcommit", "-n", "2", cohort, "run", "-n", "2", total], **slurm.environment),
                  "rank 1 of 2", "verified")
    except Missing as reason:
        print(f"skipped: no Slurm cluster of this machine: {reason}")
        return 77
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

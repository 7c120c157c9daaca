# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script `cohort run`:  test_cohort_run.py COHORT PROGRAM, a program linked with an MPI."""

import os
import sys

from runs import Run


def main():
    cohort, program = sys.argv[1:]
    cores = len(os.sched_getaffinity(0))
    cases = [
        ("runs two ranks", ["-n", "2", program], 0, ["rank 0 of 2", "rank 1 of 2", "verified"], {}),
        ("divides the cores", ["-n", "2", "--print", program], 0, [f"COHORT_WORKERS={max(1, cores // 2)} ", " -n 2 "],
         {"COHORT_WORKERS": None}),
        ("keeps COHORT_WORKERS", ["-n", "2", "--print", program], 0, ["COHORT_WORKERS=7 "], {"COHORT_WORKERS": "7"}),
        ("names hosts", ["-n", "4", "--host", "a,b", "--print", program], 0, ["a,b"], {}),
        ("no number", ["-n", "two", program], 2, ["-n needs a number of processes, not 'two'"], {}),
        ("no program", ["-n", "2"], 2, ["no program was named"], {}),
        ("unknown program", ["-n", "2", "no_such_program"], 2, ["'no_such_program' is no program"], {}),
        ("unknown option", ["--number", program], 2, ["unknown option '--number'"], {}),
        ("no MPI", ["-n", "2", "/bin/true"], 2, ["is linked with no MPI"], {}),
    ]
    if os.geteuid() == 0 and "Open MPI" in Run([cohort, "run", "--print", program]).output.replace("mpirun", "Open MPI"):
        cases.append(("root", ["-n", "2", program], 2, ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"],
                      {"OMPI_ALLOW_RUN_AS_ROOT": None}))
    failed = 0
    for name, arguments, status, texts, variables in cases:
        unset = [f"-u{key}" for key, value in variables.items() if value is None]
        given = {key: value for key, value in variables.items() if value is not None}
        run = Run(["env", *unset, cohort, "run", *arguments], **given)
        lacking = run.lacks(*texts)
        if run.status != status or lacking:
            failed += 1
            print(f"{name}: FAILED, status {run.status}, lacks {lacking}\n{run.output}")
        else:
            print(f"{name}: right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

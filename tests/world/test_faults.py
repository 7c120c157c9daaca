# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults of one rank among three:  test_faults.py FAULTS LAUNCHER...

Each is reported in every rank, in a limited time, and names the rank. LAUNCHER is the command that starts three
processes."""

import sys

from runs import Run

FAILS_ALL = ["rank 0: launch 719", "rank 2: launch 719", "rank 0: second launch 0", "rank 1: second launch 0"]
WAITS = "waits at world_group.sync() or in a collective, barrier 4 of the launch, but rank 1 "

# Fault -> texts of the output. The world can launch again after each of these faults.
KERNEL_FAULTS = {
    "other_barrier": [*FAILS_ALL, "rank 1: launch 719", "cohort: deadlock in kernel", "(launch over a world, rank 1 of 3)",
                      "wait at the barrier of the world_group, where 31 of 32 threads",
                      f"rank 0 of 3 {WAITS}failed in the kernel (error 719)",
                      f"rank 2 of 3 {WAITS}failed in the kernel (error 719)"],
    "return": [*FAILS_ALL, "rank 1: launch 719", f"rank 0 of 3 {WAITS}has returned from the kernel with all threads",
               f"rank 2 of 3 {WAITS}has returned from the kernel with all threads",
               "rank 1 of 3 has returned from the kernel with all threads, but rank 0 waits at world_group.sync()"],
    "illegal_address": [*FAILS_ALL, "rank 1: launch 700", "illegal address (nil) was accessed",
                        f"rank 0 of 3 {WAITS}failed in the kernel (error 700)",
                        f"rank 2 of 3 {WAITS}failed in the kernel (error 700)"],
    "foreign_put": [*FAILS_ALL, "put(): 4 bytes at the destination are not inside of the symmetric memory of a rank",
                    f"rank 0 of 3 {WAITS}failed in the kernel"],
    "no_rank": [*FAILS_ALL, "world_group.on(): there is no rank 99 among 3", f"rank 2 of 3 {WAITS}failed in the kernel"],
    "other_shape": [*FAILS_ALL, "begins a launch over the world, but rank 1 launches another kernel, grid, block or shared"],
    "refused": [*FAILS_ALL, "rank 1: launch 720", "rank 0 of 3 begins a launch over the world, but rank 1 cannot launch "
                "(error 720)", "rank 2 of 3 begins a launch over the world, but rank 1 cannot launch (error 720)"],
}
# Fault -> texts of the output. These faults end the job.
HOST_FAULTS = {
    "close": ["rank 0 of 3 begins a launch over the world, but rank 1 closes the world",
              "rank 1 of 3 closes the world, but rank 0 begins a launch over the world"],
    "allocate": ["rank 0 of 3 begins a launch over the world, but rank 1 allocates 64 bytes of symmetric memory",
                 "rank 1 of 3 allocates 64 bytes of symmetric memory, but rank 0 begins a launch over the world"],
}
MISSING = "waits for the others, and not all of them have arrived within 2 s (COHORT_TIMEOUT)"


def main():
    program, launcher = sys.argv[1], sys.argv[2:]
    failed = 0

    def check(name, run, texts, limit):
        nonlocal failed
        problems = [f"lacks {text!r}" for text in run.lacks(*texts)]
        if run.status in (0, None):
            problems.append("ran into the limit" if run.status is None else "ended with status 0")
        if run.seconds > limit:
            problems.append(f"took {run.seconds:.1f} s")
        print(f"{name}: {'FAILED' if problems else 'right'} ({run.seconds:.1f} s)")
        if problems:
            failed += 1
            print("  " + "\n  ".join(problems) + "\n" + run.output)

    # The limits leave room for a busy machine; a hang would take COHORT_TIMEOUT, or forever.
    for fault, texts in {**KERNEL_FAULTS, **HOST_FAULTS}.items():
        check(fault, Run([*launcher, program, fault], COHORT_TIMEOUT="50"), texts, 40)
    # The launcher ends the job of a process that was killed or that ends without MPI_Finalize.
    for fault in ("kill", "kill_host", "exit"):
        check(fault, Run([*launcher, program, fault], COHORT_TIMEOUT="50"), [], 40)
    check("stop", Run([*launcher, program, "stop"], COHORT_TIMEOUT="2"),
          [f"rank 0 of 3 {MISSING}", f"rank 2 of 3 {MISSING}"], 40)
    check("spin", Run([*launcher, program, "spin"], COHORT_TIMEOUT="2"),
          [f"rank 0 of 3 {MISSING}", f"rank 2 of 3 {MISSING}"], 40)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

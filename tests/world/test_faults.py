# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults of one rank among three:  test_faults.py FAULTS LAUNCHER...

Each is reported in every rank, in a limited time, and names the rank. LAUNCHER is the command that starts three
processes."""

import concurrent.futures
import sys

from runs import Run

AT_ONCE = 3  # a job mostly waits: for its launcher, and for ranks that do not come

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


# The limits leave room for a busy machine; a hang would take COHORT_TIMEOUT, or forever.
LIMIT = 40
# (fault, texts). The launcher ends the job of a process that was killed or that ends without MPI_Finalize.
CASES = [*KERNEL_FAULTS.items(), *HOST_FAULTS.items(), ("kill", []), ("kill_host", []), ("exit", [])]
# Both ranks that wait report it at the same time, unless another job delays one of them: these cases run alone.
TIMED_CASES = [(fault, [f"rank 0 of 3 {MISSING}", f"rank 2 of 3 {MISSING}"]) for fault in ("stop", "spin")]


def problems_of(run, texts):
    problems = [f"lacks {text!r}" for text in run.lacks(*texts)]
    if run.status in (0, None):
        problems.append("ran into the limit" if run.status is None else "ended with status 0")
    if run.seconds > LIMIT:
        problems.append(f"took {run.seconds:.1f} s")
    return problems


def main():
    program, launcher = sys.argv[1], sys.argv[2:]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(lambda case: Run([*launcher, program, case[0]], COHORT_TIMEOUT="50"), CASES))
    runs += [Run([*launcher, program, fault], COHORT_TIMEOUT="2") for fault, _ in TIMED_CASES]
    for (fault, texts), run in zip(CASES + TIMED_CASES, runs, strict=True):
        problems = problems_of(run, texts)
        print(f"{fault}: {'FAILED' if problems else 'right'} ({run.seconds:.1f} s)")
        if problems:
            failed += 1
            print("  " + "\n  ".join(problems) + "\n" + run.output)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

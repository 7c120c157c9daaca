#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Worlds on this machine's GPUs, one process for each GPU, which meet over a file:

  test_gpus.py SUITE FAULTS PROCESSES [LAUNCHER...]

SUITE is the test program of worlds, FAULTS a program in which rank 1 does something wrong. With LAUNCHER, such as
`mpirun -n 2`, SUITE also runs under it. Each run has a time limit; all processes that are left are killed."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from gpu_world import run_world  # noqa: E402

LIMIT = 120

FAILS_ALL = ["rank 0: launch 719", "rank 1: launch 719", "rank 0: second launch 0", "rank 1: second launch 0"]
OVERDUE = "rank 0 of 2 waits for the others, and not all of them have arrived within 2 s (COHORT_TIMEOUT)"

# Fault -> COHORT_TIMEOUT, the longest time in seconds, the statuses of the processes, texts of the output.
FAULTS = {
    "": (50, 30, (0, 0), ["rank 0: launch 0", "rank 1: launch 0", "rank 0: second launch 0", "rank 1: second launch 0"]),
    "other_shape": (50, 30, (1, 1), [*FAILS_ALL, "rank 0 of 2 begins a launch over the world, but rank 1 launches another "
                                     "kernel, grid, block or shared memory"]),
    "refused": (50, 30, (1, 1), ["rank 0: launch 719", "rank 1: launch 720", "rank 0: second launch 0",
                                 "rank 0 of 2 begins a launch over the world, but rank 1 cannot launch (error 720)"]),
    "close": (50, 30, (1, 1), ["rank 0 of 2 begins a launch over the world, but rank 1 closes the world",
                               "rank 1 of 2 closes the world, but rank 0 begins a launch over the world"]),
    "allocate": (50, 30, (1, 1), ["rank 0 of 2 begins a launch over the world, but rank 1 allocates 24 bytes of symmetric "
                                  "memory"]),
    "illegal_address": (50, 30, (1, 1), ["rank 0: launch 719", "rank 1: launch 700",
                                         "rank 0 of 2 waits at world_group.sync() or in a collective, barrier 4 of the "
                                         "launch, but rank 1 failed in the kernel (error 700)"]),
    "return": (2, 20, (1, 1), [f"{OVERDUE}: rank 1 has returned from the kernel with all threads"]),
    "spin": (2, 40, (1, 1), [f"{OVERDUE}: another rank has stopped, or computes for longer"]),
    "kill": (50, 30, (1, -9), ["rank 0 of 2 is in a launch over the world, but the process of rank 1 has ended"]),
    "kill_host": (50, 30, (1, -9), ["rank 0 of 2 begins a launch over the world, but the process of rank 1 has ended"]),
    "stop": (2, 20, (1, None), [f"{OVERDUE}: rank 1 has stopped, computes for longer, or runs on another host"]),
    "kill keep": (50, 30, (5, -9), ["the process of rank 1 has ended", "rank 0: launch 719", "rank 0: the world is lost"]),
    "stop keep": (2, 20, (5, None), [OVERDUE, "rank 0: launch 719", "rank 0: the world is lost"]),
}


def report(name, problems, seconds, text):
    print(f"{name}: {'FAILED' if problems else 'right'} ({seconds:.1f} s)", flush=True)
    if problems:
        print("  " + "\n  ".join(problems) + "\n" + text[-6000:], flush=True)
    return bool(problems)


def variables(ranks, timeout=50):
    return {"COHORT_TEST_RANKS": str(ranks), "COHORT_TIMEOUT": str(timeout)}


def main():
    suite, faults, processes, launcher = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    failed = 0
    for count in sorted({1, processes}):
        statuses, text, seconds = run_world([suite, "--gtest_brief=1"], count, LIMIT, variables(count), grace=60)
        problems = [] if statuses == [0] * count and "PASSED" in text else [f"statuses {statuses}"]
        failed += report(f"suite, {count} processes", problems, seconds, text)
    if launcher:
        statuses, text, seconds = run_world([*launcher, suite, "--gtest_brief=1"], 1, LIMIT, variables(processes))
        failed += report(f"suite, {' '.join(launcher)}", [] if statuses == [0] else [f"statuses {statuses}"], seconds, text)
    for fault, (timeout, longest, expected, texts) in FAULTS.items():
        stopped = [rank for rank, status in enumerate(expected) if status is None]
        statuses, text, seconds = run_world([faults, *fault.split()], 2, LIMIT, variables(2, timeout), stopped)
        problems = [f"lacks {each!r}" for each in texts if each not in text]
        if statuses != list(expected):
            problems.append(f"statuses {statuses}, not {list(expected)}")
        if seconds > longest:
            problems.append(f"took {seconds:.1f} s")
        failed += report(f"fault {fault or 'none'}", problems, seconds, text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A world over two hosts:  test_hosts.py TESTS FAULTS

The tests of a world pass over two hosts. If a process is killed or stopped, or the cable is cut, both sides report it,
and all processes can end. Needs root; exits with 77 where this machine can have no such hosts."""

import os
import pathlib
import subprocess
import sys
import time

from hosts import Hosts, Missing
from runs import ENVIRONMENT, Run

TIMEOUT = 2
LIMIT = 10 * (TIMEOUT + 1)
LATE = f"not all of them have arrived within {TIMEOUT} s (COHORT_TIMEOUT)"


def wait_until(condition, limit):
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > limit:
            return None
        time.sleep(0.05)
    return time.monotonic() - begin


def cut_cable(hosts, faults):
    """Returns the differences from the expectation. Each rank writes to a file of its own host, because the cable
    carries no output after the cut."""
    program = pathlib.Path(faults).name
    files = [hosts.folder / f"rank{rank}" for rank in (0, 1)]
    command = f'exec {faults} lost_link 2> {hosts.folder}/rank$OMPI_COMM_WORLD_RANK'
    environment = {**os.environ, **ENVIRONMENT, "COHORT_TIMEOUT": str(TIMEOUT)}
    with subprocess.Popen([*hosts.launcher("COHORT_TIMEOUT"), "sh", "-c", command], env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as launcher:
        if wait_until(lambda: all(hosts.processes(name, program) for name in hosts.names), 60) is None:
            launcher.kill()
            return ["the program did not start"]
        time.sleep(2)
        wrong = [f"rank {r} ended before the cut: {f.read_text()}" for r, f in enumerate(files) if "rank" in f.read_text()]
        hosts.cut()
        seconds = wait_until(lambda: not any(hosts.processes(name, program) for name in hosts.names), LIMIT)
        print(f"cut cable: both processes ended after {seconds} s")
        if seconds is None:
            wrong.append(f"a process has not ended after {LIMIT} s")
        launcher.kill()
    for rank, file in enumerate(files):
        if f"rank {rank} of 2 waits for the others, and {LATE}" not in file.read_text():
            wrong.append(f"rank {rank} has no report: {file.read_text()}")
    return wrong


def main():
    tests, faults = sys.argv[1:]
    failed = []

    def check(name, run, right, *texts):
        lacks = run.lacks(*texts)
        print(f"{name}: status {run.status}, {run.seconds:.1f} s")
        if not right or lacks or run.status is None:
            failed.append(f"{name}: status {run.status}, lacks {lacks}\n{run.output}")

    try:
        with Hosts() as hosts:
            run = Run([*hosts.launcher("COHORT_TEST_RANKS", "COHORT_TIMEOUT"), tests, "--gtest_brief=1"], limit=300,
                      COHORT_TEST_RANKS="2", COHORT_TIMEOUT="100")
            check("tests", run, run.status == 0, "PASSED")
            for fault, texts in (("kill", []), ("stop", [f"rank 0 of 2 waits for the others, and {LATE}"]),
                                 ("return", ["rank 0: launch 719", "rank 1: launch 719", "rank 1: second launch 0"])):
                run = Run([*hosts.launcher("COHORT_TIMEOUT"), faults, fault], COHORT_TIMEOUT=str(TIMEOUT))
                check(fault, run, run.status != 0 and run.seconds < LIMIT, *texts)
            failed += cut_cable(hosts, faults)
    except Missing as reason:
        print(f"skipped: no hosts as network namespaces: {reason}")
        return 77
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

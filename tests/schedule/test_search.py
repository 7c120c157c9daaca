# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds order bugs by a search over 1000 seeds:  test_search.py PROGRAM [NAME...]

Each kernel ends well on one worker, without a schedule and in the engine's own order. The search finds an order in
which it does not, and that seed repeats the run byte for byte. It shrinks the order to a few switches, whose file repeats
the failure in each run. A kernel whose name ends with `_corrected` ends well in all orders, and on all workers.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MOST_SWITCHES = 4
REPLAYS = 100
LONGEST_REPLAYS = 20  # seconds for all replays of a kernel; a replay that times out takes one second


def run(program, name, schedule, **settings):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COHORT_")} | settings
    if schedule:
        environment["COHORT_SCHEDULE"] = schedule
    return subprocess.run([program, name], capture_output=True, text=True, timeout=300, check=False, env=environment)


def problem_of(program, name):
    # One worker, because workers race: on two of them, the blocks of a kernel with a bug may run in any order.
    workers = {} if name.endswith("_corrected") else {"COHORT_WORKERS": "1"}
    for schedule, settings in (("", workers), ("seed:0", {})):
        well = run(program, name, schedule, **settings)
        if well.returncode != 0 or well.stderr:
            return f"fails with {schedule or 'no schedule'}: {well.returncode}\n{well.stdout}{well.stderr}"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "order.json"
        search = run(program, name, f"search:1000,file:{file}")
        return problem_of_search(program, name, well, search, file)


def problem_of_search(program, name, well, search, file):
    if name.endswith("_corrected"):
        silent = search.returncode == 0 and search.stdout == well.stdout
        return "" if silent and "cohort: search: no difference in 1000 seeds\n" in search.stderr else f"differs\n{search.stderr}"
    found = re.search(r"^cohort: search: seed (\d+) differs from the engine's own order:\n"
                      r"  exit status 1 instead of exit status 0\n", search.stderr, re.MULTILINE)
    if search.returncode != 1 or search.stdout or not found:
        return f"the search ends with {search.returncode}\n{search.stdout}{search.stderr}"
    seed = f"seed:{found[1]}"
    if f"\n  COHORT_SCHEDULE={seed} repeats it\n" not in search.stderr:
        return f"the search does not repeat {seed}\n{search.stderr}"
    first, second = run(program, name, seed), run(program, name, seed)
    if first.returncode != 1:
        return f"{seed} ends with {first.returncode}\n{first.stdout}{first.stderr}"
    if (first.returncode, first.stdout, first.stderr) != (second.returncode, second.stdout, second.stderr):
        return f"two runs of {seed} differ\n{first.stdout}{first.stderr}{second.stdout}{second.stderr}"
    return problem_of_order(program, name, first, search, file)


def problem_of_order(program, name, failed, search, file):
    """Checks that the order has few switches, and that each run of its file fails in the same way."""
    if f"\n  COHORT_SCHEDULE=file:{file} repeats it, " not in search.stderr:
        return f"there is no file with the order\n{search.stderr}"
    switches = json.loads(file.read_text())["switches"]
    if not 0 < len(switches) <= MOST_SWITCHES or " switch to thread " not in search.stderr:
        return f"{len(switches)} switches\n{search.stderr}"
    runs, begin = set(), time.monotonic()
    for number in range(REPLAYS):
        replay = run(program, name, f"file:{file}")
        runs.add((replay.returncode, replay.stdout, replay.stderr))
        if len(runs) > 1 or (number > 2 and time.monotonic() - begin > LONGEST_REPLAYS):
            break
    if len(runs) > 1 or replay.returncode != failed.returncode or "did not apply" in replay.stderr:
        return f"the order does not repeat the failure\n{runs}"
    print(f"{name}: {len(switches)} switches, {number + 1} replays")
    return ""


def main():
    program = sys.argv[1]
    names = sys.argv[2:] or subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    problems = [f"{name}: {problem}" for name in names if (problem := problem_of(program, name))]
    sys.exit("\n".join(problems) if problems or not names else 0)


main()

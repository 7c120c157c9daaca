# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check and compares the findings of each case with the comments of its source.

In the source, `// race: x y 64` above a function expects one finding between the lines marked [x] and [y], found 64
times, after the line `case FUNCTION` on stderr. A function without such a comment must have no finding."""

import json
import os
import re
import subprocess
import sys


def expectations(path):
    """The set of (line, line, count) of each function of the source; lines in ascending order."""
    marks, wanted, following = {}, {}, []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := re.search(r"// \[(\w+)\]", line):
            marks[found[1]] = number
        if found := re.match(r"// race: (\w+) (\w+) (\d+)$", line):
            following.append(found.groups())
        if found := re.match(r"void (\w+)\(\)", line):
            wanted[found[1]], following = following, []
    return {name: {(*sorted((marks[x], marks[y])), int(count)) for x, y, count in pairs}
            for name, pairs in wanted.items()}


def findings(stderr):
    """The set of findings of each case that ran."""
    result, current = {}, None
    for line in stderr.splitlines():
        if line.startswith("case "):
            current = result.setdefault(line.removeprefix("case "), set())
            continue
        race = json.loads(line)
        places = [race[side]["place"] for side in ("first", "second")]
        lines = sorted(int(re.match(r"[\w.]+:(\d+)\b", place)[1]) for place in places)
        current.add((*lines, race["count"]))
    return result


def main():
    program, source = sys.argv[1:3]
    wanted, problems = expectations(source), []
    for workers in ("1", "3"):
        environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers)
        run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
        if run.returncode != 0 or run.stdout.strip("0"):
            sys.exit(f"{workers} workers: status {run.returncode}, {run.stdout}{run.stderr}")
        found = findings(run.stderr)
        problems += [f"{workers} workers, {case}: found {sorted(races)}, expected {sorted(wanted[case])}"
                     for case, races in found.items() if races != wanted[case]]
        if len(found) < 30:
            problems.append(f"{workers} workers: only {len(found)} cases ran")
    sys.exit("\n".join(problems) or 0)


main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check and compares its findings with the comments of its source.

In the source, `// race: a b 32` above a kernel expects one finding between the lines marked [a] and [b], found 32 times.
A kernel without such a comment must have no finding."""

import collections
import json
import os
import re
import subprocess
import sys


def expectations(path):
    """For each kernel, the set of (line, line, count); lines in ascending order."""
    result = {}
    wanted, marks, kernel = [], collections.defaultdict(int), None

    def close():
        if kernel:
            result[kernel] = {(*sorted((marks[a], marks[b])), count) for a, b, count in wanted}

    following = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := re.match(r"// race: (\w) (\w) (\d+)$", line):
            following.append((found[1], found[2], int(found[3])))
        if found := re.match(r"__global__ void .*?(\w+)\((?!2, 1, 1)", line):
            close()
            kernel, wanted, following, marks = found[1], following, [], collections.defaultdict(int)
        if found := re.search(r"// \[(\w)\]", line):
            marks[found[1]] = number
    close()
    return result


def findings(stderr):
    result = collections.defaultdict(set)
    for line in stderr.splitlines():
        race = json.loads(line)
        lines = sorted(int(re.match(r"[\w.]+:(\d+) ", race[side]["place"])[1]) for side in ("first", "second"))
        result[re.sub(r"<.*", "", race["kernel"])].add((*lines, race["count"]))
    return result


def main():
    program, source = sys.argv[1:3]
    problems = []
    for workers in ("1", "3"):
        environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers)
        run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
        if run.returncode != 0 or run.stdout != "no error\n":
            sys.exit(f"{workers} workers: status {run.returncode}, {run.stdout}{run.stderr}")
        wanted, found = expectations(source), findings(run.stderr)
        problems += [f"{workers} workers, {kernel}: found {sorted(found[kernel])}, expected {sorted(pairs)}"
                     for kernel, pairs in wanted.items() if found[kernel] != pairs]
        problems += [f"{workers} workers: findings in {kernel}" for kernel in found if kernel not in wanted]
    sys.exit("\n".join(problems) or 0)


main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check and compares its findings with the comments of its source.

In the source, `// race: a b 32` above a kernel expects one finding between the lines marked [a] and [b], found 32 times;
`32+` is 32 times or more, where blocks that run at once decide. A kernel without such a comment must have no finding."""

import collections
import json
import os
import re
import subprocess
import sys

MOST = 1 << 10  # no kernel has a race that is found more often


def expectations(path):
    """For each kernel, a dictionary from (line, line), in ascending order, to the range of counts."""
    result = {}
    wanted, marks, kernel = [], collections.defaultdict(int), None

    def close():
        if kernel:
            result[kernel] = {tuple(sorted((marks[a], marks[b]))): range(count, most + 1) for a, b, count, most in wanted}

    following = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if found := re.match(r"// race: (\w) (\w) (\d+)(\+?)$", line):
            count = int(found[3])
            following.append((found[1], found[2], count, MOST if found[4] else count))
        if found := re.match(r"(?:__global__|static) void .*?(\w+)\((?!\d, 1, 1)", line):
            close()
            kernel, wanted, following, marks = found[1], following, [], collections.defaultdict(int)
        if found := re.search(r"// \[(\w)\]", line):
            marks[found[1]] = number
    close()
    return result


def findings(stderr):
    """For each kernel, a dictionary from (line, line) to the counts. All instances of a template count as one kernel,
    but an instance with `true`, a correct twin, keeps its name. A plain C++ kernel is named by its place, "file:line
    (function)"."""
    result = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in stderr.splitlines():
        race = json.loads(line)
        lines = sorted(int(re.match(r"[\w.]+:(\d+) ", race[side]["place"])[1]) for side in ("first", "second"))
        plain = re.match(r"[\w.]+:\d+ \((\w+)\)$", race["kernel"])
        result[plain[1] if plain else re.sub(r"<(?!true>).*", "", race["kernel"])][tuple(lines)].add(race["count"])
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
        for kernel, pairs in wanted.items():
            counts = found[kernel]
            if counts.keys() != pairs.keys() or not all(counts[lines] <= set(pairs[lines]) for lines in pairs):
                problems.append(f"{workers} workers, {kernel}: found {dict(counts)}, expected {pairs}")
        problems += [f"{workers} workers: findings in {kernel}" for kernel in found if kernel not in wanted]
    sys.exit("\n".join(problems) or 0)


main()

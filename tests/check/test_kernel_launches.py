# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each kernel of kernel_launches.cu, which was compiled with --check, and compares the findings with the source.

`// race: a b` above a kernel expects one finding, between the lines that are marked [a] and [b] there or before it. A
kernel without that comment must have none."""

import json
import os
import re
import subprocess
import sys


def expectations(path):
    """For each kernel that main() can run: the pair of lines, or None."""
    wanted, marks, kernel, following = {}, {}, None, None
    lines = open(path, encoding="utf-8").read().splitlines()
    for number, line in enumerate(lines, 1):
        if found := re.match(r"// race: (\w) (\w)$", line):
            following = found.groups()
        if found := re.match(r"__global__ void (\w+)\(", line):
            kernel, wanted[found[1]], following = found[1], following, None
        if found := re.search(r"// \[(\w)\]", line):
            marks[(kernel if found[1] == "x" else "", found[1])] = number
    runs = re.findall(r"^  RUN\w*\((\w+),", "\n".join(lines), re.MULTILINE)
    return {name: wanted[name] and sorted(marks[(name if mark == "x" else "", mark)] for mark in wanted[name])
            for name in runs}


def findings(program, kernel, **environment):
    run = subprocess.run([program, kernel], capture_output=True, text=True, timeout=100, check=False,
                         env=dict(os.environ, COHORT_CHECK="json", **environment))
    if run.returncode != 0 or run.stdout != "no error\n":
        sys.exit(f"{kernel}: status {run.returncode}, {run.stdout}{run.stderr}")
    races = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    return [sorted(int(re.match(r"[\w.]+:(\d+) ", race[side]["place"])[1]) for side in ("first", "second"))
            for race in races]


def main():
    program, source = sys.argv[1:3]
    problems = []
    wanted = expectations(source)
    for kernel, lines in wanted.items():
        for environment in ({"COHORT_WORKERS": "1"}, {"COHORT_WORKERS": "3"}, {"COHORT_SCHEDULE": "seed:1"},
                            {"COHORT_SCHEDULE": "seed:4"}):
            found = findings(program, kernel, **environment)
            if found != ([lines] if lines else []):
                problems.append(f"{kernel}, {environment}: found {found}, expected {lines}")
    if sum(lines is not None for lines in wanted.values()) < 8 or len(wanted) < 16:
        problems.append("the source has fewer cases than it had")
    sys.exit("\n".join(problems) or 0)


main()

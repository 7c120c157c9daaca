#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the first launch of programs with Cohort's headers and with NVIDIA's:  first_launch.py FILE OURS THEIRS

Writes FILE with one row (tools/gpu_report.py): medians of 25 processes of each program, which take turns."""

import json
import pathlib
import statistics
import subprocess
import sys

REPEATS = 25
BAR = 1.02


def microseconds(program):
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"first_launch.py: {program} failed: {done.stdout}{done.stderr}")
    return float(done.stdout)


def main():
    output, *programs = sys.argv[1:]
    for program in programs:
        microseconds(program)  # an unmeasured run, which reads the file into the page cache
    pairs = [[microseconds(program) for program in programs] for _ in range(REPEATS)]
    ours, theirs = (sorted(column) for column in zip(*pairs))
    medians = [statistics.median(times) for times in (ours, theirs)]
    spread = max((times[-REPEATS // 5] - times[REPEATS // 5]) / median for times, median in zip((ours, theirs), medians))
    ratio = medians[0] / medians[1]
    row = {"name": "first launch of a program", "unit": "us", "ours": round(medians[0], 2), "theirs": round(medians[1], 2),
           "ratio": round(ratio, 4), "bar": f"<= {BAR}", "met": ratio <= BAR, "repeats": REPEATS, "spread": round(spread, 4)}
    pathlib.Path(output).write_text(json.dumps({"rows": [row]}))


if __name__ == "__main__":
    main()

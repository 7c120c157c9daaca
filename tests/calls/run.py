#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the wrong uses of misuse.cu and their right twins:  run.py PROGRAM [--gpu]

PROGRAM is misuse.cu, compiled with checks. A wrong use must end with its report, a right one with success and a result
in each thread. --gpu runs also the uses that need a GPU. Exit status 1: a line for each use that differs."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).with_name("misuse.cu")


def expectations(text):
    """Returns {use: (needs a GPU, pattern of its report)}. Line numbers replace the marks {A} and
    {B} in the patterns."""
    found = {}
    kernel = re.compile(r"^(// GPU\n)?// REPORT (\w+): ([^\n]*(?:\n//   [^\n]*)*)\nKERNEL\(\2\) \{\n(.*?)^\}",
                        re.M | re.S)
    for match in kernel.finditer(text):
        first = text.count("\n", 0, match.start(4)) + 1
        pattern = match[3].replace("\n//  ", "")
        for number, line in enumerate(match[4].splitlines(), first):
            mark = re.search(r"// ([A-Z])$", line)
            if mark:
                pattern = pattern.replace(f"{{{mark[1]}}}", str(number))
        found[match[2]] = match[1] is not None, r"cohort: \S*misuse\.cu:" + pattern
    return found


def run(program, use, side):
    finished = subprocess.run([program, use, side], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "COHORT_WORKERS": "2"})
    return finished.returncode, finished.stdout


def differences(program, use, pattern):
    """Returns a sentence for each run of a use that differs from the expectation."""
    status, printed = run(program, use, "right")
    if status != 0 or printed != "cudaSuccess\n":
        yield f"{use}: the right twin ends with {status} and prints:\n{printed}"
    status, printed = run(program, use, "wrong")
    reports = re.findall(r"^cohort: .*$", printed, re.M)
    if status != 1 or len(reports) != 1 or not re.match(pattern, reports[0]):
        yield f"{use}: expected one report {pattern}\n  exit status {status}, printed:\n{printed}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--gpu", action="store_true")
    arguments = parser.parse_args()
    expected = expectations(SOURCE.read_text(encoding="utf-8"))
    names = subprocess.run([arguments.program, "list"], capture_output=True, text=True, check=True).stdout.split()
    if sorted(names) != sorted(expected):
        sys.exit(f"run.py: the program has other uses than the source: {sorted(set(names) ^ set(expected))}")
    uses = [(name, pattern) for name, (needs_gpu, pattern) in expected.items() if arguments.gpu or not needs_gpu]
    with concurrent.futures.ThreadPoolExecutor(1 if arguments.gpu else 2) as pool:
        found = [line for lines in pool.map(lambda use: list(differences(arguments.program, *use)), uses)
                 for line in lines]
    print("\n".join(found + [f"{len(uses)} uses, {len(found)} findings"]))
    return 1 if found or not uses else 0


sys.exit(main())

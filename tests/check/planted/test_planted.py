# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each case of a program of planted defects: planted.hpp has the form of its source.

The checker must find the defect of each case at a marked line, with the phrase of the case, and nothing at another
line. An access that reaches an inaccessible page ends the launch instead: its report must name line, phrase and the
allocation's place. A corrected twin must have no report at all."""

import json
import os
import re
import subprocess
import sys

program, source = sys.argv[1:3]
# Findings that fail the launch, with CUDA's error.
FAILING = {"misaligned": "cudaErrorMisalignedAddress", "host memory": "cudaErrorIllegalAddress"}


def marked_lines():
    result = {}
    for number, line in enumerate(open(source, encoding="utf-8"), 1):
        if found := re.search(r"// here: (.+)$", line):
            for name in found[1].split():
                result.setdefault(name, set()).add(number)
    return result


def lines_in(text):
    return {int(number) for number in re.findall(re.escape(os.path.basename(source)) + r":(\d+)", text)}


def problem_of(name, phrase, lines, workers):
    environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers)

    def run(kind):
        return subprocess.run([program, name, kind], capture_output=True, text=True, timeout=60, check=False, env=environment)
    right, wrong = run("corrected"), run("defect")
    if right.returncode != 0 or right.stdout != "cudaSuccess\n" or right.stderr:
        return f"the corrected twin: status {right.returncode}, {right.stdout}{right.stderr}"
    findings = [json.loads(line) for line in wrong.stderr.splitlines() if line.startswith("{")]
    failure = "\n".join(line for line in wrong.stderr.splitlines() if not line.startswith("{"))
    places = [each["place"] if each["problem"] == "leak" else each["access"]["place"] for each in findings]
    if elsewhere := [place for place in places if not lines_in(place) & lines]:
        return f"findings at {elsewhere}, expected in {sorted(lines)}"
    for problem, error in FAILING.items():
        if any(each["problem"] == problem for each in findings) and wrong.stdout != error + "\n":
            return f"{problem} did not fail the launch: {wrong.stdout}"
    texts = [each.get("memory", str(each.get("bytes"))) for each in findings]
    ended = lines & lines_in(failure) and phrase in failure and "allocated at " in failure
    if not any(phrase in text for text in texts) and not ended:
        return f"not found: status {wrong.returncode}, {wrong.stdout}{wrong.stderr}"
    return ""


def main():
    marks = marked_lines()
    cases = [line.split("|") for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()]
    if {name for name, _ in cases} != set(marks):
        sys.exit(f"cases and marks differ in {set(marks) ^ {name for name, _ in cases}}")
    problems = [f"{name}, {workers} workers: {problem}" for name, phrase in cases for workers in ("1", "3")
                if (problem := problem_of(name, phrase, marks[name], workers))]
    sys.exit("\n".join(problems) or 0)


main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of planted defects of pipelines, and compares what they report with expected.txt.

  test_planted_pipelines.py COHORTCC LEVEL...

Each case runs with one worker and with three. A defect must report what expected.txt has and no other finding; its
corrected twin must report nothing, and compute the right numbers."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ENDS = ("deadlock", "failure")  # problems that end a launch


def marks_of(program):
    """{mark: line} of a program; the mark `header` stands for all places in pipeline.hpp."""
    lines = enumerate(open(f"{FOLDER}/{program}.cu", encoding="utf-8"), 1)
    found = {found[1]: number for number, line in lines if (found := re.search(r"// @(\w+)", line))}
    return {**found, "header": 0}


def expectations():
    """{(program, case): [(problem, lines or phrase, whether each level reports it)]}"""
    result = collections.defaultdict(list)
    for text in open(f"{FOLDER}/expected.txt", encoding="utf-8"):
        if text.startswith("#"):
            continue
        name, problem, detail = (part.strip() for part in text.split("|"))
        program, case = name.split()
        is_certain = not problem.startswith("(")
        problem = problem.strip("()")
        if problem not in ENDS:
            marks = marks_of(program)
            detail = tuple(sorted(marks[mark] for mark in detail.split()))
        result[program, case].append((problem, detail, is_certain))
    return result


def findings_of(text, program):
    """Reads the set of (problem, lines in the program) from a report."""
    result = set()
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        found = json.loads(line)
        places = [found[side]["place"] for side in ("first", "second", "access") if side in found]
        problem = found["title"] if found["check"] == "sync" else found.get("problem") or found["check"]
        lines = [re.match(rf"{program}\.cu:(\d+) ", place) for place in places]
        result.add((problem, tuple(sorted(int(line[1]) if line else 0 for line in lines))))
    return result


def problems_of_run(binary, program, case, kind, workers, wanted):
    environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers, COHORT_TIMEOUT="20")
    done = subprocess.run([binary, case, kind], capture_output=True, text=True, timeout=200, check=False,
                          env=environment)
    ends = [each for each in wanted if each[0] in ENDS]
    certain_ends = [each for each in ends if each[2]]
    if done.returncode != 0 if not ends else done.returncode == 0 and certain_ends:
        yield f"status {done.returncode}: {done.stdout}{done.stderr}"
    for problem, phrase, _ in certain_ends:
        if f"cohort: {problem} in kernel" not in done.stderr or phrase not in " ".join(done.stderr.split()):
            yield f"no {problem} with '{phrase}': {done.stderr}"
    if not ends and done.stdout != f"{case}: no error\n":
        yield f"printed {done.stdout}"
    findings = [each for each in wanted if each[0] not in ENDS]
    possible = {(problem, lines) for problem, lines, _ in findings}
    certain = {(problem, lines) for problem, lines, is_certain in findings if is_certain}
    found = findings_of(done.stderr, program)
    if not certain <= found <= possible:
        yield f"found {sorted(found)}, expected {sorted(certain)}, perhaps {sorted(possible - certain)}"


def problems_of(cohortcc, level, folder):
    programs = {}
    for (program, case), wanted in expectations().items():
        if program not in programs:
            programs[program] = f"{folder}/{program}{level}"
            subprocess.run([cohortcc, "-g", "-w", level, "-arch=sm_90a", "--check=all", f"-I{FOLDER}/../planted_sync",
                            f"{FOLDER}/{program}.cu", "-o", programs[program]], check=True)
        for workers in ("1", "3"):
            for kind, expected in (("defect", wanted), ("twin", [])):
                for problem in problems_of_run(programs[program], program, case, kind, workers, expected):
                    yield f"{program} {case} {kind}, {level}, {workers} workers: {problem}"
    for program, binary in programs.items():
        names = set(subprocess.run([binary], capture_output=True, text=True, check=False).stdout.split())
        if unlisted := names ^ {case for owner, case in expectations() if owner == program}:
            yield f"{program}: the cases {sorted(unlisted)} are only in one of the program and expected.txt"


def main():
    cohortcc, *levels = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit("\n".join(problem for level in levels for problem in problems_of(cohortcc, level, folder)) or 0)


main()

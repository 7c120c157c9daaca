# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of planted synchronisation defects, and compares their findings with expected.txt.

  test_planted_sync.py COHORTCC OPTION...

Each option is a level and a kind of check, as `-O0,all`. Each case runs with one worker and with three. A defect must
have the findings of expected.txt and no other one; its corrected twin must have none."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
CHECK_OF = {"race": "race", "unwritten": "memory"}  # checks that find these problems; --check=sync finds all others


def marks_of(program):
    """{"case.mark": line}"""
    lines = enumerate(open(f"{FOLDER}/{program}.cu", encoding="utf-8"), 1)
    return {found[1]: number for number, line in lines if (found := re.search(r"// @([\w.]+)", line))}


def expectations():
    """{(program, case): {(problem, lines, calls): count}}"""
    result = collections.defaultdict(dict)
    for text in open(f"{FOLDER}/expected.txt", encoding="utf-8"):
        if text.startswith("#"):
            continue
        (name, problem, lines, count, calls) = [part.strip() for part in (text + "|").split("|")][:5]
        program, case = name.split()
        marks = marks_of(program)
        numbers = [tuple(sorted(marks[f"{case}.{mark}"] for mark in part.split())) for part in (lines, calls)]
        result[program, case][problem, *numbers] = int(count)
    return result


def line_in(place):
    return int(re.match(r"\w+\.cu:(\d+) ", place)[1])


def findings_of(text):
    """{(problem, lines, calls): count}"""
    result = collections.Counter()
    for line in text.splitlines():
        found = json.loads(line)
        sides = [found[side] for side in ("first", "second", "access") if side in found]
        problem = found["title"] if found["check"] == "sync" else found.get("problem") or found["check"]
        lines = tuple(sorted(line_in(side["place"]) for side in sides))
        calls = tuple(sorted(line_in(side["called_at"]) for side in sides if "called_at" in side))
        result[problem, lines, calls] += found["count"]
    return dict(result)


def run(binary, case, kind, workers):
    environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS=workers)
    done = subprocess.run([binary, case, kind], capture_output=True, text=True, timeout=100, check=False, env=environment)
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stdout}{done.stderr}"
    return findings_of(done.stderr)


def problems_of(cohortcc, option, folder):
    level, check = option.split(",")
    programs = {}
    for (program, case), wanted in expectations().items():
        if program not in programs:
            programs[program] = f"{folder}/{program}{level}"
            subprocess.run([cohortcc, "-g", level, f"--check={check}", f"{FOLDER}/{program}.cu", "-o", programs[program]],
                           check=True)
        chosen = {key: count for key, count in wanted.items() if check in ("all", CHECK_OF.get(key[0], "sync"))}
        for workers in ("1", "3"):
            for kind, expected in (("defect", chosen), ("twin", {})):
                found = run(programs[program], case, kind, workers)
                if found != expected:
                    yield f"{program} {case} {kind}, {option}, {workers} workers: found {found}, expected {expected}"
    for program, binary in programs.items():
        names = set(subprocess.run([binary], capture_output=True, text=True, check=False).stdout.split())
        if unlisted := names ^ {case for owner, case in expectations() if owner == program}:
            yield f"{program}: the cases {sorted(unlisted)} are only in one of the program and expected.txt"


def main():
    cohortcc, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit("\n".join(problem for option in options for problem in problems_of(cohortcc, option, folder)) or 0)


main()

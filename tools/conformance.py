#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the statements of tests/conformance/statements.txt with the results of the suite's last run.

  conformance.py ROOT --results MACHINE=FOLDER --write    writes docs/conformance.md
  conformance.py ROOT --results MACHINE=FOLDER --check    compares docs/conformance.md with what --write would write
  conformance.py ROOT --results MACHINE=FOLDER --keep     writes the results to tests/conformance/results/MACHINE.json

FOLDER holds the JSON results of the programs of tests/conformance (--gtest_output=json:FOLDER/NAME.json). A machine can
have several folders, one for each build; then the worst result of each test counts. A test names its statements in the
property `conforms`. A statement passes on a machine if all its tests ran and passed there. A statement with a skipped
test counts as not tested. The page also contains the kept results of other machines, for tests that still exist. Results
kept with --other belong to another implementation, and the page lists only its failures.
The exit status is 1, with a sentence for each problem, if anything is wrong."""

import argparse
import json
import pathlib
import re
import sys

TESTED = ("tested", "extended")
OTHER = ("platform", "history", "performance")
RESULTS = "tests/conformance/results"
MOST_OTHERS = 20

SECTIONS = [
    ("C.2.", "General"), ("C.3.", "General"), ("C.4.1.", "Implicit groups"), ("C.4.2.1.", "thread_block_tile"),
    ("C.4.2.2.", "coalesced_group"), ("C.5.", "Partitions"), ("C.6.1.", "Synchronisation and data movement"),
    ("C.6.2.", "Synchronisation and data movement"), ("C.6.3.", "Reductions and scans"), ("C.7.", "Grid"),
    ("C.8.", "Several devices"), ("R1.", "Reductions, step by step"), ("E2.", "The first edition"),
    ("N3.", "Notes on tiles"), ("W4.", "The thread hierarchy"), ("D.", "Defects of the headers of CUDA 13.0")]


class Statement:
    def __init__(self, number, kind, text, reason):
        self.number, self.kind, self.text, self.reason = number, kind, text, reason

    def section(self):
        return next((title for prefix, title in SECTIONS if self.number.startswith(prefix)), None)


def read_statements(text):
    """Parses statements.txt. Returns (statements, problems)."""
    statements, problems, seen = [], [], set()
    for count, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) < 3:
            problems.append(f"line {count}: a statement needs a number, a class and a text: {line}")
            continue
        statement = Statement(fields[0], fields[1], fields[2], fields[3] if len(fields) > 3 else "")
        if statement.kind not in TESTED + OTHER:
            problems.append(f"{statement.number}: '{statement.kind}' is no class")
        if (statement.kind in OTHER) != bool(statement.reason):
            problems.append(f"{statement.number}: a reason belongs to the classes {', '.join(OTHER)} and only there")
        if statement.number in seen:
            problems.append(f"{statement.number} is there twice")
        if statement.section() is None:
            problems.append(f"{statement.number} belongs to no section")
        seen.add(statement.number)
        statements.append(statement)
    others = sum(statement.kind in OTHER for statement in statements)
    if others > MOST_OTHERS:
        problems.append(f"{others} statements are not tested by their class; at most {MOST_OTHERS} may be")
    return statements, problems


def read_results(programs):
    """Returns [(test, numbers, result)] of programs, {name: parsed JSON}. A result is pass, fail or skipped: REASON."""
    tests = []
    for program, run in sorted(programs.items()):
        for suite in run.get("testsuites", []):
            for case in suite.get("testsuite", []):
                if case.get("failures"):
                    result = "fail"
                elif case.get("result") != "COMPLETED" or case.get("status") != "RUN":
                    result = "skipped" + reason_of(case)
                else:
                    result = "pass"
                tests.append((f"{program}: {suite['name']}.{case['name']}", case.get("conforms", "").split(), result))
    return tests


def read_programs(folder):
    """Returns {program: parsed JSON}; the file PROGRAM.N.json has the results of a piece of a program."""
    programs = {}
    for path in sorted(folder.glob("*.json")):
        run = json.loads(path.read_text())
        programs.setdefault(path.stem.split(".")[0], {"testsuites": []})["testsuites"] += run.get("testsuites", [])
    return programs


def reason_of(case):
    """Returns the message of GTEST_SKIP(), without its source location."""
    messages = [message["message"].split("\n", 1)[-1].strip() for message in case.get("skipped", [])]
    return ": " + " ".join(" ".join(messages).split()) if messages else ""


def is_skipped(result):
    return result.startswith("skipped")


def worst(runs):
    """Returns one result of each test over several builds: fail outweighs pass, and pass outweighs skipped."""
    severity = {"skipped": 0, "pass": 1, "fail": 2}
    found = {}
    for test, numbers, result in (each for run in runs for each in run):
        before = found.get(test, (numbers, result))
        found[test] = (numbers, max(before[1], result, key=lambda one: severity[one.partition(":")[0]]))
    return [(test, *rest) for test, rest in found.items()]


def keep(root, machine, tests, other=False):
    """Writes the results of a machine to a file, for pages that are written on other machines."""
    path = root / RESULTS / (re.sub(r"[^a-z0-9]+", "-", machine.lower()).strip("-") + ".json")
    path.parent.mkdir(exist_ok=True)
    rows = ",\n".join(f"    {json.dumps(test)}: {json.dumps(result)}" for test, _, result in sorted(tests))
    path.write_text(f'{{\n  "machine": {json.dumps(machine)},\n  "other": {json.dumps(other)},\n  "tests": {{\n{rows}\n  }}\n}}\n')
    return path


def read_kept(text, present):
    """Parses a file of keep(). Returns (machine, other, tests), with the statement numbers from the tests in `present`."""
    kept = json.loads(text)
    numbers = {test: numbers for test, numbers, _ in present}
    return kept["machine"], kept["other"], [(test, numbers[test], result) for test, result in sorted(kept["tests"].items())
                                            if test in numbers]


def result_of(results):
    """Returns the result of a statement on one machine from the results of its tests."""
    if "fail" in results:
        return "fail"
    return "pass" if results and all(result == "pass" for result in results) else "not tested"


def join(statements, machines):
    """Returns ({number: (tests, {machine: result})}, problems) for machines, {name: tests}."""
    joined, problems = {}, []
    known = {statement.number: statement for statement in statements}
    for tests in machines.values():
        for test, numbers, _ in tests:
            for number in numbers:
                if number not in known:
                    problems.append(f"{test} names {number}, which is no statement")
                elif known[number].kind in OTHER:
                    problems.append(f"{test} names {number}, whose class is {known[number].kind}")
    for statement in statements:
        names, results = [], {}
        for machine, tests in machines.items():
            mine = [(test, result) for test, numbers, result in tests if statement.number in numbers]
            names += [test for test, _ in mine if test not in names]
            results[machine] = result_of([result for _, result in mine])
        joined[statement.number] = (names, results)
        if statement.kind in TESTED and not names:
            problems.append(f"{statement.number} is {statement.kind}, but no test carries the number: {statement.text}")
    return joined, problems


def counts(statements, joined, machine):
    results = [joined[s.number][1][machine] for s in statements if s.kind in TESTED]
    others = sum(s.kind in OTHER for s in statements)
    return results.count("pass"), results.count("fail"), results.count("not tested"), others


def document(statements, joined, machines, beside=None):
    lines = ["# Conformance", "",
             "This page lists the statements of CUDA's programming guide about Cooperative Groups, the defects of",
             "CUDA 13.0's headers, and the tests that prove Cohort's behaviour. `tools/conformance.py` makes the page",
             "from [statements.txt](../tests/conformance/statements.txt) and from a run of the tests, after",
             "`ctest --preset release -L conformance`:",
             "",
             "    tools/conformance.py . --results CPU=build/conformance --write",
             "",
             "- *tested*: at least one test carries the number of the statement.",
             "- *extended*: CUDA forbids the use or leaves it undefined; a test proves Cohort's wider rule.",
             "- *platform*, *history*, *performance*: not tested; the last column has the reason.",
             "",
             "A skipped test counts as not tested; the last section gives the reason. The sources use CUDA's names",
             "only, so the tests also run on another machine or with another implementation. Exceptions are `extended`,",
             "`cluster`, `order`, `header_defects`, `large_grids`, `random_groups` and `random_launches`, which test",
             "Cohort's extensions.",
             "",
             "| machine | statements | pass | fail | not tested | not tested, by class |", "| --- | --- | --- | --- | --- | --- |"]
    for machine in machines:
        passed, failed, untested, others = counts(statements, joined, machine)
        lines.append(f"| {machine} | {len(statements)} | {passed} | {failed} | {untested} | {others} |")
    section = None
    for statement in statements:
        if statement.section() != section:
            section = statement.section()
            lines += ["", f"## {section}", "", "| number | statement | class | test | machine | result |",
                      "| --- | --- | --- | --- | --- | --- |"]
        names, results = joined[statement.number]
        text = escaped(statement.text)
        if statement.kind in OTHER:
            lines.append(f"| {statement.number} | {text} | {statement.kind} | | | {statement.reason} |")
            continue
        tests = "<br>".join(f"`{name}`" for name in names)
        lines.append(f"| {statement.number} | {text} | {statement.kind} | {tests} | {'<br>'.join(results)} | "
                     f"{'<br>'.join(results.values())} |")
    return "\n".join(lines + skips(machines) + failures(statements, beside or {})) + "\n"


def failures(statements, others):
    """Returns the sections of other implementations, which list the statements that fail there."""
    lines = []
    for machine, tests in others.items():
        joined, _ = join(statements, {machine: tests})
        failed = [statement for statement in statements if joined[statement.number][1][machine] == "fail"]
        passed = sum(result == {machine: "pass"} for _, result in joined.values())
        lines += ["", f"## {machine}", "",
                  f"The same tests with this header instead of Cohort's: {passed} statements pass, {len(failed)} fail. A test that "
                  "does not compile or link with it fails.", "", "| number | statement | class | tests that fail |",
                  "| --- | --- | --- | --- |"]
        for statement in failed:
            names = [f"`{test}`" for test, numbers, result in tests if statement.number in numbers and result == "fail"]
            lines.append(f"| {statement.number} | {escaped(statement.text)} | {statement.kind} | {'<br>'.join(names)} |")
    return lines


def escaped(text):
    return re.sub(r"([<>*_])", r"\\\1", text)


def skips(machines):
    """Returns the last section: the skipped tests and the reasons."""
    reasons = {}
    for machine, tests in machines.items():
        for test, _, result in tests:
            if is_skipped(result):
                reason = result.partition(": ")[2] or "the test prints no reason"
                reasons.setdefault((machine, reason), []).append(f"`{test}`")
    if not reasons:
        return []
    return ["", "## Skipped", "", "[gpu.md](gpu.md) explains what differs on a GPU.", "",
            "| machine | reason | tests |", "| --- | --- | --- |",
            *[f"| {machine} | {reason} | {'<br>'.join(tests)} |" for (machine, reason), tests in reasons.items()]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--results", action="append", required=True, metavar="MACHINE=FOLDER")
    parser.add_argument("--programs", default="", help="names that must have results, separated by commas")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true")
    action.add_argument("--check", action="store_true")
    action.add_argument("--keep", action="store_true")
    parser.add_argument("--other", action="store_true", help="what is kept is another implementation's")
    options = parser.parse_args()

    statements, problems = read_statements((options.root / "tests/conformance/statements.txt").read_text())
    machines, others = {}, {}
    for each in options.results:
        machine, _, folder = each.partition("=")
        programs = read_programs(pathlib.Path(folder))
        expected = [name for name in options.programs.split(",") if name]
        problems += [f"{folder} has no results of {name}" for name in expected if name not in programs]
        tests = read_results({name: run for name, run in programs.items() if not expected or name in expected})
        machines[machine] = worst([machines.get(machine, []), tests])
    if options.keep:
        for machine, tests in machines.items():
            print(f"{keep(options.root, machine, tests, options.other)}: {len(tests)} tests, "
                  f"{sum(result == 'fail' for _, _, result in tests)} failed")
        return 0
    present = next(iter(machines.values()))
    for path in sorted((options.root / RESULTS).glob("*.json")):
        machine, other, tests = read_kept(path.read_text(), present)
        (others if other else machines)[machine] = tests
    joined, more = join(statements, machines)
    problems += more

    target = options.root / "docs" / "conformance.md"
    page = document(statements, joined, machines, others)
    if options.write:
        target.write_text(page)
    elif not target.exists() or target.read_text() != page:
        problems.append("docs/conformance.md is not what this run gives: make it again with --write")
        before = target.read_text().split("\n") if target.exists() else []
        after = page.split("\n")
        problems += ["  is:     " + line for line in before if line not in after][:10]
        problems += ["  should: " + line for line in after if line not in before][:10]
    for machine, tests in machines.items():
        passed, failed, untested, others = counts(statements, joined, machine)
        skipped = sum(is_skipped(result) for _, _, result in tests)
        print(f"{machine}: {len(statements)} statements: {passed} pass, {failed} fail, {untested} not tested, "
              f"{others} not tested by their class; {len(tests)} tests, {skipped} skipped")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

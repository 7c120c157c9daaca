# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports in the output of a program, as text or as JSON objects, one on a line.

A report becomes a dictionary: `kind`, `title`, `text`, `known`, `kernel`, `grid`, `block_dim`, and what a page draws:
`blocks` with the state of their threads, and `accesses`."""

import json
import re

import order
import report_json
from states import classify, new_report

TRIPLE = r"\((\d{1,10}), ?(\d{1,10}), ?(\d{1,10})\)"
HEADING = re.compile(rf"^cohort: (?P<kind>[a-z -]+?) in kernel (?P<kernel>.*) <<<{TRIPLE}, {TRIPLE}>>>")
SIDE = rf"(?:kernel (.*?) <<<{TRIPLE}, {TRIPLE}>>>|a copy|a fill|a host function|the host)"
BETWEEN = re.compile(rf"^cohort: race between {SIDE} and {SIDE}")
BLOCK = re.compile(rf"^  block {TRIPLE}, (\d{{1,4}}) threads?:$")
STATE = re.compile(r"^    (\d{1,4}) threads?: (.*)$")
THREADS = re.compile(r"^      threads? ([-0-9, ]+)(\.\.\. \((\d+) in all\))?")
FAILED = re.compile(rf"^  (?:(?:one of )?threads? (?P<threads>{TRIPLE}|[-0-9, ]+)|a thread) of block "
                    rf"(?P<block>{TRIPLE})(?:,? ran)?(?:, at (?P<place>.*))?$")
ACCESS = re.compile(r"^  (?P<kind>(?:(?:asynchronous|volatile) )?(?:write|read)|atomic (?:update|read)(?: \(block scope\))?|"
                    r"wait|arrival|asynchronous copy|pointer use)"
                    r"(?: of (?P<bytes>\d+) bytes?)? by (?P<thread>.*?)(?:, at (?P<place>.*?))?,?$")
LAUNCHED = re.compile(r"^  launched at (.*)$")
ASSERTION = re.compile(r": block: \[\d+,\d+,\d+\], thread: \[\d+,\d+,\d+\] Assertion `")
MOST_REPORTS = 200
MOST_LINES = 2000  # lines that one report may have
LONGEST_LINE = 4000  # characters of a line that are read: some lines would take the patterns quadratic time


def numbers(groups):
    return [int(group) for group in groups]


def read_ranges(text):
    """[[0, 3], [5, 5]] of "0-3, 5"."""
    ranges = []
    for part in re.findall(r"(\d{1,4})(?:-(\d{1,4}))?", text):
        first, last = int(part[0]), int(part[1] or part[0])
        if first <= last < 1024:
            ranges.append([first, last])
    return ranges


def split_reports(lines):
    """Lists of lines: a heading at the left margin, then indented lines. Other output of the program is dropped."""
    current = None
    for line in lines:
        if line.startswith("cohort: ") or (line.startswith('{"') and report_json.is_report(line)) or ASSERTION.search(line):
            if current:
                yield current
            current = [line]
        elif current and line.startswith("  ") and line.strip():
            if len(current) < MOST_LINES:
                current.append(line)
        elif current:
            yield current
            current = None
    if current:
        yield current


def read_heading(line, report):
    """Returns the kernel and the shape of a block of each side, if the heading names two sides."""
    if match := HEADING.match(line):
        shape = numbers(match.groups()[-6:])
        report.update(known=True, kernel=match["kernel"], grid=shape[:3], block_dim=shape[3:], kind=match["kind"])
    elif match := BETWEEN.match(line):
        sides = [match.groups()[first:first + 7] for first in (0, 7)]
        report.update(known=True, kind="race", kernel=sides[1][0] or sides[0][0])
        return [{"kernel": side[0], "block": numbers(side[4:]) if side[0] else None} for side in sides]
    return []


def read_body(lines, report, sides):
    block = state = None
    for line in lines:
        if match := BLOCK.match(line):
            values = numbers(match.groups())
            block = {"block": values[:3], "threads": min(values[3], 1024), "states": []}
            report["blocks"].append(block)
        elif block and (match := STATE.match(line)):
            state = classify(match[2])
            state.update(count=int(match[1]), threads=[])
            block["states"].append(state)
        elif block and state and (match := THREADS.match(line)):
            state["threads"] = read_ranges(match[1])
            state["complete"] = not match[2]
        elif match := ACCESS.match(line):
            side = sides[len(report["accesses"])] if len(report["accesses"]) < len(sides) else {}
            report["accesses"].append(report_json.new_access({**match.groupdict(), **side}))
        elif (match := LAUNCHED.match(line)) and report["accesses"]:
            report["accesses"][-1]["launched"] = match[1]
        elif match := FAILED.match(line):
            report["accesses"].append(report_json.new_access(
                {"kind": "failed" if "ran" not in line.split(", at ")[0] else "ran", "bytes": None, "place": match["place"],
                 "thread": f"thread {match['threads'] or '?'} of block {match['block']}"}))
        elif line is lines[0]:
            report["sentence"] = line.strip()
        elif line.startswith("  the program goes on; "):
            pass  # the page shows no sentence about the process
        elif "; it would be ordered by " in line:
            report["remedy"] = line.split("; it would be ordered by ", 1)[1]
        elif not block and report["facts"] and report["facts"][-1].endswith(","):
            report_json.add_fact(report, report["facts"].pop() + " " + line.strip())
        elif not block:
            report_json.add_fact(report, line.strip())


def read_lines(lines):
    report = new_report(lines[0][8:] if lines[0].startswith("cohort: ") else lines[0], "\n".join(lines))
    if ASSERTION.search(lines[0]):
        report.update(kind="assertion", known=True)
        return report
    lines = [line[:LONGEST_LINE] for line in lines]
    sides = read_heading(lines[0], report)
    if report["known"]:
        read_body(lines[1:], report, sides)
    return report


def from_json(value):
    if "check" in value:
        return report_json.from_check(value)
    return order.from_order(value) if "order" in value else from_engine(value)


def read(text):
    if order.is_file(text):
        try:
            return [order.from_order(json.loads(text))]
        except (ValueError, RecursionError):
            pass  # other output follows the order: its lines are read one by one
    reports = []
    for lines in split_reports(line.rstrip("\r") for line in text.split("\n")):
        if len(reports) == MOST_REPORTS:
            last = new_report("further reports", f"Only the first {MOST_REPORTS} reports of the input are shown.")
            reports.append(last)
            break
        if lines[0].startswith('{"'):
            reports.append(from_json(json.loads(lines[0])))
        else:
            reports.append(read_lines(lines))
    return reports


def from_engine(value):
    """A report of COHORT_REPORT=json: the text, and the threads of each state in full."""
    text = value["report"] if isinstance(value["report"], str) else json.dumps(value)
    report = read_lines(text.rstrip("\n").split("\n"))
    blocks = report_json.blocks_of(value)
    if blocks:
        report["blocks"] = blocks
    return report

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program and checks its exit status and its output:

  check_output.py [--status N] [--match REGEX]... [--equal FILE] -- COMMAND [ARGUMENT...]

--status N     the expected exit status, 0 by default; `failure` accepts every status from 1 to 127
--match REGEX  must occur in stdout and stderr together; `.` matches a line break too
--equal FILE   stdout must equal the file

A program that a signal ends never passes. CTest's PASS_REGULAR_EXPRESSION ignores the exit status, and the status of a
pipe is that of its last command; tests use this runner instead (CMake: cohort_add_output_test)."""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77  # status of a program that prints `skipped: <reason>`; such tests have SKIP_RETURN_CODE


def problems(options, status, stdout, output):
    """Returns a sentence for each expectation that the run does not meet."""
    if options.status == "failure":
        if not 1 <= status <= 127:
            yield f"exit status {status}, expected a failure (1 to 127)"
    elif status != int(options.status):
        yield f"exit status {status}, expected {options.status}"
    for regex in options.match:
        if not re.search(regex, output, re.S):
            yield f"the output does not match {regex!r}"
    if options.equal:
        expected = options.equal.read_text(encoding="utf-8")
        if stdout != expected:
            lines = difflib.unified_diff(expected.splitlines(True), stdout.splitlines(True), "expected", "stdout")
            yield "stdout differs:\n" + "".join(lines)


def run(command, separate):
    """Exit status (negative for a signal), stdout, and stdout with stderr in the order of writing."""
    with tempfile.TemporaryFile() as errors:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=errors if separate else subprocess.STDOUT, check=False)
        errors.seek(0)
        stdout = result.stdout.decode(errors="replace")
        return result.returncode, stdout, stdout + errors.read().decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--status", default="0")
    parser.add_argument("--match", action="append", default=[])
    parser.add_argument("--equal", type=pathlib.Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if not options.match and not options.equal:
        parser.error("neither --match nor --equal: an exit status alone needs no runner")
    status, stdout, output = run(options.command, separate=options.equal is not None)
    print(output, end="" if output.endswith("\n") else "\n")
    if status == SKIPPED and "skipped: " in stdout:
        return SKIPPED
    found = list(problems(options, status, stdout, output))
    for sentence in found:
        print(f"FAILED: {sentence}")
    return 1 if found else 0


sys.exit(main())

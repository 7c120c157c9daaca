# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the reader's kernel."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

import report_text
from problem import Problem

OPTIONS = ["--check", "-g"]
PROGRAM_SECONDS = 60  # more than COHORT_LAUNCH_LIMIT, because the host's code may have an endless loop, too
REFUSED_VALUE = re.compile(r"^cohort: (\w+=.* is not valid: expected .*)$", re.MULTILINE)
NOTICES = ("warning: ", "note: ")  # lines with these titles are about the process, and say nothing about the kernel
# With one worker, each run reports the same threads. If the reader has set one of these variables, its value is kept.
SETTINGS = {"COHORT_TIMEOUT": "5", "COHORT_LAUNCH_LIMIT": "20", "COHORT_WORKERS": "1"}


class Attempt:
    """The output of the compiler and of the program, and what the check has measured."""

    def __init__(self):
        self.compiler_output = ""
        self.is_compiled = False
        self.output = ""       # the output of the reader's own printf
        self.reports = []      # reports in the form that cohort-view uses
        self.report_lines = ""
        self.results = None    # launches and arrays that the check has recorded; None if the program ended before
        self.end = ""          # how the program was ended, if it did not end normally


def run(puzzle, bin_folder):
    compiler = bin_folder / "cohortcc"
    if not compiler.is_file():
        raise Problem(f"{compiler} does not exist: the puzzles need the compiler (make install, with clang 19)")
    result = Attempt()
    with tempfile.TemporaryDirectory(prefix="cohort-learn-") as folder:
        program = pathlib.Path(folder) / "check"
        compile_check(puzzle, compiler, program, result)
        if result.is_compiled:
            run_check(puzzle, [str(program)], pathlib.Path(folder) / "results.json", result)
    return result


def compile_check(puzzle, compiler, program, result):
    done = subprocess.run([str(compiler), *OPTIONS, "check.cu", "-o", str(program)], cwd=puzzle.copy,
                          encoding="utf-8", errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    result.compiler_output = done.stdout
    result.is_compiled = done.returncode == 0
    if not result.is_compiled and ".cu:" not in done.stdout:  # no place in a source: the compiler itself is the problem
        raise Problem(f"the compiler does not work; `cohort-info --doctor` examines the installation:\n{done.stdout.rstrip()}")


def run_check(puzzle, command, results, result):
    environment = {**SETTINGS, **os.environ, "COHORT_CHECK": "report", "COHORT_REPORT": "text"}
    environment.pop("COHORT_SCHEDULE", None)  # its searches run the program many times
    try:
        done = subprocess.run([*command, str(results)], cwd=puzzle.copy, env=environment, encoding="utf-8",
                              errors="replace", capture_output=True, timeout=PROGRAM_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        result.end = f"The program was ended after {PROGRAM_SECONDS} seconds."
        return
    result.output, result.report_lines = done.stdout, done.stderr
    if refused := REFUSED_VALUE.search(done.stderr):
        raise Problem(refused[1])
    result.reports = [report for report in report_text.read(done.stderr) if not report["title"].startswith(NOTICES)]
    if results.exists():
        try:
            result.results = json.loads(results.read_text(encoding="utf-8", errors="replace"))
        except ValueError as error:
            raise Problem(f"the results of the check are not complete; is the disk of {results.parent} full?") from error
        if not result.results["launches"]:
            result.end = "The check has made no launch."
    else:
        result.end = (f"The program was ended by signal {-done.returncode}." if done.returncode < 0 else
                      f"The program ended with status {done.returncode} before its check was complete.")

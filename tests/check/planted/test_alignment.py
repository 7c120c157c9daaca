# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each case of alignment.cu, compiled without --check and without optimization.

The defect of each case fails its launch with CUDA's error at a marked line, and the corrected twin succeeds."""

import os
import re
import subprocess
import sys

program, source = sys.argv[1:3]


def problem_of(name, lines):
    def run(kind):
        return subprocess.run([program, name, kind], capture_output=True, text=True, timeout=60, check=False)
    right, wrong = run("corrected"), run("defect")
    if right.returncode != 0 or right.stdout != "cudaSuccess\n" or right.stderr:
        return f"the corrected twin: status {right.returncode}, {right.stdout}{right.stderr}"
    named = {int(number) for number in re.findall(re.escape(os.path.basename(source)) + r":(\d+)", wrong.stderr)}
    if wrong.stdout != "cudaErrorMisalignedAddress\n" or not named & lines:
        return f"status {wrong.returncode}, {wrong.stdout}{wrong.stderr}"
    return ""


def main():
    marks = {}
    for number, line in enumerate(open(source, encoding="utf-8"), 1):
        if found := re.search(r"// here: (.+)$", line):
            for name in found[1].split():
                marks.setdefault(name, set()).add(number)
    sys.exit("\n".join(f"{name}: {problem}" for name, lines in marks.items() if (problem := problem_of(name, lines))) or 0)


main()

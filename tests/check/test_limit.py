# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program whose launch COHORT_LAUNCH_LIMIT ends while its thread is in the checker: the report must name the line
of the kernel."""

import os
import re
import subprocess
import sys

program, source = sys.argv[1:3]
line = next(number for number, text in enumerate(open(source, encoding="utf-8"), 1) if "// [loop]" in text)
run = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False,
                     env=dict(os.environ, COHORT_LAUNCH_LIMIT="0.2"))
wanted = rf"run for more than 0\.2 s \(COHORT_LAUNCH_LIMIT\)\n  thread .* ran, at limit\.cu:{line} "
if run.returncode != 0 or not re.search(wanted, run.stderr):
    sys.exit(f"status {run.returncode}, no {wanted!r} in\n{run.stderr}")

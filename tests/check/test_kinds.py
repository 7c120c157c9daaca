# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with a list of kinds, `--check=race,sync`: it has findings of these kinds alone, one
in the kernel of each kind's name."""

import json
import os
import subprocess
import sys

program, kinds = sys.argv[1], sys.argv[3].split(",")
# Guard pages are off, because they could end the launch of the wrong access.
environment = dict(os.environ, COHORT_CHECK="json", COHORT_WORKERS="1", COHORT_GUARD="off")
run = subprocess.run([program], capture_output=True, text=True, timeout=100, check=False, env=environment)
if run.returncode != 0 or run.stdout != "no error\n":
    sys.exit(f"status {run.returncode}, {run.stdout}{run.stderr}")
found = [json.loads(line) for line in run.stderr.splitlines()]
expected = sorted({"race", "memory", "sync"} if "all" in kinds else set(kinds))
if sorted(each["check"] for each in found) != expected or any(each["check"] != each["kernel"] for each in found):
    sys.exit(f"expected a finding of each of {expected}, found {run.stderr}")

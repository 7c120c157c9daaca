# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with a race that was compiled with --check. With COHORT_CHECK=fail its calls return an error, and with
COHORT_CHECK=report they succeed; both print the same report. Without the variable the first report names it. An unknown
value ends the program before its first kernel runs."""

import os
import subprocess
import sys

WANTED = {
    "launch": ["719\n", "cohort: race in kernel neighbours <<<(1, 1, 1), (32, 1, 1)>>>, found 31 times\n",
               "  write of 4 bytes by thread (", "\n  nothing orders them; it would be ordered by __syncwarp()"],
    "copy": ["719\n", " and a copy, found 1 time\n", "\n  read by a copy, at failing.cu:",
             "it would be ordered by one stream, or an event between the streams\n"],
    "host": ["719\n", "race between kernel write <<<(1, 1, 1), (32, 1, 1)>>> and the host, found 1 time\n",
             "\n  read of 4 bytes by the host, at failing.cu:",
             "it would be ordered by a wait of the host for the stream, an event of it, or the device\n"],
    "none": ["0\n"],
}
CHOICE = "  the program goes on; COHORT_CHECK=fail makes its launches fail\n"
REFUSAL = "cohort: COHORT_CHECK=z is not valid: expected report, fail or json ("


def run_case(program, case, mode):
    environment = {name: value for name, value in os.environ.items() if name != "COHORT_CHECK"} | {"COHORT_WORKERS": "1"}
    if mode:
        environment["COHORT_CHECK"] = mode
    return subprocess.run([program, case], capture_output=True, text=True, timeout=60, check=False, env=environment)


def main():
    problems = []
    for case, (fails, *texts) in WANTED.items():
        for mode, expected in (("fail", fails), ("report", "0\n"), (None, "0\n")):
            run = run_case(sys.argv[1], case, mode)
            if run.stderr.count(CHOICE) != (1 if texts and not mode else 0):
                problems.append(f"{case}, {mode}: the choice is named wrongly\n{run.stderr}")
            missing = [text for text in texts if text not in run.stderr]
            if run.returncode != 0 or run.stdout != expected or missing or bool(texts) != bool(run.stderr):
                problems.append(f"{case}, {mode}: status {run.returncode}, {run.stdout!r}, missing {missing}\n{run.stderr}")
    run = run_case(sys.argv[1], "launch", "z")
    if run.returncode != 2 or run.stdout or not run.stderr.startswith(REFUSAL) or "race" in run.stderr:
        problems.append(f"COHORT_CHECK=z: status {run.returncode}, {run.stdout!r}, {run.stderr!r}")
    sys.exit("\n".join(problems) or 0)


main()

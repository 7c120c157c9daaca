# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program that was compiled with --check and has a race. With COHORT_CHECK=fail its calls return an error and
the report is the text, with COHORT_CHECK=report it ends well with the same text."""

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


def main():
    problems = []
    for case, (fails, *texts) in WANTED.items():
        for mode, expected in (("fail", fails), ("report", "0\n")):
            environment = dict(os.environ, COHORT_CHECK=mode, COHORT_WORKERS="1")
            run = subprocess.run([sys.argv[1], case], capture_output=True, text=True, timeout=60, check=False,
                                 env=environment)
            missing = [text for text in texts if text not in run.stderr]
            if run.returncode != 0 or run.stdout != expected or missing or bool(texts) != bool(run.stderr):
                problems.append(f"{case}, {mode}: status {run.returncode}, {run.stdout!r}, missing {missing}\n{run.stderr}")
    sys.exit("\n".join(problems) or 0)


main()

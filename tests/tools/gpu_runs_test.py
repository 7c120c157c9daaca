#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `tools/gpu_report.py runs` with a program whose rows are known:  gpu_runs_test.py ROOT"""

import pathlib
import stat
import subprocess
import sys
import tempfile

# Run n of the program, from 0, has a row with ratio LOWEST + 0.01 * n; it has failed if n is FAILS.
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, sys
count = pathlib.Path(__file__).with_name("count")
n = int(count.read_text()) if count.exists() else 0
count.write_text(str(n + 1))
lowest, fails, file = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if n == fails:
    sys.exit(3)
ratio = lowest + 0.01 * n
row = {"name": "a sum", "unit": "GB/s", "ours": 4500 * ratio, "theirs": 4500, "ratio": ratio, "bar": ">= 1",
       "met": ratio >= 1, "repeats": 21, "spread": 0}
alone = dict(row, name="a sync", unit="us", ours=2.0 + n, theirs=None, ratio=None, bar="", met=None)
pathlib.Path(file).write_text(json.dumps({"rows": [row, alone]}))
"""


def run(root, number, *options):
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        program.write_text(PROGRAM)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return subprocess.run([sys.executable, "-B", f"{root}/tools/gpu_report.py", "runs", number, str(program), *options],
                              capture_output=True, text=True)


def main():
    root = sys.argv[1]
    cases = [
        (("5", "1.00", "-1"), 0, "a sum: 4500 4590 4680 GB/s, 1.0000 1.0200 1.0400, bar >= 1: met in 5 of 5"),
        (("4", "0.99", "-1"), 1, "a sum: 4455 4522.5 4590 GB/s, 0.9900 1.0050 1.0200, bar >= 1: met in 3 of 4"),
        (("5", "1.00", "-1"), 0, "a sync: 2 4 6 us, no peer, no bar"),
        (("3", "1.00", "1"), 1, "run 2 of"),
        (("0", "1.00", "-1"), 1, "the number of runs is 0"),
    ]
    findings = []
    for arguments, status, text in cases:
        finished = run(root, *arguments)
        if finished.returncode != status or text not in finished.stdout + finished.stderr:
            findings.append(f"{arguments}: status {finished.returncode}, printed:\n{finished.stdout}{finished.stderr}")
    print("\n".join(findings + [f"{len(cases)} cases, {len(findings)} findings"]))
    return 1 if findings else 0


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_kernels.py keeps the numbers that it has compared in a file, and a later run leaves them out."""

import os
import re
import subprocess
import sys
import tempfile

command = sys.argv[sys.argv.index("--") + 1:] + ["--first", "40", "--count", "3", "--batch", "2", "--modes", "model,loops", "--turns", ""]


def compared(*options):
    """The number of kernels that a run reports as compared."""
    result = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    print(result.stdout, result.stderr)
    if result.returncode == 77:
        sys.exit(77)
    return result.returncode, int((re.search(r"^(\d+) kernels in the modes", result.stdout, re.M) or [0, -1])[1])


with tempfile.TemporaryDirectory(prefix="cohort-resume-") as folder:
    state = os.path.join(folder, "state")
    with open(state, "w", encoding="utf-8") as lines:
        kinds = compared("--state", os.path.join(folder, "other"), "--seconds", "0")
        if kinds != (0, 0):
            sys.exit(f"a run without time compares kernels: {kinds}")
        with open(os.path.join(folder, "other"), encoding="utf-8") as other:
            lines.write(other.readline() + "done 40 41\n")
    if compared("--state", state) != (0, 1):
        sys.exit("the run does not go on behind the kernels 40 and 41")
    if compared("--state", state) != (0, 0):
        sys.exit("the run repeats kernels")
    if compared("--state", state, "--count", "4")[0] != 1:
        sys.exit("a state of other kernels is taken")

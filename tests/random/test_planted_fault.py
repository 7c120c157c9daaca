# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_kernels.py finds a fault of one operator, which kernel_support.hpp plants, and reduces the kernel to it."""

import re
import subprocess
import sys

command = sys.argv[sys.argv.index("--") + 1:]
command += ["--count", "12", "--modes", "loops,planted_fault", "--turns", ""]
result = subprocess.run(command, capture_output=True, text=True, check=False)
print(result.stdout, result.stderr)
if result.returncode == 77:
    sys.exit(77)
if result.returncode != 1:
    sys.exit(f"the status is {result.returncode}, not 1")
if not re.search(r"loops and planted_fault differ", result.stdout) or not re.search(r"[1-9]\d* differ \(", result.stdout):
    sys.exit("the difference is not named")
first = result.stdout.split("\nkernel ")[0]
body = first.split("{10, 11, 12}};\n")[1].split("  put(out, 0u")[0]
statements = [line for line in body.splitlines() if not re.match(r"  \w+ v\d = ", line)]
if "shift_right" not in body or len(statements) > 6:
    sys.exit(f"the kernel is not reduced to the fault: {len(statements)} lines")

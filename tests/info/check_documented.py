# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the variables that cohort-info prints with the table of a page:  check_documented.py COHORT_INFO PAGE"""

import json
import pathlib
import re
import subprocess
import sys


def main():
    printed = json.loads(subprocess.run([sys.argv[1], "--json"], capture_output=True, check=True).stdout)["variables"]
    exist = {variable["name"] for variable in printed}
    listed = set(re.findall(r"^\| `(COHORT_\w+)` \|", pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"), re.M))
    for name in sorted(exist - listed):
        print(f"{sys.argv[2]} does not list {name}")
    for name in sorted(listed - exist):
        print(f"{sys.argv[2]} lists {name}, which does not exist")
    return 1 if exist != listed or not exist else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a folder, for build files:  python3 -m cohortcc prefix | toolkit"""

import sys

import cohortcc

folders = {"prefix": cohortcc.prefix, "toolkit": cohortcc.toolkit}
if len(sys.argv) != 2 or sys.argv[1] not in folders:
    sys.exit(__doc__)
print(folders[sys.argv[1]])

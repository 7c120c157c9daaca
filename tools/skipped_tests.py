# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints why tests were skipped, a line for each reason:  skipped_tests.py RESULTS.xml

RESULTS.xml is what `ctest --output-junit` writes. The reason is the test's line "skipped: ...", or GoogleTest's
message of GTEST_SKIP()."""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree


def reason_of(output):
    line = re.search(r"^skipped: (.*)", output, re.MULTILINE)
    if line:
        return line[1]
    message = re.search(r": Skipped\n(.*?)\n\[", output, re.DOTALL)  # "FILE:LINE: Skipped", then the message
    return " ".join(message[1].split()) if message else "no reason given"


def main():
    path = pathlib.Path(sys.argv[1])
    if not path.exists():
        return
    tests = collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        if case.find("skipped") is not None:
            tests[reason_of(case.findtext("system-out") or "")].append(case.get("name"))
    for reason, names in tests.items():
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        print(f"skipped: {shown}: {reason}")


main()

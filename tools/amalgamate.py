# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one header that includes only system headers:  amalgamate.py INCLUDE_FOLDER OUTPUT HEADER...

INCLUDE_FOLDER is the project's include/, and each HEADER a path below it. The text of a file that a header includes with
quotes replaces the first #include line of it; a table (.inc), which is included for each use of its rows, replaces
each. #include lines of system headers stay. NVRTC has no system headers, so
under NVRTC the files of INCLUDE_FOLDER/nvrtc replace them."""

import os
import re
import sys

INCLUDE = re.compile(r'^#include\s+(?:"([^"]+)"|<([^>]+)>)')
CONDITION = re.compile(r"^#\s*(if|el|endif)")
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


class Amalgamation:
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.lines = []
        self.seen = [set()]  # a set of the files added so far, for each open #if
        self.guarded = set()  # files added inside of an #if: where they are added again, they need a guard

    def name_of(self, path):
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def condition(self, word):
        if word != "if":
            self.seen.pop()
        if word != "endif":
            self.seen.append(set())

    def system(self, name, line):
        stand_in = os.path.join(self.root, "nvrtc", name)
        if not os.path.exists(stand_in):
            self.lines.append(line)
        elif not any(name in seen for seen in self.seen):
            self.seen[-1].add(name)
            self.lines.append("#if defined(__CUDACC_RTC__)")
            self.condition("if")
            self.add(stand_in)
            self.condition("endif")
            self.lines += ["#else", line, "#endif"]

    def add_rows(self, path):
        """The rows of a table, whose macros the header around them defines."""
        with open(path, encoding="utf-8") as file:
            for line in file.read().splitlines():
                included = INCLUDE.match(line)
                if included:
                    self.add(os.path.join(os.path.dirname(path), included.group(1)))
                elif line != SPDX:
                    self.lines.append(line)

    def add(self, path):
        path = os.path.realpath(path)
        if path.endswith(".inc"):
            self.add_rows(path)
            return
        if any(path in seen for seen in self.seen):
            return
        guard = "COHORT_SINGLE_" + re.sub(r"\W", "_", self.name_of(path)).upper()
        if len(self.seen) > 1:
            self.guarded.add(path)
        self.seen[-1].add(path)
        self.lines += ["", f"// {self.name_of(path)}"]
        if path in self.guarded:
            self.lines += [f"#ifndef {guard}", f"#define {guard}"]
        with open(path, encoding="utf-8") as file:
            text = file.read().splitlines()
        for line in text:
            included = INCLUDE.match(line)
            condition = CONDITION.match(line)
            if included and included.group(1):
                self.add(os.path.join(os.path.dirname(path), included.group(1)))
            elif included:
                self.system(included.group(2), line)
            elif line not in (SPDX, "#pragma once"):
                self.lines.append(line)
            if condition:
                self.condition(condition.group(1))
        if path in self.guarded:
            self.lines.append("#endif")


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    root, output, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    whole = Amalgamation(root)
    for header in headers:
        whole.add(os.path.join(root, header))
    names = ", ".join(f"<{header.removeprefix('compat/')}>" for header in headers)
    text = "\n".join([SPDX, f"// Generated: {names} and all that they include, in one file.", "#pragma once", *whole.lines])
    with open(output, "w", encoding="utf-8") as file:
        file.write(re.sub(r"\n{3,}", "\n\n", text) + "\n")
    return 0


sys.exit(main())

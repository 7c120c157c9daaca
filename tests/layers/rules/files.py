# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for each file."""

import posixpath
import re

from sources import SCRIPTS, is_code, is_script, line_of

MAX_LINES = 700  # an alarm, no target: a file this long holds several things
MAX_COLUMNS = 140  # the formatter aims at 120; a comment or a string may need more

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
NO_SPDX = (".md", ".json", ".ipynb", ".txt", ".expected", ".png", ".svg", ".csv")
NO_SPDX_NAMES = {"LICENSE", ".gitignore", ".gitattributes"}
# Tables from other projects, with the license that their first line names.
OTHER_LICENSES = {"include/cudart/cudart_detail/curand/mtgp32_parameters.inc": "SPDX-License-Identifier: BSD-3-Clause"}


def spdx(tree):
    for path, text in tree.items():
        name = posixpath.basename(path)
        if name in NO_SPDX_NAMES or (path.endswith(NO_SPDX) and name != "CMakeLists.txt"):
            continue
        head = text.split("\n")[:2]
        if OTHER_LICENSES.get(path, SPDX) not in (head[1] if head[0].startswith("#!") and len(head) > 1 else head[0]):
            yield path, 1, f"the first line lacks '{SPDX}'"


def header_guard(tree):
    for path, text in tree.items():
        repeated = "#pragma push_macro" in text or "#pragma pop_macro" in text
        if is_code(path) and path.endswith((".hpp", ".h", ".cuh")) and "#pragma once" not in text and not repeated:
            yield path, 1, "lacks #pragma once"


def short_files(tree):
    for path, text in tree.items():
        count = text.count("\n")
        if (is_code(path) or path.endswith(SCRIPTS)) and count > MAX_LINES:
            yield path, count, f"{count} lines; the limit is {MAX_LINES}: split it by what it holds"


def clean_lines(tree):
    for path, text in tree.items():
        if not (is_code(path) or is_script(path)):
            continue
        formatted = True
        for number, line in enumerate(text.split("\n"), 1):
            if "clang-format o" in line:  # a table whose rows stay on one line
                formatted = "clang-format on" in line
            if len(line) > MAX_COLUMNS and formatted:
                yield path, number, f"{len(line)} columns; the limit is {MAX_COLUMNS}"
            if line != line.rstrip():
                yield path, number, "ends in white space"
            if not line.isascii():
                yield path, number, "holds a character that is not ASCII"


def nothing_private(tree):
    """No path of one machine, no note to oneself."""
    private = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w+")
    note = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
    for path, text in tree.items():
        if path.startswith("tests/layers/"):
            continue
        for match in private.finditer(text):
            yield path, line_of(text, match.start()), f"names a path of one machine: {match.group(0)}"
        for match in note.finditer(text):
            yield path, line_of(text, match.start()), f"{match.group(0)}: finish it, or write what holds today"


def environment_is_read_in_one_place(tree):
    """One function of the engine reads variables, so that one test of AT_SECURE covers them all. Headers for nvcc, which
    have no engine, have one of their own."""
    readers = ("/environment.cpp", "include/cohort/launch/cuda/world/environment.hpp")
    for path, text in tree.items():
        if not path.startswith(("include/", "src/")) or not is_code(path) or path.endswith(readers):
            continue
        for match in re.finditer(r"\b(?:secure_)?getenv\s*\(", text):
            yield path, line_of(text, match.start()), f"calls {match.group(0)}): use environment_variable()"


_CODE = "// " + SPDX + "\n"

RULES = {
    spdx: [("src/engine/state/warp.hpp", "#pragma once\n"), ("tools/x.sh", "#!/bin/bash\n")],
    header_guard: [("src/engine/state/block.hpp", _CODE)],
    short_files: [("src/engine/state/block.cpp", _CODE + "int x;\n" * MAX_LINES)],
    clean_lines: [
        ("src/engine/state/block.cpp", _CODE + "//" + "x" * MAX_COLUMNS + "\n"),
        ("src/engine/state/block.cpp", _CODE + "int x; \n"),
        ("src/engine/state/block.cpp", _CODE + "// \u00e9\n"),
    ],
    environment_is_read_in_one_place: [
        ("src/engine/state/block.cpp", _CODE + 'const char* path = std::getenv("PATH");\n'),
    ],
    nothing_private: [
        ("docs/notes.md", "See /home/somebody/cohort.\n"),
        ("src/engine/state/block.cpp", _CODE + "// TODO: the rest\n"),
    ],
}

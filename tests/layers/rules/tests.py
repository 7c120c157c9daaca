# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that keep failures visible, and for the description of tests."""

import posixpath
import re

from rules.files import SPDX
from sources import line_of


def exit_status_counts(tree):
    """Each test fails when its program returns an unexpected exit status."""
    for path, text in tree.items():
        if posixpath.basename(path) != "CMakeLists.txt" and not path.endswith(".cmake"):
            continue
        code = re.sub(r"#[^\n]*", "", text)
        for match in re.finditer(r"\bPASS_REGULAR_EXPRESSION\b", code):
            yield path, line_of(code, match.start()), f"{match.group(0)} ignores the exit status: cohort_add_output_test"
        for match in re.finditer(r"\b(?:add_test|cohort_add_output_test)\s*\(([^()]|\([^()]*\))*\)", code):
            if re.search(r"[^|]\|\s", match.group(0)):
                yield path, line_of(code, match.start()), "a pipe has the exit status of its last command only"


def scripts_see_failures(tree):
    """With pipefail a pipe returns the status of a command that failed, not that of its last command."""
    for path, text in tree.items():
        if path.endswith(".sh") and not re.search(r"^set -\w*o pipefail$", text, re.M):
            yield path, 1, "lacks `set -o pipefail`"


def folders_are_described(tree):
    """tests/README.md has a row for each folder of tests, and for no other."""
    path = "tests/README.md"
    folders = {match[1] for match in (re.match(r"tests/(\w+)/", file) for file in tree) if match}
    rows = {match[2]: match.start() for match in re.finditer(r"^\| \[(\w+)\]\((\w+)\) \|", tree.get(path, ""), re.M)}
    for folder in folders - set(rows):
        yield path, 1, f"has no row for tests/{folder}"
    for folder in set(rows) - folders:
        yield path, line_of(tree[path], rows[folder]), f"has a row for tests/{folder}, which does not exist"


RULES = {
    scripts_see_failures: [("tools/y.sh", "#!/bin/bash\n# " + SPDX + "\nset -eu\nls | sort\n")],
    folders_are_described: [
        ("tests/README.md", "| folder | tests |\n"),
        ("tests/README.md", "| [group](group) | groups |\n| [more](more) | more |\n"),
    ],
    exit_status_counts: [
        ("tests/CMakeLists.txt", "# " + SPDX + '\nset_tests_properties(a PROPERTIES PASS_REGULAR_EXPRESSION "b")\n'),
        ("tests/CMakeLists.txt", "# " + SPDX + '\nadd_test(NAME a\n  COMMAND sh -c "b | diff - c")\n'),
    ],
}

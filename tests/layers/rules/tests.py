# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the definitions of tests."""

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


RULES = {
    exit_status_counts: [
        ("tests/CMakeLists.txt", "# " + SPDX + '\nset_tests_properties(a PROPERTIES PASS_REGULAR_EXPRESSION "b")\n'),
        ("tests/CMakeLists.txt", "# " + SPDX + '\nadd_test(NAME a\n  COMMAND sh -c "b | diff - c")\n'),
    ],
}

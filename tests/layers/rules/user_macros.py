# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that keep macros of users, as -DT=float, out of the headers that they include."""

import posixpath
import re

from rules.files import SPDX
from sources import includes, is_code, line_of, without_comments

FOLDER = "include/cohort/base/user_macros/"
# Folders whose own files are included by users; those below hold parts of them, except compat/cooperative_groups.
ENTRIES = {"include/cohort", "include/cudart", "include/cudart/cuda", "include/cudart/cuda/std", "include/cudart/nvtx3",
           "include/compat", "include/compat/cooperative_groups"}


def is_entry(path):
    return posixpath.dirname(path) in ENTRIES and is_code(path)


def entries_hide_macros(tree):
    for path in tree:
        if not is_entry(path):
            continue
        targets = [target for _, target, _ in includes(tree, path)]
        if not targets or targets[0] != FOLDER + "off.hpp" or targets[-1] != FOLDER + "on.hpp":
            yield path, 1, "its first include is not user_macros/off.hpp, or its last is not user_macros/on.hpp"


def template_parameters(code):
    """(position, name) of the parameters of each template head."""
    for head in re.finditer(r"\btemplate\s*<", code):
        depth, end = 1, head.end()
        while depth and end < len(code):
            depth += {"<": 1, ">": -1}.get(code[end], 0)
            end += 1
        for name in re.finditer(r"[\w>]\s*(?:\.\.\.\s*)?\b([A-Z]\w*)\s*(?=[=,]|$)", code[head.end():end - 1]):
            yield head.start(), name[1]


def parameters_are_listed(tree):
    hidden = set(re.findall(r"#undef (\w+)", tree.get(FOLDER + "off.hpp", "")))
    restored = set(re.findall(r'pop_macro\("(\w+)"\)', tree.get(FOLDER + "on.hpp", "")))
    for name in sorted(hidden ^ restored):
        yield FOLDER + "on.hpp", 1, f"{name} is in only one of off.hpp and on.hpp"
    for path, text in tree.items():
        if not path.startswith("include/") or not is_code(path) or "/cccl/" in path:
            continue
        for position, name in template_parameters(without_comments(text)):
            if name not in hidden:
                yield path, line_of(text, position), f"{name} is not in {FOLDER}off.hpp: a macro -D{name}= would break it"


_TOP = "// " + SPDX + "\n#pragma once\n"

RULES = {
    entries_hide_macros: [
        ("include/cohort/cohort.hpp", _TOP + '#include "base/dim3.hpp"\n'),
    ],
    parameters_are_listed: [
        ("include/cohort/base/slot.hpp", _TOP + "template <class Odd, int... Count>\nstruct slot;\n"),
        ({FOLDER + "off.hpp": "#undef A\n", FOLDER + "on.hpp": ""}, FOLDER + "on.hpp"),
    ],
}

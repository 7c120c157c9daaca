# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of include/cohort. A file includes and names its own floor and lower ones."""

import re

import declarations
from rules.files import SPDX
from sources import includes, is_code, line_of, without_strings

# Folders of include/cohort, lowest first. On top the headers that users include, and CUDA's spelling of them.
FLOORS = ["base", "machine", "group", "collective", "launch"]
LAUNCH, TOP, COMPAT = 4, 5, 6

# The headers between launches and machines.
PORTS = {"include/cohort/machine/cpu/port.hpp", "include/cohort/machine/cpu/trace_port.hpp",
         "include/cohort/machine/cpu/world_port.hpp", "include/cohort/machine/cpu/library_version.hpp",
         "include/cohort/machine/ptx/port.hpp"}

HEAVY = {"vector", "string", "iostream", "map", "unordered_map", "set", "functional", "memory", "sstream", "thread",
         "mutex", "algorithm", "regex", "iomanip", "fstream", "deque", "list", "future", "chrono"}


def floor_of(path):
    """The floor of a header below include/, or None."""
    if path.startswith("include/compat/"):
        return COMPAT
    if not path.startswith("include/cohort/"):
        return None
    folder = path.split("/")[2]
    return FLOORS.index(folder) if folder in FLOORS else TOP


def include_direction(tree):
    for path in tree:
        floor = floor_of(path)
        if floor is None:
            continue
        for line, target, name in includes(tree, path):
            other = floor_of(target) if target else floor
            if other is None or other > floor:
                yield path, line, f"includes {name}, which points upward or out of the headers"


def forward_declarations(tree):
    """A declaration on one floor has its definition there or below: otherwise it is an include upward in disguise."""
    yield from declarations_above(tree, floor_of)


def declarations_above(tree, floor_of_file):
    files = {path: list(declarations.declarations(text)) for path, text in tree.items()
             if floor_of_file(path) is not None and is_code(path)}
    lowest = {}  # floor of the lowest definition
    for path, found in files.items():
        for each in found:
            if each.defined:
                key = each.kind, each.name
                lowest[key] = min(lowest.get(key, 99), floor_of_file(path))
    for path, found in files.items():
        for each in found:
            if not each.defined and lowest.get((each.kind, each.name), -1) > floor_of_file(path):
                yield path, line_of(tree[path], each.position), f"declares {each.name}, which a higher floor defines"
            elif each.kind == "member" and each.defined:
                of_class = lowest.get(("type", each.name.split("::")[-2]), 99)
                if of_class < floor_of_file(path):
                    yield path, line_of(tree[path], each.position), f"defines {each.name}, a member of a lower floor's class"


def machine_behind_its_contract(tree):
    """Groups and collectives use the machine through this_machine.hpp, the concept and the derived operations only."""
    for path, text in tree.items():
        floor = floor_of(path)
        if floor not in (2, 3, LAUNCH):
            continue
        for line, target, name in includes(tree, path):
            if target and re.match(r"include/cohort/machine/(cpu|ptx)/", target) and \
                    not (floor == LAUNCH and target in PORTS):
                yield path, line, f"includes {name}: above the machine only machine/*.hpp, in launch/ also the ports"
        if floor != LAUNCH:
            for match in re.finditer(r"\bcohort_[a-z_]+\s*\(", without_strings(text)):
                yield path, line_of(text, match.start()), f"calls {match.group(0)}...) of port.hpp past the machine"


def light_headers(tree):
    for path in tree:
        if floor_of(path) in (0, 1, 2, 3):
            for line, target, name in includes(tree, path):
                if target is None and name in HEAVY:
                    yield path, line, f"includes <{name}>: public headers stay light"


_TOP = "// " + SPDX + "\n#pragma once\n"

RULES = {
    include_direction: [
        ("include/cohort/base/dim3.hpp", _TOP + '#include "../machine/this_machine.hpp"\n'),
        ("include/cohort/group/grid.hpp", _TOP + "#include <cohort/collective/reduce.hpp>\n"),
        ("include/cohort/collective/scan.hpp", _TOP + '#include "../launch/config.hpp"\n'),
        ("include/cohort/launch/config.hpp", _TOP + '#include "../../compat/cooperative_groups.h"\n'),
        ("include/cohort/machine/contract/concept.hpp", _TOP + '#include "../../../src/engine/state/warp.hpp"\n'),
    ],
    forward_declarations: [
        ("include/cohort/machine/vote.hpp", _TOP + "namespace cohort {\ntemplate <int Size>\nstruct tile;\n}\n"),
        ("include/cohort/base/bits.hpp", _TOP + "namespace cohort {\ntemplate <class T>\nT reduce(const T& value);\n}\n"),
        ("include/cohort/launch/start.hpp", _TOP + "namespace cohort {\ninline int tile<3>::size() const { return 3; }\n}\n"),
    ],
    machine_behind_its_contract: [
        ("include/cohort/group/grid.hpp", _TOP + '#include "../machine/cpu/port.hpp"\n'),
        ("include/cohort/collective/scan.hpp", _TOP + "inline void f() { cohort_wait_block(); }\n"),
        ("include/cohort/launch/config.hpp", _TOP + '#include "../machine/ptx/vote.hpp"\n'),
    ],
    light_headers: [("include/cohort/group/grid.hpp", _TOP + "#include <vector>\n")],
}

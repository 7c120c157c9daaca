# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of the compiler's plugin."""

import collections
import re

import declarations
from rules.files import SPDX
from rules.floors import declarations_above
from sources import includes, is_code, line_of, without_comments

# The rooms of src/compiler/plugin, lowest floor first (docs/design/compiler.md). lowering.hpp lists the steps; all
# rooms but the frontend use its types. Gangs are versions of kernels, and use parts of the loops.
FLOORS = ["names.hpp", "facts", "frontend", "lowering.hpp", "analysis", "arithmetic", "lower", "math", "convergence", "check", "count",
          "loops", "gang", "entry"]

PLUGIN = "src/compiler/plugin/"

# The rooms of gang/, lowest floor first (docs/design/gangs.md).
GANG = PLUGIN + "gang/"
GANG_FLOORS = ["target", "plan", "shape", "structure", "facts", "widen", "jam", "entries", "build", "gang_kernels.cpp"]

# Data and decisions that a program without LLVM tests.
WITHOUT_LLVM = (GANG + "plan/", GANG + "target/")
WITH_LLVM = tuple(GANG + "target/" + file for file in ("function_target.", "lane_code.", "lane_shuffles.", "x86_lanes."))

# Names of Cohort in the plugin are rows of the border's tables, or stand on one of these pages.
NAME_PAGES = {PLUGIN + "names.hpp", PLUGIN + "analysis/port_calls.cpp"}
# Marks of cudart's headers that the frontend reads, by file name: folders of the frontend may change.
HEADER_MARKS = {"frontend_action.cpp": "cohort_built_in_", "shared_objects.cpp": "cohort_not_constructed"}
SPELLED_NAME = re.compile(r'"((?:__start_|__stop_)?cohort_\w*)"')

# The folders of gang/widen, each a part of the step that widens a kernel for a gang. They share one state.
WIDEN = PLUGIN + "gang/widen/"
MAX_MEMBER_FUNCTIONS, MAX_CLASS_FILES = 25, 3
WIDEN_FLOORS = {"state": 0, "serial": 1, "calls": 2, "collectives": 2, "control": 2, "memory": 2, "values": 2}


def room_of(path):
    """The folder or file directly below the plugin's folder, or None."""
    return path.split("/")[3] if path.startswith(PLUGIN) and is_code(path) else None


def floor_of(path):
    return FLOORS.index(room_of(path)) if room_of(path) in FLOORS else None


def plugin_floors(tree):
    for path in tree:
        if room_of(path) is None:
            continue
        if floor_of(path) is None:
            yield path, 1, f"{room_of(path)} is on no floor of the plugin: {FLOORS}"
            continue
        for line, target, name in includes(tree, path):
            if target in tree and room_of(target) not in (None, room_of(path)):
                other = floor_of(target)
                if other is None or other >= floor_of(path):
                    yield path, line, f"includes {name}, which is not below"


def gang_room_of(path):
    return path.removeprefix(GANG).split("/")[0] if path.startswith(GANG) and is_code(path) else None


def gang_floors(tree):
    for path in tree:
        room = gang_room_of(path)
        if room is None:
            continue
        if room not in GANG_FLOORS:
            yield path, 1, f"{room} is on no floor of gang/: {GANG_FLOORS}"
            continue
        for line, _, name in includes(tree, path):
            other = gang_room_of(PLUGIN + name)
            if other in GANG_FLOORS and GANG_FLOORS.index(other) > GANG_FLOORS.index(room):
                yield path, line, f"includes {name}, which is not below"


def gang_data_without_llvm(tree):
    for path in tree:
        if path.startswith(WITHOUT_LLVM) and not path.startswith(WITH_LLVM) and is_code(path):
            for line, _, name in includes(tree, path):
                if name.startswith(("llvm/", "llvm-c/", "clang/")):
                    yield path, line, f"includes {name}: plans and targets are data"


# Names of functions that test a CPU's features, and the intrinsics of an architecture.
CPU_WORDS = re.compile(r"\b(?:has_feature|enables)\(|IntrinsicsX86|IntrinsicsAArch64|Intrinsic::(?:x86|aarch64)_")


def gang_cpus_in_target(tree):
    for path, text in tree.items():
        if path.startswith(GANG) and not path.startswith(GANG + "target/") and is_code(path):
            for match in CPU_WORDS.finditer(text):
                yield path, line_of(text, match.start()), f"{match.group()}: only gang/target depends on a CPU"


def plugin_declarations(tree):
    yield from declarations_above(tree, lambda path: None if path.endswith("/lowering.hpp") else floor_of(path))


def names_from_tables(tree):
    for path, text in tree.items():
        if room_of(path) is None or path in NAME_PAGES:
            continue
        for match in SPELLED_NAME.finditer(without_comments(text)):
            if match.group(1) != HEADER_MARKS.get(path.rsplit("/", 1)[-1]):
                yield path, line_of(text, match.start()), (f"spells {match.group(1)}: take it from a table of "
                                                           "include/cohort/machine/cpu/port, or from names.hpp")


def parts_see_the_state(tree):
    """A part of gang/widen includes its own folder and lower floors; files beside the folders include all of them."""
    for path in tree:
        if not path.startswith(WIDEN) or not is_code(path):
            continue
        folder, slash, _ = path[len(WIDEN):].partition("/")
        if slash and folder not in WIDEN_FLOORS:
            yield path, 1, f"{folder} is on no floor of gang/widen: {sorted(WIDEN_FLOORS)}"
        elif slash:
            for line, _, name in includes(tree, path):
                other = name.removeprefix("gang/widen/").split("/")[0]
                if name.startswith("gang/widen/") and other != folder and \
                        WIDEN_FLOORS.get(other, len(WIDEN_FLOORS)) >= WIDEN_FLOORS[folder]:
                    yield path, line, f"includes {name}, which is not below: a part sees the state alone"


def small_parts(tree):
    functions, files, place = collections.Counter(), collections.defaultdict(set), {}
    for path, text in tree.items():
        if not path.startswith(WIDEN) or not is_code(path):
            continue
        for name, position, _ in declarations.member_functions(text):
            functions[name] += 1
            files[name].add(path)
            place[name] = path, line_of(text, position)
        for each in declarations.declarations(text):
            if each.kind == "member" and each.defined:
                files[each.name.split("::")[-2]].add(path)
    for name, (path, line) in place.items():
        if functions[name] > MAX_MEMBER_FUNCTIONS:
            yield path, line, f"{name} has {functions[name]} functions; the limit is {MAX_MEMBER_FUNCTIONS}"
        if len(files[name]) > MAX_CLASS_FILES:
            yield path, line, f"{name} stands in {len(files[name])} files; the limit is {MAX_CLASS_FILES}"


_TOP = "// " + SPDX + "\n#pragma once\n"
_WAITING = {PLUGIN + "analysis/waiting.hpp": _TOP + "struct waiting { int calls; };\n"}

RULES = {
    plugin_floors: [
        ({**_WAITING, PLUGIN + "frontend/facts.hpp": _TOP + '#include "analysis/waiting.hpp"\n'},
         PLUGIN + "frontend/facts.hpp"),
        ({PLUGIN + "loops/copy.hpp": _TOP, PLUGIN + "lower/rename.hpp": _TOP + '#include "loops/copy.hpp"\n'},
         PLUGIN + "lower/rename.hpp"),
        (PLUGIN + "attic/rename.hpp", _TOP),
    ],
    gang_floors: [
        (GANG + "plan/gang_plan.cpp", _TOP + '#include "gang/build/version.hpp"\n'),
        (GANG + "shape/shapes.cpp", _TOP + '#include "gang/widen/widener.hpp"\n'),
        (GANG + "attic/version.hpp", _TOP),
    ],
    gang_cpus_in_target: [
        (GANG + "jam/jam.cpp", _TOP + 'bool wide(const llvm::Function& f) { return has_feature(f, "avx512f"); }\n'),
        (GANG + "widen/permute.cpp", _TOP + "const auto id = llvm::Intrinsic::x86_avx2_permd;\n"),
    ],
    gang_data_without_llvm: [
        (GANG + "plan/gang_plan.hpp", _TOP + '#include "llvm/IR/Function.h"\n'),
        (GANG + "target/x86.cpp", _TOP + '#include "llvm/IR/IntrinsicsX86.h"\n'),
    ],
    names_from_tables: [
        (PLUGIN + "lower/rename.cpp", "// " + SPDX + '\nbool f(std::string_view name) { return name == "cohort_wait_block"; }\n'),
        (PLUGIN + "gang/calls.cpp", "// " + SPDX + '\nbool f(llvm::StringRef name) { return name.starts_with("cohort_"); }\n'),
        (PLUGIN + "frontend/action/frontend_action.cpp", "// " + SPDX + '\nauto name = "cohort_not_constructed";\n'),
    ],
    plugin_declarations: [
        ({**_WAITING, PLUGIN + "frontend/facts.hpp": _TOP + "struct waiting;\n"}, PLUGIN + "frontend/facts.hpp"),
    ],
    parts_see_the_state: [
        (WIDEN + "values/phis.hpp", _TOP + '#include "gang/widen/memory/runs.hpp"\n'),
        (WIDEN + "state/widening.hpp", _TOP + '#include "gang/widen/widener.hpp"\n'),
        (WIDEN + "attic/widener.hpp", _TOP),
    ],
    small_parts: [
        (WIDEN + "widener.hpp", _TOP + "class widener {\n public:\n  explicit widener(int& state);\n"
         + "".join(f"  bool widen_{i}(int value) {{ return value == {i}; }}\n" for i in range(26)) + "};\n"),
        ({WIDEN + "widener.hpp": _TOP + "class widener {\n" + "".join(f"  bool widen_{i}();\n" for i in range(3)) + "};\n",
          **{WIDEN + f"part_{i}.cpp": f"// {SPDX}\nbool widener::widen_{i}() {{ return true; }}\n" for i in range(3)}},
         WIDEN + "widener.hpp"),
    ],
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the size of ideas: folders in layers, classes and functions that fit into a head, files that hold a thing."""

import collections
import functools
import posixpath

from bodies import bodies
from rules.files import SPDX
from sources import includes, is_code, root_of

MAX_CLASS_FILES, MAX_CLASS_FUNCTIONS = 3, 40
MAX_FUNCTION_LINES = 59
MAX_LINES_BESIDE_TABLE = 20  # lines outside the longest table or switch of such a function
SMALL_FILE = 25
# The number of small files that a room may have.
SMALL_FILES = {"include/cohort": 22, "src/check": 8, "src/compiler/driver": 2, "src/compiler/plugin": 5, "src/engine": 2,
               "src/runtime": 8}

# Places that break a rule: {rule: {folder: date and reason}}. A row that no file needs is a finding.
EXCEPTIONS = {
    "folder_cycles": {
        "include/cohort/machine": "2026-11-27: this_machine.hpp chooses among machines that share reference code beside it",
        "include/compat": "2026-11-27: CUDA's names",
        "include/cudart": "2026-11-27: CUDA's names",
    },
}

COPIED = "/cccl/"  # sources of other projects, with their changes


def with_exceptions(rule):
    """The rule without what EXCEPTIONS permits, and with a finding for each row that permits nothing."""
    rows = EXCEPTIONS.get(rule.__name__, {})

    @functools.wraps(rule)
    def checked(tree):
        if "CMakeLists.txt" not in tree:  # the tree is a sample
            yield from rule(tree)
            return
        used = set()
        for path, line, sentence in rule(tree):
            row = next((row for row in rows if path == row or path.startswith(row + "/")), None)
            used.add(row)
            if row is None:
                yield path, line, sentence
        for row in sorted(set(rows) - used):
            yield "tests/layers/rules/ideas.py", 1, f"{rule.__name__} needs no exception for {row}"
    return checked


def cycles(arrows):
    """The sets of nodes that reach each other, of a graph {node: nodes}."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in order:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == order[node]:
            members = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(members) > 1:
                found.append(sorted(members))
    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return found


@with_exceptions
def folder_cycles(tree):
    """No two folders include each other, directly or through others; a folder inside another is a folder of its own.
    An include by CUDA's name, as <cuda/atomic>, counts for nothing: another compiler finds NVIDIA's header by it."""
    arrows = collections.defaultdict(set)
    for path in tree:
        if path.startswith(("include/", "src/")) and is_code(path):
            for _, target, _ in includes(tree, path):
                if target in tree and posixpath.dirname(target) != posixpath.dirname(path):
                    arrows[posixpath.dirname(path)].add(posixpath.dirname(target))
    for members in cycles(arrows):
        yield members[0], 1, f"{len(members)} folders include each other: {' '.join(members)}"


@with_exceptions
def includes_from_the_root(tree):
    """A file of src/ names what it includes from src/, or from the folder of its program. Public headers name each other
    by their relative places, so that each copy of them finds its own."""
    for path in tree:
        root = root_of(path)
        if root and is_code(path):
            for line, target, name in includes(tree, path):
                if target in tree and target.startswith("src/") and target != root + name:
                    yield path, line, f"includes \"{name}\": name the file from {root}"


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:3 if parts[1] == "compiler" else 2])


def is_product(path):
    return path.startswith(("include/", "src/")) and is_code(path) and COPIED not in path


@with_exceptions
def whole_classes(tree):
    """A class is in a header and two sources at most, and has few functions."""
    found = {path: bodies(text) for path, text in tree.items() if is_product(path)}
    homes = collections.defaultdict(set)  # (room, name of a class) -> headers that define it
    for path, parts in found.items():
        for part in parts:
            if part.kind == "class" and not path.endswith(".cpp"):
                homes[room_of(path), part.name].add(path)
    functions = collections.defaultdict(list)  # (file, name of a class) -> files of its functions
    for path, parts in found.items():
        own = {part.name for part in parts if part.kind == "class"}
        for part in parts:
            if part.kind == "function" and part.owner:
                for home in [path] if part.owner in own else homes[room_of(path), part.owner]:
                    functions[home, part.owner].append(path)
    for (home, name), files in functions.items():
        count = len({home, *files})
        if count > MAX_CLASS_FILES or len(files) > MAX_CLASS_FUNCTIONS:
            yield home, 1, (f"{name} has {len(files)} functions in {count} files; "
                            f"the limits are {MAX_CLASS_FUNCTIONS} and {MAX_CLASS_FILES}")


@with_exceptions
def short_functions(tree):
    """A function fits on a page, unless it is one table or one switch."""
    for path, text in tree.items():
        if is_product(path) or (path.startswith(("bench/harness/", "tools/")) and is_code(path)):
            for part in bodies(text):
                if part.kind == "function" and part.lines > MAX_FUNCTION_LINES and part.loose_lines > MAX_LINES_BESIDE_TABLE:
                    yield path, part.line, f"{part.name} has {part.lines} lines; the limit is {MAX_FUNCTION_LINES}"


@with_exceptions
def few_small_files(tree):
    """A file is an idea, not a fragment of one. A header and the source that defines its functions count as one file: a
    short header with a long source is a small interface to a whole thing."""
    lines = collections.Counter()
    for path, text in tree.items():
        if is_product(path):
            lines[room_of(path), posixpath.splitext(path)[0]] += text.count("\n")
    small = collections.Counter(room for (room, _), count in lines.items() if count <= SMALL_FILE)
    for room, limit in SMALL_FILES.items():
        if small[room] > limit:
            yield room, 1, (f"{small[room]} files have {SMALL_FILE} lines or fewer; the limit is {limit}: "
                            "merge fragments into the file that is named for their thing")


_CODE = "// " + SPDX + "\n"
_TOP = _CODE + "#pragma once\n"

RULES = {
    folder_cycles: [
        ({"src/engine/state/warp.hpp": _TOP + '#include "engine/sync/team.hpp"\n'}, "src/engine/state"),
        ({"src/engine/state/warp.hpp": _TOP + '#include "engine/state/gang/gang.hpp"\n',
          "src/engine/state/gang/gang.hpp": _TOP + '#include "engine/state/lane.hpp"\n',
          "src/engine/state/lane.hpp": _TOP}, "src/engine/state"),
    ],
    includes_from_the_root: [
        ("src/engine/sync/withdraw.hpp", _TOP + '#include "../state/warp.hpp"\n'),
        ("src/engine/sync/withdraw.hpp", _TOP + '#include "team.hpp"\n'),
        ({"src/compiler/plugin/gang/version.hpp": _TOP,
          "src/compiler/plugin/gang/frame.cpp": _CODE + '#include "version.hpp"\n'}, "src/compiler/plugin/gang/frame.cpp"),
    ],
    whole_classes: [
        ({"src/engine/state/grid.hpp": _TOP + "struct grid { int a(); int b(); int c(); };\n",
          **{f"src/engine/state/{name}.cpp": _CODE + f"int grid::{name}() {{ return 1; }}\n" for name in "abc"}},
         "src/engine/state/grid.hpp"),
        ("src/engine/state/grid.hpp",
         _TOP + "struct grid {\n" + "".join(f"int f{i}() {{ return 1; }}\n" for i in range(MAX_CLASS_FUNCTIONS + 1)) + "};\n"),
    ],
    short_functions: [
        ("src/engine/state/grid.cpp", _CODE + "void begin() {\n" + "f();\n" * MAX_FUNCTION_LINES + "}\n"),
        ("src/engine/state/grid.cpp", _CODE + "void begin() {\nswitch (g()) {\n" + "case 1:\n" * MAX_FUNCTION_LINES + "}\n"
         + "f();\n" * MAX_LINES_BESIDE_TABLE + "}\n"),
    ],
    few_small_files: [
        ({f"src/engine/state/{number}.cpp": _CODE for number in range(SMALL_FILES["src/engine"] + 1)}, "src/engine"),
    ],
}

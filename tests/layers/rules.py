# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source rules. Each rule takes a tree {path: text} and yields (path, line, sentence)."""

import posixpath
import re

MAX_LINES = 450
MAX_COLUMNS = 140  # the formatter aims at 120; a comment or a string may need more
LONG_FILES = set()  # stays empty: a file that grows too long is split

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
CODE = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".S", ".inc")
SCRIPTS = (".py", ".sh", ".cmake", ".cmake.in")
NO_SPDX = (".md", ".json", ".txt", ".expected", ".png", ".svg", ".csv")
NO_SPDX_NAMES = {"LICENSE", ".gitignore", ".gitattributes"}

# Folders of include/cohort, lowest first. A file includes its own layer and lower ones.
LAYERS = ["base", "machine", "group", "collective"]
TOP, COMPAT = 4, 5

HEAVY = {"vector", "string", "iostream", "map", "unordered_map", "set", "functional", "memory", "sstream", "thread",
         "mutex", "algorithm", "regex", "iomanip", "fstream", "deque", "list", "future", "chrono"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b.*$", re.M)
NAMED_PLACE = re.compile(r"`([\w.+-]+(?:/[\w.+-]+)+): ([\w:~]+)`")
MARKDOWN_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def is_code(path):
    return path.endswith(CODE) or (path.startswith("include/") and "." not in posixpath.basename(path))


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def without_comments(text):
    """Comments become blanks, so that positions and lines stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        found = match.group(0)
        return re.sub(r"[^\n]", " ", found) if found.startswith("/") else found

    return pattern.sub(blank, text)


def without_strings(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: '"' + " " * (len(m.group(0)) - 2) + '"', without_comments(text))


def includes(path, text):
    """(line, resolved path or None for a system header, as written)"""
    for match in INCLUDE.finditer(text):
        quoted, name = match.group(1) == '"', match.group(2)
        target = None
        if quoted:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if name.startswith(("cohort/", "cohort.")):
            target = "include/" + name
        yield line_of(text, match.start()), target, name


def layer_of(path):
    """Layer number of a header below include/, or None."""
    if path.startswith("include/compat/"):
        return COMPAT
    if not path.startswith("include/cohort/"):
        return None
    folder = path.split("/")[2]
    return LAYERS.index(folder) if folder in LAYERS else TOP


def spdx(tree):
    for path, text in tree.items():
        name = posixpath.basename(path)
        if name in NO_SPDX_NAMES or (path.endswith(NO_SPDX) and name != "CMakeLists.txt"):
            continue
        head = text.split("\n")[:2]
        if SPDX not in (head[1] if head[0].startswith("#!") and len(head) > 1 else head[0]):
            yield path, 1, f"the first line lacks '{SPDX}'"


def include_direction(tree):
    for path, text in tree.items():
        layer = layer_of(path)
        if layer is None:
            continue
        for line, target, name in includes(path, text):
            if target is None:
                continue
            other = layer_of(target)
            if other is None or other > layer:
                yield path, line, f"includes {name}, which points upward or out of the headers"


def machine_behind_its_contract(tree):
    """Groups and collectives see the machine through this_machine, the concept and the derived operations only."""
    for path, text in tree.items():
        if layer_of(path) not in (2, 3):
            continue
        for line, target, name in includes(path, text):
            if target and re.match(r"include/cohort/machine/(cpu|ptx)/", target):
                yield path, line, f"includes {name}; only machine/*.hpp may be named above the machine"
        for match in re.finditer(r"\bcohort_[a-z_]+\s*\(", without_strings(text)):
            yield path, line_of(text, match.start()), f"calls {match.group(0)}...) of port.hpp past the machine"


def light_headers(tree):
    for path, text in tree.items():
        if layer_of(path) in (0, 1, 2, 3):
            for line, target, name in includes(path, text):
                if target is None and name in HEAVY:
                    yield path, line, f"includes <{name}>: public headers stay light"


def engine_knows_nothing_above(tree):
    allowed = re.compile(r"include/cohort/(base/|machine/cpu/port\.hpp$)|src/engine/")
    for path, text in tree.items():
        if not path.startswith("src/engine/") or not is_code(path):
            continue
        for line, target, name in includes(path, text):
            local = target in tree or (target or "").startswith("include/")
            if target and not (allowed.match(target) and local) and "src/engine/" + name not in tree:
                yield path, line, f"includes {name}: the engine knows base, port.hpp and itself"
            if target is None and re.match(r"cuda|cooperative_groups|nvrtc|runtime/", name):
                yield path, line, f"includes <{name}>: the engine never sees CUDA"


def runtime_uses_the_port(tree):
    """The runtime reaches the engine through port.hpp, and the compiler shares no code with either."""
    for path, text in tree.items():
        for folder, forbidden in (("src/runtime/", "engine/"), ("src/compiler/", "engine/")):
            if path.startswith(folder) and is_code(path):
                if path.startswith("src/runtime/info/"):
                    continue  # the command that prints the engine's settings must see their list
                for line, target, name in includes(path, text):
                    if (target or name).startswith("src/" + forbidden) or name.startswith(forbidden):
                        yield path, line, f"includes {name}: the way to the engine is port.hpp"


def assembly_in_two_places(tree):
    allowed = re.compile(r"include/cohort/machine/ptx/|src/engine/fiber/switch")
    for path, text in tree.items():
        if not path.startswith(("include/", "src/")) or not is_code(path) or allowed.match(path):
            continue
        if path.endswith(".S"):
            yield path, 1, "assembly belongs in src/engine/fiber/switch*"
        for match in re.finditer(r"\b(?:asm|__asm|__asm__)\b", without_strings(text)):
            label = path.startswith("include/cudart/") and text[:match.start()].rstrip().endswith(")")
            if not label:  # `double f(double) __asm__("g");` gives a symbol its name and is no instruction
                yield path, line_of(text, match.start()), "asm belongs in machine/ptx and src/engine/fiber/switch*"


def backend_conditions(tree):
    """Who may ask with #if for what it is compiled."""
    allowed = {
        "COHORT_CUDA_SOURCE": {"include/cohort/base/config.hpp", "include/cohort/machine/cpu/port.hpp",
                               "include/cohort/machine/this_machine.hpp", "include/cohort/launch.hpp",
                               "include/cohort/base/dim3.hpp", "include/cohort/shared.hpp",
                               "include/cohort/launch/prepare.hpp"},
        # Files of an older standard than config.hpp's have to be told apart before it.
        "__CUDACC__": {"include/cohort/base/config.hpp", "include/compat/cooperative_groups.h"},
        "__CUDA__": {"include/cohort/base/config.hpp", "include/compat/cooperative_groups.h"},
        "__NVCC__": {"include/cohort/base/config.hpp"},
        "__CUDA_ARCH__": {"include/cohort/machine/this_machine.hpp"},
        "COHORT_CUDA_ON_CPU": {"include/cohort/base/config.hpp", "include/cohort/machine/this_machine.hpp"},
    }
    for path, text in tree.items():
        if layer_of(path) is None:
            continue
        for match in CONDITION.finditer(without_comments(text)):
            for word in re.findall(r"\w+", match.group(0)):
                places = allowed.get(word)
                # Which instructions a target has is the PTX machine's own affair.
                if word == "__CUDA_ARCH__" and path.startswith("include/cohort/machine/ptx/"):
                    continue
                if word.startswith("COHORT_MACHINE_"):
                    places = {"include/cohort/machine/this_machine.hpp"}
                if places is not None and path not in places:
                    yield path, line_of(text, match.start()), f"#if on {word}: only this_machine.hpp chooses a machine"


def portable_collectives(tree):
    for path, text in tree.items():
        if path.startswith(("include/cohort/group/", "include/cohort/collective/")):
            for match in re.finditer(r"\b(?:__CUDA_ARCH__|__activemask|fiber)\b", without_comments(text)):
                yield path, line_of(text, match.start()), f"'{match.group(0)}' belongs to a machine"


def header_guard(tree):
    for path, text in tree.items():
        if is_code(path) and path.endswith((".hpp", ".h", ".cuh")) and "#pragma once" not in text:
            yield path, 1, "lacks #pragma once"


def short_files(tree):
    for path, text in tree.items():
        count = text.count("\n")
        if (is_code(path) or path.endswith(SCRIPTS)) and count > MAX_LINES and path not in LONG_FILES:
            yield path, count, f"{count} lines; the limit is {MAX_LINES}: split it by what it holds"


def clean_lines(tree):
    for path, text in tree.items():
        if not (is_code(path) or path.endswith(SCRIPTS) or path.endswith("CMakeLists.txt")):
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
    """No path of somebody's machine, no note to oneself."""
    private = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w+")
    note = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
    for path, text in tree.items():
        if path.startswith("tests/layers/"):
            continue
        for match in private.finditer(text):
            yield path, line_of(text, match.start()), f"names a path of one machine: {match.group(0)}"
        for match in note.finditer(text):
            yield path, line_of(text, match.start()), f"{match.group(0)}: finish it, or say what holds today"


def tour_is_true(tree):
    """`path/file.hpp: name` in a Markdown file: the file exists and declares or defines the name."""
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for match in NAMED_PLACE.finditer(text):
            file, name = match.group(1), match.group(2).split("::")[-1].lstrip("~")
            line = line_of(text, match.start())
            if file not in tree:
                yield path, line, f"names {file}, which does not exist"
                continue
            declared = rf"\b{name}\s*[(<={{;:]|\b(?:struct|class|enum|union|using|concept)\s+(?:\w+\s+)*{name}\b"
            declared += rf"|#\s*define\s+{name}\b"
            if not re.search(declared, tree[file]):
                yield path, line, f"names {name}, which {file} does not have"


def links_lead_somewhere(tree):
    folders = {posixpath.dirname(path) for path in tree}
    folders |= {posixpath.dirname(folder) for folder in folders}
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        for match in MARKDOWN_LINK.finditer(text):
            link = match.group(1)
            if re.match(r"[a-z]+:", link):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
            if target not in tree and target.rstrip("/") not in folders:
                yield path, line_of(text, match.start()), f"links to {link}, which does not exist"


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


ALL = [spdx, include_direction, machine_behind_its_contract, light_headers, engine_knows_nothing_above,
       runtime_uses_the_port, assembly_in_two_places, backend_conditions, portable_collectives, header_guard,
       short_files, clean_lines, nothing_private, tour_is_true, links_lead_somewhere, exit_status_counts]

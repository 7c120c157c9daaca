# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of src/engine, and for the ways to it."""

import posixpath
import re

import declarations
from rules.files import SPDX
from rules.floors import declarations_above
from sources import includes, is_code, line_of, without_comments

# The folders of src/engine, lowest floor first (docs/design/engine.md). Folders of one floor do not include each other.
FLOORS = [["fiber", "settings", "tensor"], ["schedule", "bulk"], ["state"], ["sync", "report"], ["tools"], ["world", "trace"],
          ["execute"], ["search"], ["launch"], ["port.cpp"]]

PORT = "include/cohort/machine/cpu/port.hpp"
CALLS = "include/cohort/machine/cpu/port/calls.inc"  # a row for each function that kernels call
PORTS = {PORT, "include/cohort/machine/cpu/port/host.hpp", "include/cohort/machine/cpu/library_version.hpp",
         "include/cohort/machine/cpu/trace_port.hpp",
         "include/cohort/machine/cpu/world_port.hpp"}
SETTINGS = "src/engine/settings/settings.hpp"  # declares the list of COHORT_* variables


def room_of(path):
    """The folder or file directly below src/engine, or None."""
    return path.split("/")[2] if path.startswith("src/engine/") and is_code(path) else None


def floor_of(path):
    room = room_of(path)
    return next((number for number, floor in enumerate(FLOORS) if room in floor), None)


def engine_floors(tree):
    for path in tree:
        if room_of(path) is None:
            continue
        if floor_of(path) is None:
            yield path, 1, f"{room_of(path)} is on no floor of the engine: {FLOORS}"
            continue
        for line, target, name in includes(tree, path):
            if target and target.startswith("src/engine/") and room_of(target) != room_of(path):
                other = floor_of(target)
                if other is None or other >= floor_of(path):
                    yield path, line, f"includes {name}, which is not below"
                elif room_of(path) == "report" and room_of(target) not in ("state", "settings"):
                    yield path, line, f"includes {name}: reports read the state and settings, and nothing else"


def engine_declarations(tree):
    yield from declarations_above(tree, floor_of)


def engine_definitions(tree):
    """A function is defined beside the header that declares it, and the functions of port.hpp are in port.cpp."""
    files = {path: list(declarations.declarations(text)) for path, text in tree.items()
             if path in PORTS or (path.startswith("src/engine/") and is_code(path))}
    declared = {}  # name of a function or class -> headers
    for path, found in files.items():
        for each in found:
            if path.endswith(".hpp") and each.kind != "member" and each.defined == (each.kind == "type"):
                declared.setdefault((each.kind, each.name), set()).add(path)
    for name in re.findall(r"^COHORT_\w*CALL\([^()]*?\b(cohort_\w+),\s*\(", tree.get(CALLS, ""), re.MULTILINE):
        declared.setdefault(("function", name), set()).add(CALLS)
    for path, found in files.items():
        for each in found:
            if not (path.endswith(".cpp") and each.defined and each.kind != "type"):
                continue
            key = ("type", each.name.split("::")[-2]) if each.kind == "member" else (each.kind, each.name)
            headers = declared.get(key, set())
            allowed = path == "src/engine/port.cpp" if (PORTS | {CALLS}) & headers else \
                not headers or any(path.startswith(posixpath.splitext(header)[0]) for header in headers)
            if not allowed:
                yield path, line_of(tree[path], each.position), f"defines {each.name}, which {', '.join(headers)} declares"


def engine_is_independent(tree):
    allowed = re.compile(r"include/cohort/(base/|machine/cpu/((library_version|(trace_|world_)?port)\.hpp$|port/))|src/engine/")
    for path in tree:
        if not path.startswith("src/engine/") or not is_code(path):
            continue
        for line, target, name in includes(tree, path):
            local = target in tree or (target or "").startswith("include/")
            if target and not (allowed.match(target) and local):
                yield path, line, f"includes {name}: the engine includes base, port.hpp and itself"
            if target is None and re.match(r"cuda|cooperative_groups|nvrtc|runtime/", name):
                yield path, line, f"includes <{name}>: the engine is independent of CUDA"


def runtime_uses_the_port(tree):
    """The runtime reaches the engine through port.hpp, and the compiler shares no code with either."""
    for path in tree:
        if not path.startswith(("src/runtime/", "src/compiler/")) or not is_code(path):
            continue
        for line, target, name in includes(tree, path):
            if (target or name).startswith("src/engine/") or name.startswith("engine/"):
                yield path, line, f"includes {name}: the way to the engine is port.hpp"


def info_sees_the_settings(tree):
    """cohort-info prints the engine's settings and what the runtime API returns: of src it includes only the file that
    reads the environment for both."""
    for path in tree:
        if not path.startswith("src/info/") or not is_code(path):
            continue
        for line, target, name in includes(tree, path):
            seen = (SETTINGS, SETTINGS.replace("settings.hpp", "environment.hpp"))
            if (target or "").startswith("src/") and not target.startswith("src/info/") and target not in seen:
                yield path, line, f"includes {name}: cohort-info sees {SETTINGS} and the runtime API"


# The rooms of the tools that instrumented programs link, lowest floor first.
TOOL_FLOORS = {
    "src/check/": ["memory", "history", "order", "report", "sync", "detect", "events", "entries"],
    "src/count/": ["model", "gather", "report", "entries"],
}
CHECK = "src/check/"


def tool_of(path):
    """The folder of the tool that a file belongs to, or None."""
    return next((tool for tool in TOOL_FLOORS if path.startswith(tool) and is_code(path)), None)


def floor_in_tool(path):
    rooms = TOOL_FLOORS[tool_of(path)]
    room = path.split("/")[2]
    return rooms.index(room) if room in rooms else len(rooms)


def tool_floors(tree):
    """A tool is linked into instrumented programs only: it sees the engine and the runtime, and neither sees it."""
    for path in tree:
        if not is_code(path):
            continue
        for line, target, name in includes(tree, path):
            tool = tool_of(target or "")
            if tool is None:
                continue
            if tool_of(path) != tool and path.startswith(("src/", "include/")):
                yield path, line, f"includes {name}: only instrumented programs have {tool}"
            elif tool_of(path) == tool and floor_in_tool(target) > floor_in_tool(path):
                yield path, line, f"includes {name}, which is not below"


# The pages for tools, and the file of each tool that includes them.
TOOL_PORTS = {"src/engine/tools/tool_port.hpp", "src/runtime/tools/tool_port.hpp"}
PORT_FILES = {"src/check/": "src/check/memory/tool_ports.hpp", "src/count/": "src/count/gather/tool_ports.hpp"}
CHECK_PORTS = PORT_FILES[CHECK]


def tools_use_the_tool_ports(tree):
    """A tool reaches the engine and the runtime through their pages for tools, in one file, and names what these pages
    name."""
    for path, text in tree.items():
        if tool_of(path) is None:
            continue
        ports = PORT_FILES[tool_of(path)]
        for line, target, name in includes(tree, path):
            if (target or "").startswith(("src/engine/", "src/runtime/")) and (path != ports or target not in TOOL_PORTS):
                yield path, line, f"includes {name}: the way to the engine and the runtime is {ports}"
        code = without_comments(text)
        for match in re.finditer(r"\b(?:engine|runtime)::", code):
            yield path, line_of(text, match.start()), f"names {match[0]}: tools name what tool_port.hpp has in `tools`"


_CODE = "// " + SPDX + "\n"
_TOP = _CODE + "#pragma once\n"

RULES = {
    tools_use_the_tool_ports: [
        ({"src/engine/state/warp.hpp": _TOP,
          "src/check/order/flags.cpp": _CODE + '#include "../../engine/state/warp.hpp"\n'}, "src/check/order/flags.cpp"),
        ({"src/engine/tools/tool_port.hpp": _TOP,
          "src/check/order/flags.cpp": _CODE + '#include "../../engine/tools/tool_port.hpp"\n'}, "src/check/order/flags.cpp"),
        ({"src/engine/state/warp.hpp": _TOP, CHECK_PORTS: _TOP + '#include "../../engine/state/warp.hpp"\n'}, CHECK_PORTS),
        ("src/check/order/flags.cpp", _CODE + "const runtime::stream* s;\n"),
    ],
    tool_floors: [
        ({"src/count/report/program_report.hpp": _TOP,
          "src/count/model/warp_access.hpp": _TOP + '#include "../report/program_report.hpp"\n'},
         "src/count/model/warp_access.hpp"),
        ({"src/check/report/findings.hpp": _TOP,
          "src/check/order/flags.hpp": _TOP + '#include "../report/findings.hpp"\n'}, "src/check/order/flags.hpp"),
        ({"src/check/order/flags.hpp": _TOP,
          "src/engine/sync/team.hpp": _TOP + '#include "../../check/order/flags.hpp"\n'}, "src/engine/sync/team.hpp"),
    ],
    engine_floors: [
        ("src/engine/state/block.hpp", _TOP + '#include "engine/sync/team.hpp"\n'),
        ("src/engine/sync/team.hpp", _TOP + '#include "engine/report/report.hpp"\n'),
        ("src/engine/attic/team.hpp", _TOP),
        ("src/engine/report/report.hpp", _TOP + '#include "engine/fiber/stack.hpp"\n'),
    ],
    engine_declarations: [
        ({"src/engine/execute/worker.hpp": _TOP + "struct worker { int rank; };\n",
          "src/engine/state/block.hpp": _TOP + "struct worker;\n"}, "src/engine/state/block.hpp"),
        ({"src/engine/sync/team.cpp": _CODE + "int warp::lanes() { return 1; }\n",
          "src/engine/state/warp.hpp": _TOP + "struct warp { int lanes(); };\n"}, "src/engine/sync/team.cpp"),
    ],
    engine_definitions: [
        ("src/engine/sync/team.cpp", _CODE + 'extern "C" {\nvoid cohort_wait_block(void) {}\n}\n'),
        ({CALLS: _CODE + "COHORT_CALL(wait, none, void, cohort_wait_named,\n            (uint32_t number, uint32_t threads), )\n",
          "src/engine/sync/team.cpp": _CODE + "void cohort_wait_named(uint32_t number, uint32_t threads) {}\n"},
         "src/engine/sync/team.cpp"),
        ("src/engine/state/block.cpp", _CODE + "void arrive(int lane) { release(lane); }\n"),
        ({"src/engine/state/block.cpp": _CODE + "int warp::lanes() { return 1; }\n",
          "src/engine/state/warp.hpp": _TOP + "struct warp { int lanes(); };\n"}, "src/engine/state/block.cpp"),
    ],
    engine_is_independent: [
        ("src/engine/state/block.cpp", _CODE + '#include "runtime/memory.hpp"\n'),
        ("src/engine/state/block.cpp", _CODE + "#include <cohort/group/tile.hpp>\n"),
        ("src/engine/state/block.cpp", _CODE + "#include <cuda_runtime.h>\n"),
    ],
    runtime_uses_the_port: [
        ("src/runtime/stream/stream.cpp", _CODE + '#include "engine/state/warp.hpp"\n'),
        ("src/compiler/plugin/entry.cpp", _CODE + '#include "engine/state/warp.hpp"\n'),
    ],
    info_sees_the_settings: [("src/info/main.cpp", _CODE + '#include "engine/state/warp.hpp"\n')],
}

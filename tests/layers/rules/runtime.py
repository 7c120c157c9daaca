# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of the runtime, and for the libraries above it."""

import posixpath

from rules.files import SPDX
from rules.floors import declarations_above
from sources import includes, is_code

# The rooms of src/runtime, lowest floor first (docs/design/architecture.md). The rooms of one floor do not include each
# other. A room may have a floor before it holds files.
FLOORS = [["state"], ["error", "ipc", "process", "trace"], ["schedule"], ["guard"], ["module"], ["memory"],
          ["library"], ["tools"], ["stream", "launch", "image", "texture"], ["graph"], ["device"],
          ["device_runtime", "driver"]]

# The folders inside a room, lowest floor first; "" is the room's own folder.
INNER_FLOORS = {
    "graph": [["model"], ["node"], ["launch"], [""]],
    "memory": [["pool"], [""], ["array", "graph", "virtual"], ["copy", "async", "calls"]],
}

# Libraries with CUDA's names, each a room of its own above the public runtime API, and the room that they share.
LIBRARIES = ["src/libraries/", "src/nvrtc/"]
SHARED_BY_LIBRARIES = "src/libraries/common/"


def room_of(path):
    """The folder or file directly below src/runtime, or None."""
    return path.split("/")[2] if path.startswith("src/runtime/") and is_code(path) else None


def floor_of(path):
    room = room_of(path)
    return next((number for number, floor in enumerate(FLOORS) if room in floor), None)


def inner_floor_of(path):
    """The floor of a file inside its room, or None where the room has no inner floors or does not list the folder."""
    folder = posixpath.relpath(posixpath.dirname(path), "src/runtime/" + room_of(path)).replace(".", "")
    return next((number for number, floor in enumerate(INNER_FLOORS[room_of(path)]) if folder in floor), None)


def runtime_floors(tree):
    for path in tree:
        if room_of(path) is None:
            continue
        if floor_of(path) is None:
            yield path, 1, f"{room_of(path)} is on no floor of the runtime: {FLOORS}"
            continue
        for line, target, name in includes(tree, path):
            if room_of(target or "") in (None, room_of(path)):
                continue
            if floor_of(target) is None or floor_of(target) >= floor_of(path):
                yield path, line, f"includes {name}, which is not below"


def runtime_inner_floors(tree):
    for path in tree:
        if room_of(path) not in INNER_FLOORS:
            continue
        if inner_floor_of(path) is None:
            yield path, 1, f"the folder is on no floor of its room: {INNER_FLOORS[room_of(path)]}"
            continue
        for line, target, name in includes(tree, path):
            if room_of(target or "") != room_of(path) or posixpath.dirname(target) == posixpath.dirname(path):
                continue
            other = inner_floor_of(target)
            if other is None or other >= inner_floor_of(path):
                yield path, line, f"includes {name}, which is not below"


def runtime_declarations(tree):
    yield from declarations_above(tree, floor_of)


def library_of(path):
    """The folder of the library that a file belongs to, or None."""
    if not path.startswith(tuple(LIBRARIES)) or not is_code(path):
        return None
    depth = 3 if path.startswith("src/libraries/") else 2
    return "/".join(path.split("/")[:depth]) + "/"


def libraries_see_the_runtime_api(tree):
    """A library is written as a program would write it: over CUDA's headers, without the runtime's own."""
    for path in tree:
        library = library_of(path)
        for line, target, name in includes(tree, path) if path.startswith(("include/", "src/")) else ():
            if library is None and library_of(target or ""):
                yield path, line, f"includes {name}: a library is used through CUDA's headers"
            elif library and target and not target.startswith((library, SHARED_BY_LIBRARIES, "include/cudart/")):
                yield path, line, f"includes {name}: a library sees CUDA's headers, the libraries' common room and its own files"


_CODE = "// " + SPDX + "\n"
_TOP = _CODE + "#pragma once\n"
_EVENT = {"src/runtime/stream/event.hpp": _TOP + "struct event { int mark; };\n"}
_HEADERS = {path: _TOP for path in (
    "src/runtime/graph/node/node_work.hpp", "src/runtime/memory/allocation_table.hpp",
    "src/runtime/memory/graph/graph_memory.hpp", "src/runtime/memory/virtual/address_space.hpp",
    "src/runtime/texture/array.hpp", "src/runtime/schedule/scheduler.hpp", "src/libraries/cublas/handle.hpp",
    "src/compiler/driver/options/options.hpp", "src/nvrtc/program.hpp")}

RULES = {
    runtime_floors: [
        ({**_EVENT, "src/runtime/state/stream.hpp": _TOP + '#include "../stream/event.hpp"\n'}, "src/runtime/state/stream.hpp"),
        ({**_EVENT, "src/runtime/launch/launch.cpp": _CODE + '#include "../stream/event.hpp"\n'}, "src/runtime/launch/launch.cpp"),
        ({**_HEADERS, "src/runtime/guard/guard.cpp": _CODE + '#include "../memory/allocation_table.hpp"\n'},
         "src/runtime/guard/guard.cpp"),
        ({**_HEADERS, "src/runtime/memory/copy/copy.cpp": _CODE + '#include "../../texture/array.hpp"\n'},
         "src/runtime/memory/copy/copy.cpp"),
        ("src/runtime/attic/stream.hpp", _TOP),
        ("src/runtime/stream.cpp", _CODE),
    ],
    runtime_inner_floors: [
        ({**_HEADERS, "src/runtime/memory/allocation_table.cpp": _CODE + '#include "graph/graph_memory.hpp"\n'},
         "src/runtime/memory/allocation_table.cpp"),
        ({**_HEADERS, "src/runtime/memory/graph/graph_memory.cpp": _CODE + '#include "../virtual/address_space.hpp"\n'},
         "src/runtime/memory/graph/graph_memory.cpp"),
        ("src/runtime/memory/attic/table.hpp", _TOP),
        ({**_HEADERS, "src/runtime/graph/model/graph.hpp": _TOP + '#include "../node/node_work.hpp"\n'},
         "src/runtime/graph/model/graph.hpp"),
    ],
    runtime_declarations: [
        ({**_EVENT, "src/runtime/state/stream.hpp": _TOP + "struct event;\n"}, "src/runtime/state/stream.hpp"),
    ],
    libraries_see_the_runtime_api: [
        ({**_HEADERS, "src/libraries/curand/generator.cpp": _CODE + '#include "../../runtime/schedule/scheduler.hpp"\n'},
         "src/libraries/curand/generator.cpp"),
        ({**_HEADERS, "src/libraries/curand/generator.cpp": _CODE + '#include "../cublas/handle.hpp"\n'},
         "src/libraries/curand/generator.cpp"),
        ({**_HEADERS, "src/libraries/common/handle.cpp": _CODE + '#include "../cublas/handle.hpp"\n'},
         "src/libraries/common/handle.cpp"),
        ("src/libraries/curand/generator.cpp", _CODE + "#include <cohort/machine/cpu/port.hpp>\n"),
        ({**_HEADERS, "src/nvrtc/program.cpp": _CODE + '#include "../compiler/driver/options/options.hpp"\n'},
         "src/nvrtc/program.cpp"),
        ({**_HEADERS, "src/runtime/driver/module.cpp": _CODE + '#include "../../nvrtc/program.hpp"\n'},
         "src/runtime/driver/module.cpp"),
    ],
}

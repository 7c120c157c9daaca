# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of the runtime."""

from rules.files import SPDX
from rules.floors import declarations_above
from sources import includes, is_code

# The rooms of src/runtime, lowest floor first (docs/design/architecture.md). The rooms of one floor do not include each
# other, except those of MEMORY: device variables are memory, and a guard reports both by name.
MEMORY = ["guard", "module", "memory"]
FLOORS = [["state"], ["error", "ipc", "process", "trace"], ["schedule"], MEMORY, ["stream", "launch", "image"],
          ["graph"], ["device"], ["driver"]]


def room_of(path):
    """The folder or file directly below src/runtime, or None."""
    return path.split("/")[2] if path.startswith("src/runtime/") and is_code(path) else None


def floor_of(path):
    room = room_of(path)
    return next((number for number, floor in enumerate(FLOORS) if room in floor), None)


def runtime_floors(tree):
    for path, text in tree.items():
        if room_of(path) is None:
            continue
        if floor_of(path) is None:
            yield path, 1, f"{room_of(path)} is on no floor of the runtime: {FLOORS}"
            continue
        for line, target, name in includes(path, text):
            other = room_of(target or "")
            if other in (None, room_of(path)) or (other in MEMORY and room_of(path) in MEMORY):
                continue
            if floor_of(target) is None or floor_of(target) >= floor_of(path):
                yield path, line, f"includes {name}, which is not below"


def runtime_declarations(tree):
    yield from declarations_above(tree, floor_of)


_CODE = "// " + SPDX + "\n"
_TOP = _CODE + "#pragma once\n"
_EVENT = {"src/runtime/stream/event.hpp": _TOP + "struct event { int mark; };\n"}

RULES = {
    runtime_floors: [
        ({**_EVENT, "src/runtime/state/stream.hpp": _TOP + '#include "../stream/event.hpp"\n'}, "src/runtime/state/stream.hpp"),
        ({**_EVENT, "src/runtime/launch/launch.cpp": _CODE + '#include "../stream/event.hpp"\n'}, "src/runtime/launch/launch.cpp"),
        ("src/runtime/attic/stream.hpp", _TOP),
        ("src/runtime/stream.cpp", _CODE),
    ],
    runtime_declarations: [
        ({**_EVENT, "src/runtime/state/stream.hpp": _TOP + "struct event;\n"}, "src/runtime/state/stream.hpp"),
    ],
}

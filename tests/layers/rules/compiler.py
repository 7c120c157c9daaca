# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the floors of the compiler's plugin."""

from rules.files import SPDX
from rules.floors import declarations_above
from sources import includes, is_code

# The rooms of src/compiler/plugin, lowest floor first (docs/design/compiler.md). lowering.hpp lists the steps, and all
# but the frontend use its types. Gangs are versions of kernels beside the loops and use parts of them.
FLOORS = ["facts", "frontend", "lowering.hpp", "analysis", "arithmetic", "lower", "math", "convergence", "check", "loops",
          "gang", "plugin.cpp"]

PLUGIN = "src/compiler/plugin/"


def room_of(path):
    """The folder or file directly below the plugin's folder, or None."""
    return path.split("/")[3] if path.startswith(PLUGIN) and is_code(path) else None


def floor_of(path):
    return FLOORS.index(room_of(path)) if room_of(path) in FLOORS else None


def plugin_floors(tree):
    for path, text in tree.items():
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


def plugin_declarations(tree):
    yield from declarations_above(tree, lambda path: None if path.endswith("/lowering.hpp") else floor_of(path))


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
    plugin_declarations: [
        ({**_WAITING, PLUGIN + "frontend/facts.hpp": _TOP + "struct waiting;\n"}, PLUGIN + "frontend/facts.hpp"),
    ],
}

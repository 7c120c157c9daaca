# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for the includes of src/engine, and for the ways to it."""

import re

from rules.files import SPDX
from sources import includes, is_code

SETTINGS = "src/engine/launch/settings.hpp"  # declares the list of COHORT_* variables


def engine_knows_nothing_above(tree):
    allowed = re.compile(r"include/cohort/(base/|machine/cpu/port\.hpp$)|src/engine/")
    for path, text in tree.items():
        if not path.startswith("src/engine/") or not is_code(path):
            continue
        for line, target, name in includes(path, text):
            local = target in tree or (target or "").startswith("include/")
            if target and not (allowed.match(target) and local) and "src/engine/" + name not in tree:
                yield path, line, f"includes {name}: the engine includes base, port.hpp and itself"
            if target is None and re.match(r"cuda|cooperative_groups|nvrtc|runtime/", name):
                yield path, line, f"includes <{name}>: the engine never sees CUDA"


def runtime_uses_the_port(tree):
    """The runtime reaches the engine through port.hpp, and the compiler shares no code with either."""
    for path, text in tree.items():
        if not path.startswith(("src/runtime/", "src/compiler/")) or not is_code(path):
            continue
        for line, target, name in includes(path, text):
            if (target or name).startswith("src/engine/") or name.startswith("engine/"):
                yield path, line, f"includes {name}: the way to the engine is port.hpp"


def info_sees_the_settings(tree):
    """cohort-info prints the engine's settings and what the runtime API returns: it includes nothing else of src."""
    for path, text in tree.items():
        if not path.startswith("src/info/") or not is_code(path):
            continue
        for line, target, name in includes(path, text):
            if (target or "").startswith("src/") and not target.startswith("src/info/") and target != SETTINGS:
                yield path, line, f"includes {name}: cohort-info sees {SETTINGS} and the runtime API"


_CODE = "// " + SPDX + "\n"

RULES = {
    engine_knows_nothing_above: [
        ("src/engine/state/block.cpp", _CODE + '#include "../../runtime/memory.hpp"\n'),
        ("src/engine/state/block.cpp", _CODE + "#include <cohort/group/tile.hpp>\n"),
        ("src/engine/state/block.cpp", _CODE + "#include <cuda_runtime.h>\n"),
    ],
    runtime_uses_the_port: [
        ("src/runtime/stream/stream.cpp", _CODE + '#include "../../engine/state/warp.hpp"\n'),
        ("src/compiler/plugin/entry.cpp", _CODE + '#include "engine/state/warp.hpp"\n'),
    ],
    info_sees_the_settings: [("src/info/main.cpp", _CODE + '#include "../engine/state/warp.hpp"\n')],
}

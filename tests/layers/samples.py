# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small trees that break one rule each, and one that breaks none: the rules are tested before they are used."""

import rules

_TOP = "// " + rules.SPDX + "\n#pragma once\n"

GOOD = {
    "include/cohort/base/config.hpp": _TOP + "#if defined(__CUDACC__)\n#endif\n",
    "include/cohort/machine/this_machine.hpp": _TOP + '#include "../base/config.hpp"\n#if __CUDA_ARCH__\n#endif\n',
    "include/cohort/machine/ptx/vote.hpp": _TOP + 'inline void f() { asm("vote"); }\n',
    "include/cohort/machine/cpu/port.hpp": _TOP + "#include <stdint.h>\nvoid cohort_wait_block(void);\n",
    "include/cohort/group/tile.hpp": _TOP + '#include "../machine/this_machine.hpp"\n// asm is a word here\n',
    "include/cohort/collective/reduce.hpp": _TOP + '#include "../group/tile.hpp"\n',
    "include/cohort/cohort.hpp": _TOP + '#include "collective/reduce.hpp"\n',
    "include/compat/cooperative_groups.h": _TOP + "#include <cohort/cohort.hpp>\n",
    "src/engine/warp.hpp": _TOP + "#include <vector>\n#include <cohort/machine/cpu/port.hpp>\nvoid arrive(int lane);\n",
    "src/engine/fiber/switch_x86_64.S": "# " + rules.SPDX + "\n",
    "src/runtime/memory.cpp": "// " + rules.SPDX + "\n#include <cohort/machine/cpu/port.hpp>\n",
    "tools/x.sh": "#!/bin/bash\n# " + rules.SPDX + "\n",
    "tests/CMakeLists.txt": "# " + rules.SPDX + '\n# No PASS_REGULAR_EXPRESSION\nadd_test(NAME a COMMAND sh -c "b || c")\n',
    "HACKING.md": "Then `src/engine/warp.hpp: arrive` runs, see [the notes](docs/notes.md).\n",
    "docs/notes.md": "Notes.\n",
}

# rule -> (file, its text): the tree is GOOD with this file added or replaced.
BAD = {
    rules.spdx: [("src/engine/warp.hpp", "#pragma once\n"), ("tools/x.sh", "#!/bin/bash\n")],
    rules.include_direction: [
        ("include/cohort/base/dim3.hpp", _TOP + '#include "../machine/this_machine.hpp"\n'),
        ("include/cohort/group/grid.hpp", _TOP + "#include <cohort/collective/reduce.hpp>\n"),
        ("include/cohort/collective/scan.hpp", _TOP + '#include "../../compat/cooperative_groups.h"\n'),
        ("include/cohort/machine/concept.hpp", _TOP + '#include "../../../src/engine/warp.hpp"\n'),
    ],
    rules.machine_behind_its_contract: [
        ("include/cohort/group/grid.hpp", _TOP + '#include "../machine/cpu/port.hpp"\n'),
        ("include/cohort/collective/scan.hpp", _TOP + "inline void f() { cohort_wait_block(); }\n"),
    ],
    rules.light_headers: [("include/cohort/group/grid.hpp", _TOP + "#include <vector>\n")],
    rules.engine_knows_nothing_above: [
        ("src/engine/block.cpp", "// " + rules.SPDX + '\n#include "../runtime/memory.hpp"\n'),
        ("src/engine/block.cpp", "// " + rules.SPDX + "\n#include <cohort/group/tile.hpp>\n"),
        ("src/engine/block.cpp", "// " + rules.SPDX + "\n#include <cuda_runtime.h>\n"),
    ],
    rules.runtime_uses_the_port: [
        ("src/runtime/stream.cpp", "// " + rules.SPDX + '\n#include "../engine/warp.hpp"\n'),
        ("src/compiler/plugin/entry.cpp", "// " + rules.SPDX + '\n#include "engine/warp.hpp"\n'),
    ],
    rules.assembly_in_two_places: [
        ("include/cohort/group/grid.hpp", _TOP + 'inline void f() { asm volatile("bar.sync 0;"); }\n'),
        ("src/engine/fiber.cpp", "// " + rules.SPDX + '\nvoid f() { __asm__("pause"); }\n'),
        ("src/engine/fiber_x86_64.S", "# " + rules.SPDX + "\n"),
    ],
    rules.backend_conditions: [
        ("include/cohort/group/grid.hpp", _TOP + "#ifdef __CUDA_ARCH__\n#endif\n"),
        ("include/cohort/collective/scan.hpp", _TOP + "#if COHORT_CUDA_SOURCE\n#endif\n"),
        ("include/cohort/machine/reference.hpp", _TOP + "#  if defined(COHORT_MACHINE_PTX)\n#endif\n"),
    ],
    rules.portable_collectives: [("include/cohort/collective/scan.hpp", _TOP + "int m = __activemask();\n")],
    rules.header_guard: [("src/engine/block.hpp", "// " + rules.SPDX + "\n")],
    rules.short_files: [("src/engine/block.cpp", "// " + rules.SPDX + "\n" + "int x;\n" * rules.MAX_LINES)],
    rules.clean_lines: [
        ("src/engine/block.cpp", "// " + rules.SPDX + "\n//" + "x" * rules.MAX_COLUMNS + "\n"),
        ("src/engine/block.cpp", "// " + rules.SPDX + "\nint x; \n"),
        ("src/engine/block.cpp", "// " + rules.SPDX + "\n// \u00e9\n"),
    ],
    rules.nothing_private: [
        ("docs/notes.md", "See /home/somebody/cohort.\n"),
        ("src/engine/block.cpp", "// " + rules.SPDX + "\n// TODO: the rest\n"),
    ],
    rules.tour_is_true: [
        ("HACKING.md", "Then `src/engine/wrap.hpp: arrive` runs.\n"),
        ("HACKING.md", "Then `src/engine/warp.hpp: depart` runs.\n"),
    ],
    rules.exit_status_counts: [
        ("tests/CMakeLists.txt", "# " + rules.SPDX + '\nset_tests_properties(a PROPERTIES PASS_REGULAR_EXPRESSION "b")\n'),
        ("tests/CMakeLists.txt", "# " + rules.SPDX + '\nadd_test(NAME a\n  COMMAND sh -c "b | diff - c")\n'),
    ],
    rules.links_lead_somewhere: [("HACKING.md", "See [the notes](docs/note.md).\n")],
}


def problems():
    """What is wrong with the rules themselves; empty when each of them finds its samples and nothing else."""
    found = []
    for rule in rules.ALL:
        for path, line, sentence in rule(GOOD):
            found.append(f"rule {rule.__name__} complains about a good sample: {path}:{line}: {sentence}")
        if not BAD.get(rule):
            found.append(f"rule {rule.__name__} has no bad sample")
        for path, text in BAD.get(rule, []):
            if not any(where == path for where, _, _ in rule({**GOOD, path: text})):
                found.append(f"rule {rule.__name__} does not see the bad sample {path}: {text!r}")
    return found

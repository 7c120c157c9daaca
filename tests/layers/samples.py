# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small tree that breaks no rule, and the check of the rules themselves: each is tried before it is used."""

from rules import ALL
from rules.files import SPDX

_CODE = "// " + SPDX + "\n"
_TOP = _CODE + "#pragma once\n"

GOOD = {
    "include/cohort/base/config.hpp": _TOP + "#if defined(__CUDACC__)\n#endif\n",
    "include/cohort/base/user_macros/off.hpp": _CODE + '#pragma push_macro("Size")\n#undef Size\n#pragma push_macro("T")\n'
                                               "#undef T\n",
    "include/cohort/base/user_macros/on.hpp": _CODE + '#pragma pop_macro("Size")\n#pragma pop_macro("T")\n',
    "include/cohort/machine/this_machine.hpp": _TOP + '#include "../base/config.hpp"\n#if __CUDA_ARCH__\n#endif\n',
    "include/cohort/machine/ptx/vote.hpp": _TOP + 'inline void f() { asm("vote"); }\n',
    "include/cohort/machine/cpu/port.hpp": _TOP + "#include <stdint.h>\nvoid cohort_wait_block(void);\n",
    "include/cohort/group/tile.hpp": _TOP + '#include "../machine/this_machine.hpp"\n// asm is a word here\n'
                                     "namespace cohort {\ntemplate <int Size>\nstruct tile {\n  int size() const;\n};\n}\n",
    "include/cohort/collective/reduce.hpp": _TOP + '#include "../group/tile.hpp"\nnamespace cohort {\ntemplate <class T>\n'
                                            "T reduce(const T& value) {\n  return value;\n}\n}\n",
    "include/cohort/launch/config.hpp": _TOP + '#include "../machine/cpu/port.hpp"\n',
    "include/cohort/cohort.hpp": _TOP + '#include "base/user_macros/off.hpp"\n#include "collective/reduce.hpp"\n'
                                 '#include "base/user_macros/on.hpp"\n',
    "include/compat/cooperative_groups.h": _TOP + "#include <cohort/base/user_macros/off.hpp>\n"
                                           "#include <cohort/cohort.hpp>\n#include <cohort/base/user_macros/on.hpp>\n",
    "src/engine/state/warp.hpp": _TOP + "#include <vector>\n#include <cohort/machine/cpu/port.hpp>\nvoid arrive(int lane);\n",
    "src/engine/sync/team.hpp": _TOP + '#include "engine/state/warp.hpp"\n' + "inline int next() { return 1; }\n" * 50,
    "src/engine/fiber/switch_x86_64.S": "# " + SPDX + "\n",
    "src/runtime/memory/memory.cpp": _CODE + "#include <cohort/machine/cpu/port.hpp>\n",
    "tools/x.sh": "#!/bin/bash\n# " + SPDX + "\nset -euo pipefail\n",
    "tests/CMakeLists.txt": "# " + SPDX + '\n# No PASS_REGULAR_EXPRESSION\nadd_test(NAME a COMMAND sh -c "b || c")\n',
    "tests/group/tile_test.cpp": _CODE,
    "tests/README.md": "| [group](group) | groups |\n",
    "HACKING.md": "Then `src/engine/state/warp.hpp: arrive` runs, see [the notes](docs/notes.md#a-heading).\n",
    "docs/notes.md": "# A heading\n\nNotes, in [this folder](../docs).\n\n| " + "cell " * 30 + "|\n\n```\n" + "code " * 22
                     + "\n```\n\nhttps://" + "x" * 100 + "\n\n<!-- made by a tool -->\n" + "word " * 30 + "\n<!-- end -->\n",
}


def problems():
    """Sentences about the rules themselves; none when each rule finds its bad samples and nothing in the good tree."""
    for rule, bad_samples in ALL.items():
        for path, line, sentence in rule(GOOD):
            yield f"rule {rule.__name__} complains about a good sample: {path}:{line}: {sentence}"
        if not bad_samples:
            yield f"rule {rule.__name__} has no bad sample"
        for sample, detail in bad_samples:
            files, path = (sample, detail) if isinstance(sample, dict) else ({sample: detail}, sample)
            if not any(where == path for where, _, _ in rule({**GOOD, **files})):
                yield f"rule {rule.__name__} misses the bad sample {path}: {files}"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that keep what is peculiar to one machine in its folder."""

import posixpath
import re

from rules.files import SPDX
from rules.floors import floor_of
from sources import code_lines, is_code, line_of, without_comments, without_strings

PTX = "include/cohort/machine/ptx"
MAX_PTX_SHARE = 0.05

CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b.*$", re.M)


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
    """Lists the files that may test with #if what they are compiled for."""
    allowed = {
        "COHORT_CUDA_SOURCE": {"include/cohort/base/config.hpp", "include/cohort/machine/cpu/port/kernel_calls.hpp",
                               "include/cohort/machine/this_machine.hpp", "include/cohort/launch.hpp",
                               "include/cohort/base/dim3.hpp", "include/cohort/shared.hpp",
                               "include/cohort/launch/start/prepare.hpp"},
        # These files are also compiled as C or an older C++, before config.hpp's own test.
        "__CUDACC__": {"include/cohort/base/config.hpp", "include/compat/cooperative_groups.h"},
        "__CUDA__": {"include/cohort/base/config.hpp", "include/compat/cooperative_groups.h"},
        "__NVCC__": {"include/cohort/base/config.hpp"},
        "__CUDA_ARCH__": {"include/cohort/machine/this_machine.hpp"},
        "COHORT_CUDA_ON_CPU": {"include/cohort/base/config.hpp", "include/cohort/machine/this_machine.hpp"},
    }
    for path, text in tree.items():
        if floor_of(path) is None:
            continue
        for match in CONDITION.finditer(without_comments(text)):
            for word in re.findall(r"\w+", match.group(0)):
                places = allowed.get(word)
                # Inside the PTX machine, the target decides which instructions exist.
                if word == "__CUDA_ARCH__" and path.startswith(PTX + "/"):
                    continue
                if word.startswith("COHORT_MACHINE_"):
                    places = {"include/cohort/machine/this_machine.hpp"}
                if places is not None and path not in places:
                    yield path, line_of(text, match.start()), f"#if on {word}: only this_machine.hpp chooses a machine"


def vendor_calls_in_one_folder(tree):
    """The runtime of another vendor is one more folder beside launch/cuda/api."""
    for path, text in tree.items():
        if path.startswith("include/cohort/launch/") and not path.startswith("include/cohort/launch/cuda/api/"):
            for match in re.finditer(r"\b(?:cuda|cu|CU)[A-Z]\w*|\bcuda_runtime\w*", without_strings(text)):
                yield path, line_of(text, match.start()), f"{match.group(0)}: only launch/cuda/api names CUDA's calls"


def portable_collectives(tree):
    for path, text in tree.items():
        if path.startswith(("include/cohort/group/", "include/cohort/collective/")):
            for match in re.finditer(r"\b(?:__CUDA_ARCH__|__activemask|fiber)\b", without_comments(text)):
                yield path, line_of(text, match.start()), f"'{match.group(0)}' belongs to a machine"


def ptx_holds_instructions(tree):
    """A backend that grows is a second implementation of the library: tuned algorithms have folders of their own."""
    own = total = 0
    for path, text in tree.items():
        if path.startswith(("include/cohort/", "src/")) and is_code(path):
            lines = code_lines(text)
            total += lines
            own += lines if posixpath.dirname(path) == PTX else 0
    if own > MAX_PTX_SHARE * total:
        yield PTX, 1, (f"{own} of {total} lines of code in include/cohort and src are here; "
                       f"the limit is {100 * MAX_PTX_SHARE:.0f} %")


_TOP = "// " + SPDX + "\n#pragma once\n"

RULES = {
    assembly_in_two_places: [
        ("include/cohort/group/grid.hpp", _TOP + 'inline void f() { asm volatile("bar.sync 0;"); }\n'),
        ("src/engine/fiber/stack.cpp", "// " + SPDX + '\nvoid f() { __asm__("pause"); }\n'),
        ("src/engine/fiber/fiber_x86_64.S", "# " + SPDX + "\n"),
    ],
    backend_conditions: [
        ("include/cohort/group/grid.hpp", _TOP + "#ifdef __CUDA_ARCH__\n#endif\n"),
        ("include/cohort/collective/scan.hpp", _TOP + "#if COHORT_CUDA_SOURCE\n#endif\n"),
        ("include/cohort/machine/contract/reference.hpp", _TOP + "#  if defined(COHORT_MACHINE_PTX)\n#endif\n"),
    ],
    vendor_calls_in_one_folder: [
        ("include/cohort/launch/cuda/device/guard.hpp", _TOP + "inline void f(int d) { cudaSetDevice(d); }\n"),
        ("include/cohort/launch/config.hpp", _TOP + "#include <cuda_runtime.h>\n"),
    ],
    portable_collectives: [("include/cohort/collective/scan.hpp", _TOP + "int m = __activemask();\n")],
    ptx_holds_instructions: [({PTX + "/scan.hpp": _TOP + "int x;\n" * 9}, PTX)],
}

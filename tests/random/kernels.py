# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels, each determined by its number, and the program that runs several of them."""

import random

import group_kernels
from barriers import Barriers
from collectives import Collectives
from kernel import FAILING, Kernel
from statements import Statements

FUNCTIONS = ("sinf", "cosf", "expf", "tanhf", "log1pf")
SHAPES = ("32", "33", "100", "256", "16, 16", "8, 4, 2", "64, 2", "7, 5", "1")
# kind: weight
KINDS = {"integers": 30, "floats": 16, "fused": 10, "functions": 4, "prints": 4, "barriers": 24, "collectives": 24,
         "float_collectives": 6, "misuse": 6}
ALL_KINDS = tuple(dict.fromkeys((*KINDS, *FAILING, *group_kernels.KINDS)))
FIRST_WITH_GROUPS = 1000000  # numbers from here on are kernels with groups


def kernel(number):
    """The kernel of this number, the same in every run."""
    chance = random.Random(number)
    if number >= FIRST_WITH_GROUPS:
        return group_kernels.kernel(chance, f"k{number}")
    kind = chance.choices(list(KINDS), KINDS.values())[0]
    if kind == "misuse":
        kind = chance.choice(FAILING)
    floats = kind in ("floats", "fused", "functions", "float_collectives")
    if kind in ("barriers", "barrier_assertions"):
        make = Barriers(chance, floats=chance.random() < 0.3, assertions=kind == "barrier_assertions")
    elif kind in ("collectives", "float_collectives", "misuse"):
        make = Collectives(chance, misuse=kind == "misuse", floats=floats)
    else:
        make = Statements(chance, floats=floats, functions=FUNCTIONS if kind == "functions" else (), prints=kind == "prints",
                          assertions=kind == "assertions")
    flat = chance.random() < 0.6
    shapes = [shape for shape in SHAPES if not flat or "," not in shape]
    # One shape is enough for a failing kernel, because a failure ends the launch. Its report must not depend on the
    # order of blocks.
    shapes = chance.sample(shapes, 1 if kind in FAILING else 3)
    return Kernel(f"k{number}", kind, flat, shapes, make.declarations(), make.body())


def program(kernels):
    sources = "\n".join(one.source() for one in kernels)
    launches = "".join(f"{one.launch()}\n" for one in kernels)
    rows = "".join(f'    {{"{one.name}", launch_{one.name}, {{{shape}}}, {one.blocks}, {flag(one.may_fail)}, '
                   f"{flag(one.extends_cuda(shape))}}},\n" for one in kernels for shape in one.shapes)
    groups = "#define RANDOM_GROUPS\n" if any(one.waits for one in kernels) else ""
    support = "group_support.hpp" if any(isinstance(one, group_kernels.GroupKernel) for one in kernels) else "kernel_support.hpp"
    return (f'{groups}#include "{support}"\n#include "launches.hpp"\n\n{sources}\n{launches}\n'
            f"const launch_row rows[] = {{\n{rows}}};\n\nint main(int count, char** words) {{ return run(rows, count, words); }}\n")


def flag(value):
    return "true" if value else "false"

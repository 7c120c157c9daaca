# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels, each determined by its number, and the program that runs several of them."""

import dataclasses
import random

from barriers import Barriers
from collectives import Collectives
from nodes import text
from statements import VARIABLES, Statements

FUNCTIONS = ("sinf", "cosf", "expf", "tanhf", "log1pf")
SHAPES = ("32", "33", "100", "256", "16, 16", "8, 4, 2", "64, 2", "7, 5", "1")
# kind: weight
KINDS = {"integers": 30, "floats": 16, "fused": 10, "functions": 4, "prints": 4, "barriers": 24, "collectives": 24,
         "float_collectives": 6, "misuse": 6}
# Kinds that take the place of a part of "misuse", so that other kernels keep their numbers.
FAILING = ("misuse", "assertions", "barrier_assertions")
ALL_KINDS = tuple(dict.fromkeys((*KINDS, *FAILING)))


@dataclasses.dataclass
class Kernel:
    name: str
    kind: str
    flat: bool  # indexed in one dimension
    shapes: list
    declarations: str
    body: list

    @property
    def has_model(self):
        return self.kind in ("integers", "floats", "prints", "barriers")

    @property
    def has_one_meaning(self):
        """True if its bits do not depend on the optimization level."""
        return self.kind not in ("fused", "functions")

    @property
    def waits(self):
        return self.kind in ("barriers", "collectives", "float_collectives", "misuse", "barrier_assertions")

    @property
    def may_fail(self):
        return self.kind in FAILING

    def source(self):
        contracts = "" if self.kind == "fused" else "  RANDOM_EXACT\n"
        rank = "threadIdx.x" if self.flat else "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
        size = "blockDim.x" if self.flat else "blockDim.x * blockDim.y * blockDim.z"
        thread = "blockIdx.x * blockDim.x + threadIdx.x" if self.flat else "blockIdx.x * size + rank"
        shared = "  __shared__ u32 shared[1024];\n  shared[rank] = 0;\n  __syncthreads();\n" if self.waits else ""
        return (f"__global__ void {self.name}(const arguments a) {{\n{contracts}"
                f"  const u32 rank = {rank}, size = {size}, t = {thread};\n"
                f"  RANDOM_START(rank, size, t)\n{shared}"
                "  u32* const out = a.out + t * words_per_thread;\n"
                "  u32 own[8] = {t, rank, size, 3, a.n, 5, 6, 7};\n  record records[4] = {{1, 2, 3}, {4, 5, t}, {7, 8, 9}, {10, 11, 12}};\n"
                f"{self.declarations}{text(self.body)}\n"
                + "".join(f"  put(out, {i}u, v{i});\n" for i in range(VARIABLES))
                + "  put(out, 11u, own[t & 7u] + records[t & 3u].c);\n}\n")


def kernel(number):
    """The kernel of this number, the same in every run."""
    chance = random.Random(number)
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
    # A failure ends its launch, so one shape is enough; its report must not depend on the order of blocks.
    shapes = chance.sample(shapes, 1 if kind in FAILING else 3)
    return Kernel(f"k{number}", kind, flat, shapes, make.declarations(), make.body())


def program(kernels):
    sources = "\n".join(one.source() for one in kernels)
    launches = "".join(f"RANDOM_LAUNCH({one.name})\n" for one in kernels)
    blocks = {one.name: 1 if one.may_fail else 2 for one in kernels}
    rows = "".join(f'    {{"{one.name}", launch_{one.name}, {{{shape}}}, {blocks[one.name]}}},\n'
                   for one in kernels for shape in one.shapes)
    groups = "#define RANDOM_GROUPS\n" if any(one.waits for one in kernels) else ""
    return (f'{groups}#include "kernel_support.hpp"\n#include "launches.hpp"\n\n{sources}\n{launches}\n'
            f"const launch_row rows[] = {{\n{rows}}};\n\nint main(int count, char** words) {{ return run(rows, count, words); }}\n")

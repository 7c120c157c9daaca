# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random kernel: its syntax tree and its text."""

import dataclasses

from nodes import text
from statements import VARIABLES

# Kinds that replace a part of the kind "misuse": the other kernels keep their numbers.
FAILING = ("misuse", "assertions", "barrier_assertions")


@dataclasses.dataclass
class Kernel:
    name: str
    kind: str
    flat: bool  # the block is indexed in one dimension
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
    def blocks(self):
        """The number of blocks: 1 for a failing kernel, because its report must not depend on the order of blocks."""
        return 1 if self.may_fail else 2

    @property
    def waits(self):
        return self.kind in ("barriers", "collectives", "float_collectives", "misuse", "barrier_assertions")

    @property
    def may_fail(self):
        return self.kind in FAILING

    def extends_cuda(self, shape):
        """True if CUDA leaves the launch with blocks of this shape undefined."""
        return False

    def launch(self):
        return f"RANDOM_LAUNCH({self.name})"

    def source(self):
        contracts = "" if self.kind == "fused" else "  RANDOM_EXACT\n"
        rank = "threadIdx.x" if self.flat else "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
        size = "blockDim.x" if self.flat else "blockDim.x * blockDim.y * blockDim.z"
        thread = "blockIdx.x * blockDim.x + threadIdx.x" if self.flat else "blockIdx.x * size + rank"
        shared = "  RANDOM_SHARED(shared_words, shared);\n  shared[rank] = 0;\n  __syncthreads();\n" if self.waits else ""
        return (f"__global__ void {self.name}(const arguments a) {{\n{contracts}"
                f"  const u32 rank = {rank}, size = {size}, t = {thread};\n"
                f"  RANDOM_START(rank, size, t)\n{shared}"
                f"{self.own_part()}}}\n")

    def own_part(self):
        """The thread's variables, the body, and the stores of all results."""
        return ("  u32* const out = a.out + t * words_per_thread;\n"
                "  u32 own[8] = {t, rank, size, 3, a.n, 5, 6, 7};\n  record records[4] = {{1, 2, 3}, {4, 5, t}, {7, 8, 9}, {10, 11, 12}};\n"
                f"{self.declarations}{text(self.body)}\n"
                + "".join(f"  put(out, {i}u, v{i});\n" for i in range(VARIABLES))
                + "  put(out, 11u, own[t & 7u] + records[t & 3u].c);\n")

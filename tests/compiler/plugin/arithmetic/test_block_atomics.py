# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations on shared memory have no locked instruction; those on other memory have one."""

import platform
import re
import sys
import unittest

import workplace

cohortcc = None
KERNEL = """
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;

__global__ void kernel(unsigned* out) {
  __shared__ unsigned fixed[64];
  extern __shared__ unsigned dynamic[];
  unsigned* const shared = PLACE;
  fixed[threadIdx.x] = 0;
  __syncthreads();
  unsigned* const cell = &shared[fixed[threadIdx.x / 2] + threadIdx.x / 4];
  OPERATIONS;
  __syncthreads();
  out[threadIdx.x] = fixed[threadIdx.x];
}
"""
OPERATIONS = (
    "atomicAdd(cell, 1u)",
    "atomicAdd((float*)cell, 1.0f)",
    "atomicMax((unsigned long long*)cell, 5ull)",
    "atomicXor_block(cell, 7u)",
    "out[threadIdx.x + 64] = atomicInc(cell, 9u)",
    "out[threadIdx.x + 64] = atomicExch(cell, 3u)",
    "out[threadIdx.x + 64] = atomicCAS(cell, 0u, threadIdx.x)",
    "cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*cell).fetch_sub(1, cuda::memory_order_acq_rel)",
)
SHARED = ("fixed", "dynamic", "cg::this_cluster().map_shared_rank(fixed, 0)", "threadIdx.x % 2 ? fixed : dynamic")


@unittest.skipUnless(platform.machine() == "x86_64", "looks for instructions of x86-64")
class BlockAtomics(unittest.TestCase):
    def locked(self, place, operations, *options):
        """The number of locked instructions in the kernel's code."""
        with workplace.workplace(cohortcc) as folder:
            source = folder.write("kernel.cu", KERNEL.replace("PLACE", place).replace("OPERATIONS", "; ".join(operations)))
            compiled = folder.compile(*options, "--cpu=x86-64-v3", "-c", source, "-o", "kernel.o")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            code = folder.run(["objdump", "-d", "kernel.o"]).stdout
            return len(re.findall(r"\tlock |\txchg +%\w+,.*\(", code))

    def test_shared_memory(self):
        self.assertEqual(self.locked("fixed", OPERATIONS, "-O3"), 0)
        for place in SHARED:
            with self.subTest(place=place):
                self.assertEqual(self.locked(place, OPERATIONS[:1], "-O1", "-rdc=true"), 0)

    def test_other_memory(self):
        self.assertGreaterEqual(self.locked("out", OPERATIONS, "-O3"), len(OPERATIONS))
        self.assertGreater(self.locked("threadIdx.x % 2 ? fixed : out", OPERATIONS[:1], "-O3"), 0)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product and a sum of halves are two operations on each CPU; with floats they are one where the CPU has it."""

import platform
import re
import sys
import unittest

import workplace

cohortcc = None
KERNEL = """
#include <cuda_fp16.h>
__global__ void kernel(TYPE* out, const TYPE* a, const TYPE* b) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] * b[threadIdx.x];
}
"""


@unittest.skipUnless(platform.machine() == "x86_64", "looks for instructions of x86-64")
class HalfProducts(unittest.TestCase):
    def code(self, kind, cpu):
        with workplace.workplace(cohortcc) as folder:
            source = folder.write("kernel.cu", KERNEL.replace("TYPE", kind))
            compiled = folder.compile(f"--cpu={cpu}", "-c", source, "-o", "kernel.o")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            return folder.run(["objdump", "-d", "kernel.o"]).stdout

    def test_halves_are_rounded_twice(self):
        for cpu in ("x86-64-v3", "sapphirerapids"):  # the latter has AVX512-FP16
            with self.subTest(cpu):
                code = self.code("__half", cpu)
                self.assertRegex(code, r"vmul[sp][sh]")
                self.assertIsNone(re.search("vfn?madd", code))

    def test_floats_are_fused(self):
        self.assertRegex(self.code("float", "x86-64-v3"), r"vfn?madd")


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that cannot wait: their gangs, and the reports of faults in them."""

import sys
import unittest

import workplace
from gang_runs import widths

cohortcc = None


class StraightKernels(unittest.TestCase):
    def test_which_kernels(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("which.cu", """
#include <cassert>
__global__ void divergent(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
  if (i >= n) return;
  for (unsigned x = p[i]; x != 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
  p[i] = steps;
}
__global__ void straight(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
__global__ void plane(int* p) { p[(blockIdx.y * blockDim.y + threadIdx.y) * 1000 + threadIdx.x] = threadIdx.y; }
__global__ void walks(const int* p, int* q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < n; ++k) sum += p[i * n + k];
  q[i] = sum;
}
__global__ void asserts(int* p, int n) { for (int i = 0; i < n; ++i) assert(p[i] != threadIdx.x); }
__global__ void waits(int* p) { while (*(volatile int*)(p + threadIdx.x)) {} *p = 1; }
""")
            report = place.compile("-O3", "--cohort-report", "-c", source, "-o", "out.o")
            found = widths(report.stderr)
            self.assertTrue(found["divergent"] and found["straight"] and found["asserts"], report.stderr)
            for name, rows in (("straight", "(32|64)"), ("plane", "16")):  # blocks of two dimensions often have rows of 16
                self.assertRegex(next(line for line in report.stderr.splitlines() if f"'{name}'" in line),
                                 f"; blocks of other shapes than rows of {rows} threads run as a loop over their threads")
            self.assertEqual([found[name] for name in ("walks", "waits")], [0] * 2, report.stderr)
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=force=64", "-c", source, "-o", "out.o")
            self.assertEqual(widths(report.stderr), {"divergent": 64, "straight": 64, "plane": 64, "walks": 64,
                                                   "asserts": 64, "waits": 0})
            self.assertIn("loads gather in lines (13)", report.stderr)
            for option in ("-O0", "--cohort-gangs=off"):
                report = place.compile("-O3", "--cohort-report", option, "-c", source, "-o", "out.o")
                self.assertEqual(set(widths(report.stderr).values()), {0})

    def test_fault(self):
        """A vector access may fault at any lane's address: the report names the first thread and its address."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("fault.cu", """
#include <cuda_runtime.h>
__global__ void from_37(int* p) { if (threadIdx.x >= 37) p[threadIdx.x] = 1; }
int main() { from_37<<<1, 128>>>(nullptr); return cudaDeviceSynchronize(); }
""")
            compiled = place.compile("-O3", source, "-o", "fault")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            run = place.run(["./fault"])
            self.assertEqual(run.returncode, 700 % 256, run.stderr)
            self.assertRegex(run.stderr, r"illegal address 0x94 was accessed\n  thread \(37,0,0\) of block \(0,0,0\)")


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

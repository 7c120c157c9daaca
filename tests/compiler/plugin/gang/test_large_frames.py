# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gangs whose frame takes much of their stack."""

import sys
import unittest

import workplace
from gang_runs import widths

cohortcc = None


class LargeFrames(unittest.TestCase):
    # A gang whose frame takes much of its stack runs as one: the order of the lines, which CUDA leaves open, shows it.
    def test_run_as_one(self):
        values = range(200)  # of each lane, live at the barrier: 50 KiB of a gang, and as many addresses
        with workplace.workplace(cohortcc) as place:
            source = place.write("large.cu", """
#include <cstdio>
__global__ void sum(double* p, const int* places) {
  const double* const mine = p + places[threadIdx.x];
""" + "".join(f"  const double v{n} = mine[{n * 3}];\n" for n in values) + """
  std::printf("a%d ", threadIdx.x);
  std::printf("b%d ", threadIdx.x);
  __syncthreads();
  p[places[threadIdx.x]] = """ + " + ".join(f"v{n}" for n in values) + """;
}
int main() {
  double* p;
  int* places;
  cudaMallocManaged(&p, 1000 * 20 * sizeof *p);
  cudaMallocManaged(&places, 20 * sizeof *places);
  for (int i = 0; i < 1000 * 20; ++i) p[i] = i % 7;
  for (int i = 0; i < 20; ++i) places[i] = i * 1000;
  double wanted[20] = {};
  for (int i = 0; i < 20; ++i) {
    for (int n = 0; n < 200; ++n) wanted[i] += p[i * 1000 + n * 3];
  }
  sum<<<1, 20>>>(p, places);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 20; ++i) {
    if (p[i * 1000] != wanted[i]) return 2;
  }
}
""")
            compiled = place.compile("-O3", "--cohort-report", source, "-o", "large")
            self.assertTrue(widths(compiled.stderr)["sum"], compiled.stderr)
            gangs = [f"{letter}{i}" for letter in "ab" for i in range(20)]
            for stack, expected in (("262144", gangs), ("524288", gangs)):
                run = place.run(["./large"], COHORT_STACK=stack)
                self.assertEqual((run.returncode, run.stdout.split()), (0, expected), stack)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

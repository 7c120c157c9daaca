# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gangs whose frame or local variables take much of their stack."""

import sys
import unittest

import workplace
from gang_runs import widths

cohortcc = None


class LargeFrames(unittest.TestCase):
    # A gang whose frame takes much of its stack still runs as a gang, as the order of the printed lines shows, which
    # CUDA leaves open.
    def test_run_as_one(self):
        values = range(200)  # live values of each lane at the barrier: 50 KiB for a gang, and as many addresses
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

    # All matrix products of a function have one operand variable: twelve would not fit the locals of a lane.
    def test_many_products(self):
        product = """
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
  b ^= a[0];"""
        with workplace.workplace(cohortcc) as place:
            source = place.write("products.cu", """
#include <cstdio>
__global__ void products(float* out) {
  float d[4] = {1, 2, 3, 4};
  unsigned a[2] = {0x3c003800u + threadIdx.x, 0xb9004000u + 7 * threadIdx.x}, b = 0x34003e00u + 5 * threadIdx.x;
""" + product * 12 + """
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 64 * 4 * sizeof *out);
  products<<<1, 64>>>(reinterpret_cast<float*>(out));
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 64 * 4; ++i) std::printf("%08x\\n", out[i]);
}
""")
            compiled = place.compile("-O3", "--cohort-report", source, "-o", "products")
            self.assertTrue(widths(compiled.stderr)["products"], compiled.stderr)
            gangs, fibers = (place.run(["./products"], COHORT_GANGS=setting) for setting in ("auto", "off"))
            self.assertEqual((gangs.returncode, fibers.returncode), (0, 0), gangs.stderr + fibers.stderr)
            self.assertGreater(len(set(gangs.stdout.split())), 100)
            self.assertEqual(gangs.stdout, fibers.stdout)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

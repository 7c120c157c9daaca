# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several warps of a block run in one gang with the results and reports of single threads."""

import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = ([], ["--cohort-gangs=force=64"], ["--cohort-gangs=force=256"],
         ["--cohort-gangs=force=64", "--cpu=x86-64-v3"])


class Warps(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, ("gang/warps.cu", "gang/collectives.cu"), MODES)

    def test_which_kernels(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("warps.cu", """
__global__ void walks(const float* p, float* q, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += p[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  q[threadIdx.x] = sum;
}
__global__ void once(int* p) { p[threadIdx.x] = __shfl_sync(~0u, p[threadIdx.x], 1); }
__global__ void skips_barriers(int* p, int n) {
  if (threadIdx.x >= n) return;
  for (int i = 0; i < n; ++i) {
    p[threadIdx.x] += __shfl_sync(~0u, p[threadIdx.x], 1);
    __syncthreads();
  }
}
""")
            for cpu, width in (("x86-64-v4", 256), ("x86-64-v3", 32)):
                report = place.compile("-O3", "--cohort-report", f"--cpu={cpu}", "-c", source, "-o", "out.o")
                self.assertEqual(widths(report.stderr), {"walks": width, "once": 32, "skips_barriers": 32}, report.stderr)

    def test_refused_mask(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("masks.cu", """
#include <cstdio>
__global__ void named(int* p, const unsigned* masks, int rounds) {
  int value = p[threadIdx.x];
  for (int i = 0; i < rounds; ++i)
    value += __shfl_sync(masks[threadIdx.x / 32], value, 1);
  p[threadIdx.x] = value;
}
int main() {
  int* p;
  unsigned* masks;
  cudaMallocManaged(&p, 128 * sizeof(int));
  cudaMallocManaged(&masks, 4 * sizeof(unsigned));
  for (int i = 0; i < 4; ++i) masks[i] = i == 2 ? 0xffffu : ~0u;
  named<<<1, 128>>>(p, masks, 3);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O3", "--cohort-gangs=force=128", "--cohort-report", source, "-o", "program")
            self.assertEqual((compiled.returncode, widths(compiled.stderr)), (0, {"named": 128}))
            runs = [place.run(["./program"], COHORT_GANGS=setting) for setting in ("auto", "off")]
            for run in runs:
                self.assertEqual((run.returncode, run.stdout), (0, "cudaErrorLaunchFailure\n"))
                self.assertIn("__shfl_sync: lane 16 called with mask 0x0000ffff, which does not name it", run.stderr)
                self.assertIn("thread (80,0,0)", run.stderr)
                self.assertIn("masks.cu:6", run.stderr)
            self.assertEqual(runs[0].stderr, runs[1].stderr)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several warps of a block run in one gang with the results and reports of single threads."""

import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = (["--cohort-gangs=all"], ["--cohort-gangs=force=64"], ["--cohort-gangs=force=64", "--cpu=x86-64-v3"],
         ["--cohort-gangs=force=256"])


class Warps(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, ("gang/collectives.cu", "gang/warps.cu"), MODES)

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

    # Gangs take most of the compilation time, so a source with a hundred kernels has only some, and no wide ones.
    def test_large_sources(self):
        kernel = """
template <class T, int Steps>
__global__ void sums(const T* p, T* q, int n) {
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += p[i];
  for (int step = Steps; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  q[threadIdx.x] = sum;
}
__global__ void barriers(float* p, int n) {
  __shared__ float s[1024];
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1];
    __syncthreads();
  }
}
"""
        instances = "".join(f"template __global__ void sums<float, {i}>(const float*, float*, int);\n" for i in range(100, 200))
        one = "template __global__ void sums<float, 16>(const float*, float*, int);\n"
        limited, refused = "too large for further versions", "the source is large, and other kernels gain more by gangs"
        with workplace.workplace(cohortcc) as place:
            for text, option, width in ((one, "auto", 256), (instances, "auto", 0), (instances, "all", 256)):
                source = place.write("sums.cu", kernel + text)
                report = place.compile("-O3", "--cohort-report", "--cpu=x86-64-v4", f"--cohort-gangs={option}", "-c", source,
                                       "-o", "out.o").stderr
                self.assertEqual(widths(report), {"sums": width, "barriers": 128 if width else 32}, report)
                for note in (limited, refused):
                    self.assertEqual(note in report, not width, report)
                self.assertEqual(report.count(refused) > 40, not width, report)

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

    def test_gangs_without_waits(self):
        """A kernel whose collectives are all vector code needs no wait: a loop runs the gangs of its blocks."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("filter.cu", """
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void filter(const int* in, int* out, int n, int limit, unsigned* taken) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] <= limit) return;
  const auto group = cg::coalesced_threads();
  unsigned base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(taken, group.size());
  out[group.shfl(base, 0) + group.thread_rank()] = in[i];
}
__global__ void exchange(const int* p, const int* from, int* out) {
  const int value = __shfl_xor_sync(~0u, p[blockIdx.x * blockDim.x + threadIdx.x], 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value * 100 + from[value];
}
static bool filters(int n, int block) {
  int *in, *out;
  unsigned* taken;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&taken, sizeof *taken);
  *taken = 0;
  unsigned expected = 0, wrong = 0;
  for (int i = 0; i < n; ++i) expected += (in[i] = i * 7919 % 1000) > 600;
  filter<<<(n + block - 1) / block, block>>>(in, out, n, 600, taken);
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i] > 600 ? in[i] : 0;
  for (unsigned i = 0; i < *taken; ++i) sum -= out[i], wrong += out[i] <= 600;
  return *taken == expected && wrong == 0 && sum == 0;
}
int main(int argc, char**) {
  for (int n : {1, 31, 100, 5000}) {
    for (int block : {32, 96, 100, 1024}) {
      if (!filters(n, block)) return std::printf("wrong: %d elements, blocks of %d\\n", n, block);
    }
  }
  int *p, *from, *out;
  cudaMallocManaged(&p, 256 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&from, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) p[i] = i, from[i] = 255 - i;
  if (argc > 1) p[200] = 1 << 29;
  exchange<<<2, 128>>>(p, from, out);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; argc == 1 && i < 256; ++i) {
    if (out[i] != (i ^ 1) * 100 + 255 - (i ^ 1)) return std::printf("wrong: %d\\n", i);
  }
}
""")
            for mode in ([], ["--cpu=x86-64-v3"], ["--cohort-gangs=off"]):
                compiled = place.compile("-O3", "-g", *mode, source, "-o", "program")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                symbols = place.run(["nm", "program"]).stdout
                for kernel in ("filter", "exchange"):
                    self.assertEqual(f" cohort.block.{kernel}" in symbols, mode[-1:] != ["--cohort-gangs=off"], symbols)
                    self.assertNotIn(f" cohort.gang.{kernel}", symbols)
                for setting in ("auto", "off"):
                    run = place.run(["./program"], COHORT_GANGS=setting)
                    self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "cudaSuccess\n", ""))
                    run = place.run(["./program", "fault"], COHORT_GANGS=setting)
                    self.assertEqual((run.returncode, run.stdout), (0, "cudaErrorIllegalAddress\n"), run.stderr)
                    self.assertIn("thread (73,0,0) of block (1,0,0)", run.stderr)
                    self.assertIn("filter.cu:15", run.stderr)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)

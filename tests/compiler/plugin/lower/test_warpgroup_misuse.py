# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a warpgroup that break a rule of wgmma end the launch with a report."""

import misuse
import workplace

SOURCE = """
#include <cstdint>
#include <cstdio>
__device__ uint64_t matrix_at(const void* memory, uint64_t stride) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  return (address & 0x3ffff) >> 4 | uint64_t{8} << 16 | (stride >> 4) << 32;
}
__device__ void product(float* d, uint64_t a, uint64_t b, int adds) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0;"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(adds));
}
__device__ void wait() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ __noinline__ void start(uint64_t a, uint64_t b) {
  float d[4] = {};
  product(d, a, b, 1);
}
__global__ void misuse(float* out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[8 * 16];
  const uint64_t at_a = matrix_at(a, 256), at_b = matrix_at(b, 256);
  const unsigned warp = threadIdx.x / 32;
  float d[4] = {1, 2, 3, 4};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (KIND == 0) product(d, at_a, at_b, 1);
  if (KIND == 1) {
    if (threadIdx.x % 32 >= 16) return;
    product(d, at_a, at_b, 1);
  }
  if (KIND == 2) product(d, at_a, at_b, threadIdx.x % 2);
  if (KIND == 3) product(d, at_a, warp == 2 ? at_a : at_b, 1);
  if (KIND == 4) product(d, matrix_at(a, 16 * 16383), at_b, 1);
  if (KIND == 5) product(d, at_a, matrix_at(b, 256) + 4096 / 16, 1);
  if (KIND == 6 && warp != 1 && warp != 3) product(d, at_a, at_b, 1);
  if (KIND == 7) {
    if (threadIdx.x % 32 < 16) product(d, at_a, at_b, 1);
    else __syncthreads();
  }
  if (KIND == 8) {
    start(at_a, at_b);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  wait();
  out[threadIdx.x] = d[0];
}
int main() {
  float* out;
  cudaMalloc(&out, 4096);
  misuse<<<1, THREADS>>>(out);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
"""


PRODUCT = ('"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%0, %%1, %%2, %%3}, %%4, %%5, %s, 1, 1, 0, 0;" '
           ': "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b)')


class WarpgroupRefusals(workplace.WorkplaceTest):
    """Statements that ptxas refuses, too."""

    def messages(self, statement, *options):
        self.place.write("refused.cu", "__global__ void k(unsigned long long a, unsigned long long b, int n, float* d) {\n"
                                       f"  asm volatile({statement});\n}}\n")
        made = self.place.compile(*options, "-c", "refused.cu", "-o", "refused.o")
        return made.stderr if made.returncode else ""

    def test_targets(self):
        for statement in ('"wgmma.fence.sync.aligned;"', '"wgmma.wait_group.sync.aligned 0;"', PRODUCT % "1"):
            self.assertEqual(self.messages(statement, "-arch=sm_90a"), "")
            for arch in ("sm_90", "sm_80", "sm_100a", "sm_103f"):
                self.assertIn(f"-arch={arch} lacks the instruction, a feature of sm_90a",
                              self.messages(statement, f"-arch={arch}"))
        for statement in ('"setmaxnreg.inc.sync.aligned.u32 40;"',
                          '"tensormap.replace.tile.rank.global.b1024.b32 [%0], 1;" :: "l"(d)'):
            for arch in ("sm_90a", "sm_100a", "sm_100f", "sm_121a"):
                self.assertEqual(self.messages(statement, f"-arch={arch}"), "")
            for arch in ("sm_80", "sm_90", "sm_100", "sm_120"):
                self.assertIn(f"-arch={arch} lacks the instruction", self.messages(statement, f"-arch={arch}"))

    def test_scale_of_d(self):
        for scale in ("0", "1"):
            self.assertEqual(self.messages(PRODUCT % scale, "-arch=sm_90a"), "")
        for scale in ("2", "-1"):
            self.assertIn("operand c is 0 or 1", self.messages(PRODUCT % scale, "-arch=sm_90a"))
        self.assertIn("operand c is 0 or 1", self.messages(PRODUCT % "%6" + ', "n"(2)', "-arch=sm_90a"))
        self.assertIn("operand c is .pred", self.messages(PRODUCT % "%6" + ', "r"(n)', "-arch=sm_90a"))

    def test_number_of_groups(self):
        self.assertEqual(self.messages('"wgmma.wait_group.sync.aligned 100000;"', "-arch=sm_90a"), "")
        self.assertIn("operand a is negative", self.messages('"wgmma.wait_group.sync.aligned -1;"', "-arch=sm_90a"))


class WarpgroupMisuse(misuse.MisuseTest):
    source = SOURCE
    options = ("-arch=sm_90a",)

    def test_small_warp(self):
        self.check(0, 144, "in a warp of fewer than 32 threads", "make the block a multiple of 32 threads")

    def test_small_warpgroup(self):
        self.check(0, 192, "wgmma.mma_async: warpgroup 1 of the block has fewer than four warps")

    def test_threads_returned(self):
        self.check(1, 128, "wgmma.mma_async: threads of the warp have returned from the kernel")

    def test_scales_differ(self):
        self.check(2, 128, "wgmma.mma_async: threads of the warp pass different instructions")

    def test_warps_differ(self):
        self.check(3, 128, "wgmma.mma_async: warp 2 passes another instruction, matrix descriptor or scale")

    def test_beyond_shared_memory(self):
        self.check(4, 128, "wgmma.mma_async: matrix A reaches beyond the block's shared memory")
        self.check(5, 128, "wgmma.mma_async: matrix B reaches beyond the block's shared memory")

    def test_missing_warps(self):
        self.check(6, 128, "wgmma.mma_async: warps 1 and 3 of warpgroup 0 have returned without it")

    def test_divergence(self):
        self.check(7, 128, "deadlock in kernel", "wgmma.mma_async")


class WarpgroupMisuseOnStacks(misuse.MisuseTest):
    source = SOURCE
    options = ("-arch=sm_90a", "-O0")

    def test_variables_of_a_function_that_returned(self):
        self.check(8, 128, "wgmma.wait_group: a function has returned while a product had its variables as accumulators")


if __name__ == "__main__":
    workplace.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a warpgroup that break a rule of wgmma end the launch with a report."""

import re

import misuse
import workplace

SOURCE = """
#include <cstdint>
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
template <int KIND>
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
"""


PRODUCT = ('"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%0, %%1, %%2, %%3}, %%4, %%5, %s, 1, 1, 0, 0;" '
           ': "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b)')


class WarpgroupRefusals(workplace.WorkplaceTest):
    """Statements that cohortcc and ptxas refuse."""

    def refusals(self, statements, *options):
        """Returns the error of each statement, or "". All statements are in one source, one in each line."""
        head = "__global__ void k%d(unsigned long long a, unsigned long long b, int n, float* d) { asm volatile(%s); }\n"
        self.place.write("refused.cu", "".join(head % row for row in enumerate(statements)))
        made = self.place.compile(*options, "-ptx", "refused.cu", "-o", "refused.ptx")
        found = dict(re.findall(r"^refused\.cu:(\d+):\d+: error: (.*)", made.stderr, re.M))
        self.assertEqual((made.returncode, len(found)), (1 if found else 0, made.stderr.count("error: ")), made.stderr)
        return [found.get(str(line), "") for line in range(1, len(statements) + 1)]

    def test_targets(self):
        products = ['"wgmma.fence.sync.aligned;"', '"wgmma.wait_group.sync.aligned 0;"', PRODUCT % "1"]
        others = ['"setmaxnreg.inc.sync.aligned.u32 40;"', '"tensormap.replace.tile.rank.global.b1024.b32 [%0], 1;" :: "l"(d)']
        for targets, has_products, has_others in ((("sm_90a",), True, True),
                                                  (("sm_100a", "sm_100f", "sm_103f", "sm_121a"), False, True),
                                                  (("sm_80", "sm_90", "sm_100", "sm_120"), False, False)):
            for arch in targets:
                found = self.refusals(products + others, f"-arch={arch}")
                lacks = f"-arch={arch} lacks the instruction, a feature of sm_90a"
                for statement, message in zip(products + others, found, strict=True):
                    with self.subTest(arch=arch, statement=statement):
                        if has_products if statement in products else has_others:
                            self.assertEqual(message, "")
                        else:
                            self.assertIn(lacks, message)

    def test_scale_of_d(self):
        expected = {"0": "", "1": "", "2": "operand c is 0 or 1", "-1": "operand c is 0 or 1"}
        cases = [(PRODUCT % scale, text) for scale, text in expected.items()]
        cases += [(PRODUCT % "%6" + ', "n"(2)', "operand c is 0 or 1"), (PRODUCT % "%6" + ', "r"(n)', "operand c is .pred")]
        self.check_cases(cases)

    def test_number_of_groups(self):
        self.check_cases([('"wgmma.wait_group.sync.aligned 100000;"', ""),
                          ('"wgmma.wait_group.sync.aligned -1;"', "operand a is negative")])

    def check_cases(self, cases):
        """Each statement is refused with its text, or accepted where the text is empty."""
        found = self.refusals([statement for statement, _ in cases], "-arch=sm_90a")
        for (statement, text), message in zip(cases, found, strict=True):
            with self.subTest(statement):
                self.assertIn(text, message)
                self.assertEqual(bool(text), bool(message))


class WarpgroupMisuse(misuse.MisuseTest):
    source = SOURCE
    kinds = 9
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

    def test_variables_of_a_function_that_returned(self):
        self.check(8, 128, "wgmma.wait_group: a function has returned while a product had its variables as accumulators",
                   modes=[("-O0",)])


if __name__ == "__main__":
    workplace.main()

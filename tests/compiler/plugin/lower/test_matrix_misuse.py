# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions that not all 32 threads of a warp execute together end the launch with a report."""

import misuse
import workplace

SOURCE = """
#include <cstdint>
__device__ void product(float* d) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0), "r"(0), "r"(0));
}
__device__ void other_product(float* d) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0), "r"(0), "r"(0));
}
template <int KIND>
__global__ void misuse(float* out, unsigned split) {
  __shared__ alignas(16) unsigned short matrix[64 + 8];
  float d[4] = {1, 2, 3, 4};
  if (KIND == 0) product(d);
  if (KIND == 1) {
    if (threadIdx.x >= split) return;
    product(d);
  }
  if (KIND == 2) {
    if (threadIdx.x < split) product(d);
    else other_product(d);
  }
  if (KIND == 3) {
    if (threadIdx.x < split) product(d);
    else __syncthreads();
  }
  if (KIND == 4) {
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(r) : "l"(matrix + threadIdx.x % 8 * 8 + 1));
    d[0] = r;
  }
  out[threadIdx.x] = d[0];
}
"""


class MatrixMisuse(misuse.MisuseTest):
    source = SOURCE
    kinds = 5
    arguments = "out, 16"

    def test_small_warp(self):
        self.check(0, 48, "mma.sync in a warp of fewer than 32 threads", "make the block a multiple of 32 threads")

    def test_threads_returned(self):
        self.check(1, 32, "mma.sync: threads of the warp have returned from the kernel; all 32 execute it")

    def test_different_products(self):
        self.check(2, 32, "mma.sync: threads of the warp execute different products together")

    def test_divergence(self):
        self.check(3, 32, "deadlock in kernel", "mma.sync")

    def test_unaligned_row(self):
        self.check(4, 32, "ldmatrix.sync: the address of a row is no multiple of 16")


if __name__ == "__main__":
    workplace.main()

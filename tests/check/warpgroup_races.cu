// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices in shared memory that are written while a product of a warpgroup (wgmma) may read them. Marks as in
// races.cu.
#include <cstdint>
#include <cstdio>

constexpr int threads = 128;

__device__ uint64_t matrix_at(const void* memory) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  return (address & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}
#define MULTIPLY(d, a, b)                                                                           \
  asm volatile(                                                                                     \
      "{.reg .pred p; setp.ne.b32 p, 1, 0;\n"                                                       \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}" \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                              \
      : "l"(matrix_at(a)), "l"(matrix_at(b)))
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ void fence_proxy() { asm volatile("fence.proxy.async;" ::: "memory"); }

struct matrices {
  uint16_t a[64 * 16], b[8 * 16];
};
__device__ void prepare(matrices& of) {
  for (int i = threadIdx.x; i < 64 * 16; i += threads) of.a[i] = 0x3c00;
  of.b[threadIdx.x] = 0x3c00;
  fence_proxy();
  __syncthreads();
  fence();
}

__global__ void in_order(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  prepare(of);
  MULTIPLY(d, of.a, of.b);
  commit();
  wait();
  __syncthreads();
  of.b[threadIdx.x] = 0;
  out[threadIdx.x] = d[0];
}
// race: a b 24+
__global__ void without_barrier(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  prepare(of);
  MULTIPLY(d, of.a, of.b);  // [a]
  commit();
  wait();
  of.b[threadIdx.x] = 0;  // [b]
  out[threadIdx.x] = d[0];
}
// race: a b 128+
__global__ void before_wait(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  prepare(of);
  MULTIPLY(d, of.a, of.b);  // [a]
  commit();
  __syncthreads();
  of.b[threadIdx.x] = 0;  // [b]
  wait();
  out[threadIdx.x] = d[0];
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, threads * sizeof(float));
  in_order<<<1, threads>>>(out);
  without_barrier<<<1, threads>>>(out);
  before_wait<<<1, threads>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

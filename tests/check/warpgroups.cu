// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a warpgroup (wgmma) with and without their fences and waits. Marks as in sync.cu.
#include <cstdint>
#include <cstdio>

constexpr int threads = 128;

__device__ uint64_t matrix_at(const void* memory) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  return (address & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}
__device__ void multiply(float& d0, float& d1, float& d2, float& d3, const void* a, const void* b) {
  asm volatile(  // [p]
      "{.reg .pred p; setp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "l"(matrix_at(a)), "l"(matrix_at(b)));
}
__device__ void multiply(float (&d)[4], const void* a, const void* b) { multiply(d[0], d[1], d[2], d[3], a, b); }
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ void fence_proxy() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ void keep(float& value) { asm volatile("" : "+f"(value)::"memory"); }

struct matrices {
  uint16_t a[64 * 16], b[8 * 16];
};
__device__ void fill(matrices& to) {
  for (int i = threadIdx.x; i < 64 * 16 + 8 * 16; i += threads) {
    to.a[i] = static_cast<uint16_t>(0x3c00 + i);  // [w]
  }
}

__global__ void in_order(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {}, e[4] = {};
  fill(of);
  fence_proxy();
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    for (float& each : d) keep(each);
    fence();
    multiply(d, of.a, of.b);
    multiply(e, of.a, of.b);
    multiply(d, of.a, of.b);
    commit();
    for (float& each : d) keep(each);
    wait();
    for (float& each : d) keep(each);
    d[0] += e[1];
  }
  __syncthreads();
  fill(of);
  out[threadIdx.x] = d[0] + d[1] + e[0];
}
// product without a fence: p 4 | wgmma.fence.sync.aligned
__global__ void without_fence(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  fill(of);
  fence_proxy();
  __syncthreads();
  multiply(d, of.a, of.b);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
// write without a proxy fence: w p 192 | fence.proxy.async
__global__ void without_proxy_fence(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  fill(of);
  __syncthreads();
  fence();
  multiply(d, of.a, of.b);
  commit();
  wait();
  out[threadIdx.x] = d[0];
}
// early accumulator: a p 128 | until wgmma.wait_group has waited
__global__ void read_before_wait(float* out) {
  __shared__ alignas(128) matrices of;
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  fill(of);
  fence_proxy();
  __syncthreads();
  fence();
  multiply(d0, d1, d2, d3, of.a, of.b);
  commit();
  out[threadIdx.x] = d1;  // [a]
  wait();
  out[threadIdx.x] += d1;
}
// early accumulator: a p 128 | until wgmma.wait_group has waited
__global__ void written_before_wait(float* out) {
  __shared__ alignas(128) matrices of;
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  fill(of);
  fence_proxy();
  __syncthreads();
  fence();
  multiply(d0, d1, d2, d3, of.a, of.b);
  commit();
  d1 = out[threadIdx.x];  // [a]
  wait();
  out[threadIdx.x] = d0 + d1;
}
// early accumulator: a p 128 | until wgmma.wait_group has waited
__global__ void without_commit(float* out) {
  __shared__ alignas(128) matrices of;
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  fill(of);
  fence_proxy();
  __syncthreads();
  fence();
  multiply(d0, d1, d2, d3, of.a, of.b);
  wait();
  out[threadIdx.x] = d1;  // [a]
}
// early accumulator: a p 128 | until wgmma.wait_group has waited
__global__ void element_read_before_wait(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  fill(of);
  fence_proxy();
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    fence();
    multiply(d, of.a, of.b);
    commit();
    if (i == 2) out[threadIdx.x] = d[1];  // [a]
    wait();
  }
  out[threadIdx.x] += d[0];
}
__global__ void element_read_after_wait(float* out) {
  __shared__ alignas(128) matrices of;
  float d[4] = {};
  fill(of);
  fence_proxy();
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    fence();
    multiply(d, of.a, of.b);
    commit();
    wait();
    if (i == 2) out[threadIdx.x] = d[1];
  }
  out[threadIdx.x] += d[0];
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, threads * sizeof(float));
  cudaMemset(out, 0, threads * sizeof(float));
  in_order<<<1, threads>>>(out);
  without_fence<<<1, threads>>>(out);
  without_proxy_fence<<<1, threads>>>(out);
  read_before_wait<<<1, threads>>>(out);
  written_before_wait<<<1, threads>>>(out);
  without_commit<<<1, threads>>>(out);
  element_read_before_wait<<<1, threads>>>(out);
  element_read_after_wait<<<1, threads>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

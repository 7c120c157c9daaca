// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of bulk groups to global memory. Marks as in races.cu.
#include <cstdint>
#include <cstdio>

constexpr int threads = 64, bytes = threads * 4;

__device__ void wait_for_stores() {
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Reads what an earlier launch has written; no access of this launch races.
__global__ void read_after_the_launch(int* out, const int* copied) { out[threadIdx.x] += copied[threadIdx.x]; }

// The instance with `in_order` waits at a barrier before it reads, and is correct.
// race: a b 63
template <bool in_order>
__global__ void read_after_store(int* out, int* copied) {
  __shared__ alignas(16) int values[threads];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(copied),  // [a]
                 "r"(static_cast<uint32_t>(__cvta_generic_to_shared(values)))
                 : "memory");
    wait_for_stores();
  }
  if (in_order) __syncthreads();
  out[threadIdx.x] = copied[threads - 1 - threadIdx.x];  // [b]
}

int main() {
  int *out = nullptr, *copied = nullptr, *other = nullptr;
  cudaMalloc(&out, bytes);
  cudaMalloc(&copied, bytes);
  cudaMalloc(&other, bytes);
  read_after_store<true><<<1, threads>>>(out, copied);
  read_after_the_launch<<<1, threads>>>(out, copied);
  int host[threads];
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  for (const int value : host) {
    if (value != threads - 1) return 1;
  }
  cudaMemset(other, 0, bytes);
  read_after_store<false><<<1, threads>>>(out, other);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

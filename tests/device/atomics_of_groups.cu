// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cooperative_groups.h> brings <cuda/atomic>, as NVIDIA's header does. nvcc compiles the file, too.
#include <cooperative_groups.h>
#include <cstdio>

namespace {

__global__ void count(int* total) {
  const auto block = cooperative_groups::this_thread_block();
  cuda::atomic_ref<int, cuda::thread_scope_device>(*total).fetch_add(static_cast<int>(block.thread_rank()),
                                                                     cuda::memory_order_relaxed);
}

}  // namespace

int main() {
  int* total = nullptr;
  cudaMallocManaged(&total, sizeof(int));
  count<<<3, 33>>>(total);
  const int failures = cudaDeviceSynchronize() != cudaSuccess || *total != 3 * 33 * 32 / 2;
  if (failures) std::printf("total %d\n", *total);
  return failures;
}

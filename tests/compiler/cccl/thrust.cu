// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's algorithms on the device, cuda::std and cuda::atomic_ref of CCCL, compared with the host's standard library.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <cuda/atomic>
#include <cuda/std/tuple>

#include "../plugin/check.hpp"

struct square {
  __host__ __device__ uint32_t operator()(uint32_t x) const { return x * x; }
};

__global__ void count(int* counter, int* wrong) {
  const cuda::std::tuple<int, unsigned> place(7, threadIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_device>(*counter).fetch_add(cuda::std::get<0>(place));
  if (cuda::std::get<1>(place) != threadIdx.x) atomicAdd(wrong, 1);
}

int main() {
  constexpr int n = 50021;
  thrust::host_vector<uint32_t> host(n);
  uint32_t state = 7, sum = 0;
  for (uint32_t& x : host) sum += x = (state = state * 1664525u + 1013904223u) >> 4;
  thrust::device_vector<uint32_t> device = host, out(n);
  expect_equal(thrust::reduce(device.begin(), device.end(), 0u), sum, "reduce");

  thrust::transform(thrust::device, device.begin(), device.end(), out.begin(), square());
  thrust::host_vector<uint32_t> got = out;
  for (int i = 0; i < n; ++i) expect_equal(got[i], host[i] * host[i], "transform", i);

  // CUB's policies for its own functors make bulk copies on sm_90; cohortcc's build omits these policies.
  thrust::transform(device.begin(), device.end(), out.begin(), out.begin(), thrust::plus<uint32_t>());
  got = out;
  for (int i = 0; i < n; ++i) expect_equal(got[i], host[i] + host[i] * host[i], "transform of two ranges", i);

  thrust::inclusive_scan(device.begin(), device.end(), out.begin());
  got = out;
  uint32_t running = 0;
  for (int i = 0; i < n; ++i) expect_equal(got[i], running += host[i], "inclusive_scan", i);

  thrust::sort(thrust::device, device.begin(), device.end());
  got = device;
  std::sort(host.begin(), host.end());
  for (int i = 0; i < n; ++i) expect_equal(got[i], host[i], "sort", i);

  int* counters;
  EXPECT_SUCCESS(cudaMallocManaged(&counters, 2 * sizeof(int)));
  counters[0] = counters[1] = 0;
  count<<<10, 100>>>(counters, counters + 1);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(counters[0], 7000, "atomic_ref");
  expect_equal(counters[1], 0, "tuple");
  return result();
}

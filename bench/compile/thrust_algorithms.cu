// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of Thrust's algorithms: kernels with many instances of long templates.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct square {
  __host__ __device__ unsigned operator()(unsigned x) const { return x * x; }
};

unsigned run_thrust_algorithms(thrust::device_vector<unsigned>& keys, thrust::device_vector<float>& values) {
  thrust::transform(thrust::device, keys.begin(), keys.end(), keys.begin(), square());
  thrust::exclusive_scan(keys.begin(), keys.end(), keys.begin());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  return thrust::reduce(keys.begin(), keys.end(), 0u);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to name and launch a kernel: templates, overloads, default arguments, pointers, members of namespaces.
#include "../check.hpp"

template <class T, int N = 2>
__global__ void fill(T* out, T value = T(5)) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value * N;
}

__global__ void put(int* out, int value) { *out = value; }
__global__ void put(int* out, float value) { *out = static_cast<int>(value * 100); }
__global__ void put_default(int* out, int value = 17) { *out = value; }

namespace outer::inner {
__global__ void __launch_bounds__(64) put(int* out) { *out = 23; }
}  // namespace outer::inner

struct holder {
  template <class F>
  static void run(F* kernel, int* out) {
    kernel<<<1, 1>>>(out, 3);
  }
};

extern "C" __global__ void plain_name(int* out) { *out = blockDim.x * 100 + gridDim.y; }

template <int Depth>
__global__ void deep(int* out) {
  if constexpr (Depth == 0) {
    *out = 1;
  } else {
    *out = Depth;
  }
}

template <int... Is>
void all_depths(int* out) {
  ((deep<Is><<<1, 1>>>(out + Is)), ...);
}

// threadIdx and its companions as values of CUDA's own types.
__global__ void positions(unsigned* out) {
  const uint3 thread = threadIdx;
  const dim3 block = blockDim, grid = gridDim;
  const auto also = blockIdx;
  const unsigned rank = (blockIdx.y * grid.x + also.x) * block.x * block.y + thread.y * block.x + thread.x;
  out[rank] = thread.x + 10 * thread.y + 100 * also.x + 1000 * also.y + 10000 * warpSize;
}

template <class T, int X, int Y>
struct policy {
  static constexpr unsigned threads = X * Y;
};
template <class T>
__global__ void __launch_bounds__(policy<T, 8, 4>::threads, 1) bounded_by_policy(T* out) {
  *out = 31;
}

// The array stays in memory, because its elements are selected at run time.
__device__ int select(const int* at, int count) {
  int values[50];
  for (int i = 0; i < count; ++i) values[at[i]] = i;
  return values[at[0]] + values[at[count - 1]];
}
__global__ void with_array(int* out, const int* at, int count) { *out = select(at, count); }

size_t local_bytes(const void* kernel) {
  cudaFuncAttributes attributes;
  EXPECT_SUCCESS(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.localSizeBytes;
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 1000 * sizeof(int)));
  fill<int><<<2, 3>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) expect_equal(out[i], 10, "template with defaults", i);
  fill<int, 7><<<dim3(2), dim3(3)>>>(out, 3);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) expect_equal(out[i], 21, "template", i);

  put<<<1, 1>>>(out, 4);
  put<<<1, 1>>>(out + 1, 4.5f);
  put_default<<<1, 1>>>(out + 2);
  outer::inner::put<<<1, 1>>>(out + 3);
  holder::run<void(int*, int)>(put, out + 4);
  plain_name<<<dim3(1, 5), 32, 0, nullptr>>>(out + 5);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const int wanted[] = {4, 450, 17, 23, 3, 3205};
  for (int i = 0; i < 6; ++i) expect_equal(out[i], wanted[i], "launch", i);

  void (*kernel)(int*, int) = put;
  int value = 77;
  int* target = out;
  void* arguments[] = {&target, &value};
  EXPECT_SUCCESS(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, nullptr));
  kernel<<<1, 1>>>(out + 1, 78);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 77, "cudaLaunchKernel");
  expect_equal(out[1], 78, "launch through a pointer");

  all_depths<0, 1, 2, 3>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) expect_equal(out[i], i == 0 ? 1 : i, "pack of launches", i);

  unsigned* places = reinterpret_cast<unsigned*>(out);
  positions<<<dim3(3, 2), dim3(4, 5)>>>(places);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 120; ++i) {
    const unsigned in = i % 20, block = i / 20;
    expect_equal(places[i], in % 4 + 10 * (in / 4) + 100 * (block % 3) + 1000 * (block / 3) + 320000, "position", i);
  }

  outer::inner::put<<<1, 65>>>(out);  // more than its __launch_bounds__
  expect_equal(cudaGetLastError() != cudaSuccess, true, "launch bounds are enforced");
  bounded_by_policy<<<1, 33>>>(out);
  expect_equal(cudaGetLastError() != cudaSuccess, true, "launch bounds with commas are enforced");
  bounded_by_policy<<<1, 32>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 31, "a launch within the bounds");

  const size_t scalars = local_bytes(reinterpret_cast<const void*>(put_default));
  const size_t array = local_bytes(reinterpret_cast<const void*>(with_array));
#ifdef __OPTIMIZE__
  expect_equal(scalars, 0u, "variables in registers");
  expect_equal(array, 200u, "an array in memory");
#else
  expect_equal(scalars, 16u, "parameters in memory");  // a pointer and a number
  expect_equal(array, 24u, "an array of a function that is not inlined");
#endif
  return result();
}

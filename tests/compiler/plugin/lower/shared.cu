// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory: static variables of kernels and of functions that several kernels call, and the dynamic array.
#include "../check.hpp"

template <class T>
__device__ T rotated(T value, int by) {
  __shared__ T ring[64];
  ring[threadIdx.x] = value;
  __syncthreads();
  const T got = ring[(threadIdx.x + by) % blockDim.x];
  __syncthreads();
  return got;
}

struct point {
  double x;
  char tag;
};

__shared__ int at_namespace_scope[64];

__global__ void first(int* out) {
  __shared__ int mine[64];
  __shared__ point points[64];
  static __shared__ char flags[3];
  const int t = threadIdx.x;
  mine[t] = t * 3;
  points[t] = {t * 0.5, static_cast<char>(t)};
  at_namespace_scope[t] = 1000 + t;
  if (t < 3) flags[t] = static_cast<char>(t + 1);
  const int turned = rotated(t, 1) + rotated(static_cast<double>(t), 2);
  __syncthreads();
  const int n = blockDim.x, other = n - 1 - t;
  out[blockIdx.x * n + t] =
      mine[other] + points[other].x * 2 + points[other].tag + flags[t % 3] + turned + at_namespace_scope[other];
}

__global__ void second(int* out) {  // a block's limit, minus the function's own variables
  __shared__ int large[10000];
  for (int i = threadIdx.x; i < 10000; i += blockDim.x) large[i] = i;
  const int turned = rotated(static_cast<int>(threadIdx.x), 1);
  __syncthreads();
  out[threadIdx.x] = large[9999 - threadIdx.x] + turned;
}

// alignas after the qualifier, which nvcc accepts, and at its standard positions.
struct alignas(32) wide {
  int value;
};
__constant__ alignas(64) int constants[3] = {1, 2, 3};
__device__ alignas(alignof(double4)) char bytes[32];

template <int size>
__global__ void aligned(int* out) {
  __shared__ char first;
  __shared__ alignas(64) char second[size];
  static __shared__ alignas(double4) char third[size];
  alignas(16) __shared__ char fourth[size];
  alignas(32) int local = 5;
  __shared__ wide fifth;
  __shared__ alignas(1024) char sixth[size];  // alignment of a bulk copy's tile with a swizzle
  first = sixth[0] = second[0] = third[0] = fourth[0] = 1;
  fifth.value = local;
  auto is = [](const void* place, unsigned long alignment) {
    return reinterpret_cast<unsigned long>(place) % alignment == 0;
  };
  *out = is(second, 64) && is(third, alignof(double4)) && is(fourth, 16) && is(&fifth, 32) && is(&local, 32) &&
         is(sixth, 1024) && is(constants, 64) && is(bytes, alignof(double4)) && first == 1;
}

extern __shared__ float floats[];

__global__ void dynamic(int* out, int n) {
  extern __shared__ float also_floats[];
  __shared__ int beside[64];
  const int t = threadIdx.x;
  floats[t] = t;
  beside[t] = -t;
  int* ints = reinterpret_cast<int*>(floats + n);
  ints[t] = 7 * t;
  __syncthreads();
  out[t] = static_cast<int>(also_floats[n - 1 - t]) + ints[n - 1 - t] + beside[n - 1 - t];
}

template <class T>
struct any_shared {
  __device__ static T* get() {
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<T*>(memory);
  }
};

template <class T>
__global__ void through_template(T* out) {
  T* all = any_shared<T>::get();
  all[threadIdx.x] = static_cast<T>(threadIdx.x * 2);
  __syncthreads();
  out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}

// Local structures initialised with the address of a shared variable, which clang turns into constants.
struct view {
  int* data;
  int count;
};
struct views {
  view first, second[2];
};
extern __shared__ int dynamic_view[];
__global__ void views_of_shared(int* out) {
  __shared__ int values[8], more[8];
  const views all{{values, 8}, {{more, 8}, {dynamic_view, 8}}};
  view next = all.second[0];
  const int t = threadIdx.x;
  values[t] = t + blockIdx.x * 100;
  more[t] = values[t] * 2;
  dynamic_view[t] = values[t] * 3;
  __syncthreads();
  ++next.data;
  out[blockIdx.x * 8 + t] = all.first.data[7 - t] + next.data[6 - t % 7] + all.second[1].data[7 - t];
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 1024 * sizeof(int)));
  const int n = 48;
  first<<<5, n>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 5 * n; ++i) {
    const int t = i % n, other = n - 1 - t;
    expect_equal(out[i], other * 3 + other + other + t % 3 + 1 + (t + 1) % n + (t + 2) % n + 1000 + other, "static", i);
  }
  second<<<1, n>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < n; ++t) expect_equal(out[t], 9999 - t + (t + 1) % n, "large", t);
  dynamic<<<1, n, n * 8>>>(out, n);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < n; ++t) expect_equal(out[t], 7 * (n - 1 - t), "dynamic", t);
  through_template<int><<<1, n, n * sizeof(int)>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < n; ++t) expect_equal(out[t], 2 * (n - 1 - t), "dynamic in a template", t);
  double* doubles = reinterpret_cast<double*>(out);
  through_template<double><<<1, n, n * sizeof(double)>>>(doubles);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < n; ++t) expect_equal(doubles[t], 2.0 * (n - 1 - t), "dynamic doubles", t);

  views_of_shared<<<3, 8, 8 * sizeof(int)>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 24; ++i) {
    const int t = i % 8, base = i / 8 * 100;
    expect_equal(out[i], 4 * (base + 7 - t) + 2 * (base + 7 - t % 7), "views", i);
  }

  aligned<5><<<1, 1>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(out[0], 1, "alignas");

  cudaFuncAttributes attributes;
  EXPECT_SUCCESS(cudaFuncGetAttributes(&attributes, first));
  const size_t need = 2 * 64 * sizeof(int) + 64 * sizeof(point) + 3 + 64 * sizeof(int) + 64 * sizeof(double);
  expect_equal(attributes.sharedSizeBytes >= need && attributes.sharedSizeBytes < need + 64, true,
               "first needs its own only");
  EXPECT_SUCCESS(cudaFuncGetAttributes(&attributes, through_template<int>));
  expect_equal(attributes.sharedSizeBytes, size_t(0), "no static shared memory");
  return result();
}

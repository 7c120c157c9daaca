// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses whose transactions Nsight Compute has counted on an H200: 4 blocks of 128 threads each. test_recorded.py has
// the figures.
#include <cstdio>

__device__ float result[1];

template <class T>
__device__ void keep(const T& sum) {
  if (sum == T(12345)) result[0] = 1;
}
__device__ int rank_in_grid() { return blockIdx.x * 128 + threadIdx.x; }

template <int Stride>
__global__ void load_apart(const float* from) {
  keep(from[rank_in_grid() * Stride]);
}
__global__ void load_shifted(const float* from) { keep(from[rank_in_grid() + 1]); }
template <int Stride>
__global__ void load_four(const float4* from) {
  const float4 v = from[rank_in_grid() * Stride];
  keep(v.x + v.y + v.z + v.w);
}
__global__ void load_odd(const float* from) {
  if (threadIdx.x % 2) keep(from[rank_in_grid()]);
}
__global__ void store_apart(float* to) { to[rank_in_grid() * 2] = 1; }
__global__ void add_to_four(int* to) { atomicAdd(&to[threadIdx.x % 4], 1); }

constexpr int wide_tile = 128 * 33;
template <int Stride>
__global__ void shared_apart(int n) {
  __shared__ float tile[wide_tile];
  for (int i = threadIdx.x; i < wide_tile; i += 128) tile[i] = i * n;
  __syncthreads();
  keep(tile[threadIdx.x * Stride % wide_tile]);
}
template <int Stride, int Size>
__global__ void shared_two(int n) {
  __shared__ float2 tile[Size];
  for (int i = threadIdx.x; i < Size; i += 128) tile[i] = make_float2(n, i);
  __syncthreads();
  const float2 v = tile[Stride == 1 ? 127 - threadIdx.x : threadIdx.x * Stride];
  keep(v.x + v.y);
}
template <int Stride, int Size>
__global__ void shared_four(int n) {
  __shared__ float4 tile[Size];
  for (int i = threadIdx.x; i < Size; i += 128) tile[i] = make_float4(n, i, n, i);
  __syncthreads();
  const float4 v = tile[Stride == 1 ? 127 - threadIdx.x : threadIdx.x * Stride];
  keep(v.x + v.y + v.z + v.w);
}
__global__ void shared_broadcast(int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = n;
  __syncthreads();
  keep(tile[threadIdx.x / 8]);
}
__global__ void shared_add(int n) {
  __shared__ int tile[128];
  tile[threadIdx.x] = n;
  __syncthreads();
  atomicAdd(&tile[threadIdx.x % 4], 1);
  __syncthreads();
  keep(tile[threadIdx.x]);
}

int main() {
  float* p = nullptr;
  cudaMalloc(&p, 1 << 20);
  cudaMemset(p, 0, 1 << 20);
  load_apart<1><<<4, 128>>>(p);
  load_apart<2><<<4, 128>>>(p);
  load_apart<3><<<4, 128>>>(p);
  load_apart<8><<<4, 128>>>(p);
  load_apart<32><<<4, 128>>>(p);
  load_shifted<<<4, 128>>>(p);
  load_four<1><<<4, 128>>>(reinterpret_cast<float4*>(p));
  load_four<3><<<4, 128>>>(reinterpret_cast<float4*>(p));
  load_odd<<<4, 128>>>(p);
  store_apart<<<4, 128>>>(p);
  add_to_four<<<4, 128>>>(reinterpret_cast<int*>(p));
  shared_apart<1><<<4, 128>>>(1);
  shared_apart<2><<<4, 128>>>(1);
  shared_apart<4><<<4, 128>>>(1);
  shared_apart<32><<<4, 128>>>(1);
  shared_apart<33><<<4, 128>>>(1);
  shared_two<1, 128><<<4, 128>>>(1);
  shared_four<1, 128><<<4, 128>>>(1);
  shared_two<4, 512><<<4, 128>>>(1);
  shared_four<2, 256><<<4, 128>>>(1);
  shared_broadcast<<<4, 128>>>(1);
  shared_add<<<4, 128>>>(1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without wrong accesses. The comment above a kernel lists what must be found: the kind, the marked
// line, the count, and a part of the phrase that names the memory. Kernels without such a comment have no finding.
// test_memory.py compares.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

// outside: a 1 | 0 bytes behind the end of 400 bytes
// outside: a 1 | allocated at memory.cu:
__global__ void one_element_behind(int* p, int n) {
  if (threadIdx.x <= n) p[threadIdx.x] = 1;  // [a]
}
__global__ void last_element(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = 1;
}
// outside: a 1 | 0 bytes behind the end of 399 bytes
__global__ void one_byte_behind(char* p, int n) {
  for (int i = threadIdx.x; i <= n; i += 32) p[i] = 1;  // [a]
}
// outside: a 1 | 4 bytes before the start of 400 bytes
__global__ void before_the_start(int* p) {
  if (threadIdx.x < 3) p[static_cast<int>(threadIdx.x) - 1] = 1;  // [a]
}
// outside: a 1 | beyond the end of 399 bytes, from byte 396
__global__ void across_the_end(int* p) { p[99] = 1; }  // [a]
// outside: a 20 | 0 bytes behind the end of 400 bytes
__global__ void behind_by_many(const int* p, int* out) { out[threadIdx.x] = p[100 + threadIdx.x]; }  // [a]
// outside: a 1 | 0 bytes behind the end of 400 bytes
__global__ void atomic_behind(int* p) { atomicAdd(p + 100, 1); }  // [a]
// outside: a 1 | 0 bytes behind the end of 400 bytes
__global__ void eight_bytes_behind(double* p) { p[50] = 1; }  // [a]

// outside: a 32 | 0 bytes behind the end of 400 bytes
__global__ void loop_to_the_end(const int* p, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i <= n; ++i) sum += p[i];  // [a]
  out[threadIdx.x] = sum;
}
__global__ void loop_before_the_end(const int* p, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += p[i];
  out[threadIdx.x] = sum;
}
// outside: a 32 | 0 bytes behind the end of 400 bytes
__global__ void gather_to_the_end(const int* p, const int* indices, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += p[indices[i]];  // [a]
  out[threadIdx.x] = sum;
}
__global__ void gather_before_the_end(const int* p, const int* indices, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += p[indices[i]];
  out[threadIdx.x] = sum;
}
// unwritten: a 75 | of 400 bytes
__global__ void gather_of_unwritten(const int* p, const int* indices, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += p[indices[i]];  // [a]
  out[threadIdx.x] = sum;
}
// unwritten: a 75 | of 400 bytes
__global__ void loop_over_unwritten(const int* p, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += p[i];  // [a]
  out[threadIdx.x] = sum;
}
// unwritten: a 1 | of 400 bytes
__global__ void loop_from_unwritten(int* p, int n) {
#pragma unroll 1
  for (int i = 1; i < n; ++i) p[i] = p[i - 1] + 1;  // [a]
}

// outside: a 1 | 0 bytes behind the end of 400 bytes
__global__ void last_of_five(const int* p, int* out, int n) {
  out[0] = p[0] + p[n / 3] + p[n / 2] + p[n] + p[n / 7];  // [a]
}

// outside: a 4 | byte 16 of 400 bytes at 0x
// outside: a 4 | which were freed at memory.cu:
__global__ void after_free(int* p) { p[threadIdx.x + 4] = 1; }  // [a]

// outside: a 1 | 0 bytes behind the end of 128 bytes of the shared variable first
__global__ void behind_a_shared_variable(int* out) {
  __shared__ int first[32], second[32];
  second[threadIdx.x] = 2;
  __syncthreads();
  first[threadIdx.x + 1] = 1;  // [a]
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x > 0 ? threadIdx.x : 1] + second[threadIdx.x];
}
__global__ void two_shared_variables(int* out) {
  __shared__ int first[32], second[32];
  second[threadIdx.x] = 2;
  first[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = first[31 - threadIdx.x] + second[31 - threadIdx.x];
}
// outside: a 1 | 0 bytes behind the end of 33 bytes of the shared variable text
__global__ void one_byte_behind_a_shared_variable(char* out) {
  __shared__ char text[33];
  text[threadIdx.x + 2] = 1;  // [a]
  __syncthreads();
  out[threadIdx.x] = text[2 + threadIdx.x % 31];
}
// outside: a 1 | 0 bytes behind the end of 128 bytes of dynamic shared memory
__global__ void behind_dynamic_shared(int* out) {
  extern __shared__ int memory[];
  memory[threadIdx.x + 1] = 1;  // [a]
  __syncthreads();
  out[threadIdx.x] = memory[1 + threadIdx.x % 31];
}
__global__ void dynamic_shared(int* out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = memory[31 - threadIdx.x];
}

__device__ int table[5];
__device__ char name[3];
// outside: a 1 | 0 bytes behind the end of 20 bytes of a device variable
__global__ void behind_a_variable() { table[threadIdx.x] = 1; }  // [a]
__global__ void in_a_variable() { table[threadIdx.x] = 1; }
// outside: a 1 | 0 bytes behind the end of 3 bytes of a device variable
__global__ void one_byte_behind_a_variable() { name[threadIdx.x] = 1; }  // [a]

// outside: a 1 | 0 bytes behind the end of 32 bytes of a local variable
__global__ void behind_a_local_array(int* out, int n) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i * out[200] % 8] = i;
  out[threadIdx.x] = local[n];  // [a]
}
// outside: a 1 | 4 bytes before the start of 32 bytes of a local variable
__global__ void before_a_local_array(int* out, int n) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i * out[200] % 8] = i;
  local[n] = 4;  // [a]
  out[threadIdx.x] = local[out[200]];
}
__global__ void in_a_local_array(int* out, int n) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i * out[200] % 8] = i;
  out[threadIdx.x] = local[n];
}

// unwritten: a 32 | byte 0 of the shared variable values
__global__ void unwritten_shared(int* out) {
  __shared__ int values[32];
  if (out[200] == 5) values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];  // [a]
}
// unwritten: a 1 | byte 124 of the shared variable values
__global__ void last_lane_unwritten(int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 31) values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];  // [a]
}
// unwritten: a 1 | byte 0 of the shared variable count
__global__ void counter_without_start(int* out) {
  __shared__ int count;
  atomicAdd(&count, 1);  // [a]
  __syncthreads();
  out[threadIdx.x] = count;
}
__global__ void counter(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}
// unwritten: a 32 | byte 0 of 400 bytes of device memory at 0x
// unwritten: a 32 | allocated at memory.cu:
__global__ void unwritten_device(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }  // [a]
// unwritten: a 7 | byte 100 of 400 bytes of device memory
__global__ void partly_filled(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }  // [a]
__global__ void filled(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void copied(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void from_a_kernel(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void in_managed_memory(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }
struct padded {
  char c;
  int i;
};
// The padding of a structure was never written.
__global__ void with_padding(padded* p, padded* out) {
  p[threadIdx.x].c = 1;
  p[threadIdx.x].i = 2;
  out[threadIdx.x] = p[threadIdx.x];
}
__global__ void by_collectives(const int* p, int* out) {
  __shared__ int values[32];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, values, p, sizeof values);
  cg::wait(block);
  const auto warp = cg::tiled_partition<32>(block);
  out[threadIdx.x] = cg::reduce(warp, values[31 - threadIdx.x], cg::plus<int>());
}
__global__ void of_malloc(int** shared) {
  int* const mine = static_cast<int*>(malloc(40));
  for (int i = 0; i < 10; ++i) mine[i] = i;
  shared[threadIdx.x] = mine;
  free(mine);
}

int main() {
  int *out = nullptr, *managed = nullptr, *odd = nullptr;
  cudaMallocManaged(&out, 4000);
  cudaMallocManaged(&managed, 400);
  std::memset(out, 0, 4000);
  int* p[12] = {};
  for (auto& memory : p) cudaMalloc(&memory, 400);
  cudaMalloc(&odd, 399);
  const auto run = [](auto kernel, int threads, auto... arguments) {
    kernel<<<1, threads, 128>>>(arguments...);
    if (const cudaError_t error = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorString(error));
  };
  run(one_element_behind, 128, p[0], 100);
  run(last_element, 128, p[0], 100);
  run(one_byte_behind, 32, reinterpret_cast<char*>(odd), 399);
  run(before_the_start, 32, p[0]);
  run(across_the_end, 1, odd);
  run(behind_by_many, 20, p[0], out);
  run(atomic_behind, 1, p[0]);
  run(eight_bytes_behind, 1, reinterpret_cast<double*>(p[0]));
  run(loop_to_the_end, 32, p[0], out, 100);
  run(loop_before_the_end, 32, p[0], out, 100);
  run(last_of_five, 1, p[0], out, 100);
  int mixed[101], *indices = nullptr;
  for (int i = 0; i < 101; ++i) mixed[i] = 7 * i % 101;
  cudaMalloc(&indices, sizeof mixed);
  cudaMemcpy(indices, mixed, sizeof mixed, cudaMemcpyHostToDevice);
  run(gather_to_the_end, 32, p[0], indices, out, 101);
  for (int i = 0; i < 100; ++i) mixed[i] = 7 * i % 100;
  cudaMemcpy(indices, mixed, sizeof mixed, cudaMemcpyHostToDevice);
  run(gather_before_the_end, 32, p[0], indices, out, 100);
  int *unwritten = nullptr, *other = nullptr;
  cudaMalloc(&unwritten, 400);
  cudaMalloc(&other, 400);
  cudaMemset(unwritten, 0, 100);
  run(loop_over_unwritten, 1, unwritten, out, 100);
  run(gather_of_unwritten, 1, unwritten, indices, out, 100);
  cudaFree(indices);
  run(loop_from_unwritten, 1, other, 100);
  cudaFree(unwritten);
  cudaFree(other);
  int* freed = nullptr;
  cudaMalloc(&freed, 400);
  cudaFree(freed);
  run(after_free, 4, freed);
  run(behind_a_shared_variable, 32, out);
  run(two_shared_variables, 32, out);
  run(one_byte_behind_a_shared_variable, 32, reinterpret_cast<char*>(out));
  run(behind_dynamic_shared, 32, out);
  run(dynamic_shared, 32, out);
  run(behind_a_variable, 6);
  run(in_a_variable, 5);
  run(one_byte_behind_a_variable, 4);
  run(behind_a_local_array, 1, out, 8);
  run(before_a_local_array, 1, out, -1);
  run(in_a_local_array, 1, out, 7);
  run(unwritten_shared, 32, out);
  run(last_lane_unwritten, 32, out);
  run(counter_without_start, 32, out);
  run(counter, 32, out);
  run(unwritten_device, 32, p[1], out);
  cudaMemset(p[2], 0, 100);
  run(partly_filled, 32, p[2], out);
  cudaMemset(p[3], 0, 400);
  run(filled, 32, p[3], out);
  cudaMemcpy(p[4], managed, 400, cudaMemcpyDefault);
  run(copied, 32, p[4], out);
  run(last_element, 32, p[5], 100);
  run(from_a_kernel, 32, p[5], out);
  run(in_managed_memory, 32, managed, out);
  run(with_padding, 32, reinterpret_cast<padded*>(p[6]), reinterpret_cast<padded*>(out));
  run(by_collectives, 32, p[5], out);
  run(of_malloc, 4, reinterpret_cast<int**>(out));
  for (int i = 2; i < 12; ++i) cudaFree(p[i]);
  cudaFree(out);
  cudaFree(managed);
  cudaFree(p[0]);
  cudaDeviceReset();
}

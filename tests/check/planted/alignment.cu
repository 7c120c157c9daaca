// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of alignment: a GPU fails an access whose address is no multiple of its size.
#include <cuda_fp16.h>

#include "planted.hpp"

namespace {

char* zeroed(std::size_t bytes) {
  char* memory = nullptr;
  cudaMalloc(&memory, bytes);
  cudaMemset(memory, 0, bytes);
  return memory;
}

// Runs the kernel on memory that, with the defect, is misaligned by `shift` bytes.
template <class Kernel>
void run_shifted(Kernel kernel, bool defect, int shift) {
  char* const memory = zeroed(1024);
  kernel<<<1, 7>>>(memory + (defect ? shift : 0));
  cudaDeviceSynchronize();
  cudaFree(memory);
}

template <class T>
__global__ void store(char* p) {
  reinterpret_cast<T*>(p)[threadIdx.x] = T{};  // here: short_store int_store double_store float2_store float4_store
}
PLANTED(short_store, "is a multiple of 1 only, in byte 1 of 1024 bytes of device memory") {
  run_shifted(store<short>, defect, 1);
}
PLANTED(int_store, "is a multiple of 2 only, in byte 2 of 1024 bytes of device memory") {
  run_shifted(store<int>, defect, 2);
}
PLANTED(double_store, "is a multiple of 4 only, in byte 4 of 1024 bytes of device memory") {
  run_shifted(store<double>, defect, 4);
}
PLANTED(float2_store, "is a multiple of 4 only, in byte 4 of 1024 bytes of device memory") {
  run_shifted(store<float2>, defect, 4);
}
PLANTED(float4_store, "is a multiple of 8 only, in byte 8 of 1024 bytes of device memory") {
  run_shifted(store<float4>, defect, 8);
}

template <class T>
__global__ void copy(char* p) {
  T* const values = reinterpret_cast<T*>(p);
  values[threadIdx.x + 16] = values[threadIdx.x];  // here: int4_copy uchar4_copy half2_copy
}
PLANTED(int4_copy, "is a multiple of 4 only") { run_shifted(copy<int4>, defect, 12); }
PLANTED(uchar4_copy, "is a multiple of 2 only") { run_shifted(copy<uchar4>, defect, 2); }
PLANTED(half2_copy, "is a multiple of 2 only") { run_shifted(copy<half2>, defect, 6); }

__global__ void sum_of_vectors(char* p) {
  const auto* const in = reinterpret_cast<const float4*>(p);
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 10; ++i) {
    const float4 v = in[i];  // here: float4_loop
    sum += v.x + v.y + v.z + v.w;
  }
  atomicAdd(reinterpret_cast<float*>(p), sum);
}
PLANTED(float4_loop, "is a multiple of 4 only") { run_shifted(sum_of_vectors, defect, 4); }

__global__ void sum_of_doubles(char* p) {
  const auto* const in = reinterpret_cast<const double*>(p);
  double sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; ++i) sum += in[i];  // here: double_loop
  reinterpret_cast<float*>(p)[200 + threadIdx.x] = sum;
}
PLANTED(double_loop, "is a multiple of 4 only") { run_shifted(sum_of_doubles, defect, 4); }

__global__ void gathered(char* p) {
  const int* const index = reinterpret_cast<const int*>(p) + 96;
  const auto* const in = reinterpret_cast<const double*>(p + index[40]);
  double sum = 0;
#pragma unroll 1
  for (int i = 0; i < 12; ++i) sum += in[index[i]];  // here: double_gather
  reinterpret_cast<float*>(p)[200 + threadIdx.x] = sum;
}
PLANTED(double_gather, "is a multiple of 4 only") {
  char* const memory = zeroed(1024);
  const int shift = defect ? 4 : 8;
  cudaMemcpy(memory + 96 * 4 + 40 * 4, &shift, 4, cudaMemcpyHostToDevice);
  gathered<<<1, 7>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

__global__ void count(char* p) {
  atomicAdd(reinterpret_cast<int*>(p), 1);  // here: int_atomic
}
PLANTED(int_atomic, "is a multiple of 1 only") { run_shifted(count, defect, 3); }

__global__ void exchange(char* p) {
  atomicExch(reinterpret_cast<unsigned long long*>(p), 1ull);  // here: long_atomic
}
PLANTED(long_atomic, "is a multiple of 4 only") { run_shifted(exchange, defect, 4); }

__global__ void poll(char* p) {
  *reinterpret_cast<volatile double*>(p + 8 * threadIdx.x) = 1;  // here: volatile_store
}
PLANTED(volatile_store, "is a multiple of 4 only") { run_shifted(poll, defect, 4); }

__global__ void in_shared(int shift, float* out) {
  extern __shared__ char bytes[];
  auto* const vectors = reinterpret_cast<float4*>(bytes + shift);
  vectors[threadIdx.x] = make_float4(1, 2, 3, 4);  // here: shared_vectors
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<const float*>(bytes + shift)[threadIdx.x];
}
PLANTED(shared_vectors, "of the dynamic shared memory of block (0, 0, 0)") {
  char* const out = zeroed(1024);
  in_shared<<<1, 9, 256>>>(defect ? 8 : 16, reinterpret_cast<float*>(out));
  cudaDeviceSynchronize();
  cudaFree(out);
}

struct alignas(16) quad {
  int values[4];
};
__device__ __noinline__ int first_of(const quad& q) {
  return q.values[0];  // here: by_reference
}
__global__ void through_reference(char* p) {
  reinterpret_cast<int*>(p)[100 + threadIdx.x] = first_of(*reinterpret_cast<const quad*>(p));  // here: by_reference
}
PLANTED(by_reference, "is a multiple of 4 only") { run_shifted(through_reference, defect, 4); }

// Types that may lie at any address, and promises of more alignment than a GPU's accesses need.
struct __attribute__((packed)) unaligned {
  char tag;
  double value;
  int count;
};
struct alignas(64) wide {
  float values[16];
};
template <class T>
__global__ void move_struct(char* p) {
  T& t = reinterpret_cast<T*>(p)[1];
  T copy = t;
  reinterpret_cast<T*>(p)[2] = copy;
  p[500] = 1;
}
__global__ void read_parts(char* p, int shift) {
  const auto* const t = reinterpret_cast<const unaligned*>(p + shift);
  reinterpret_cast<double*>(p)[100] = t->value + t->count;
  double local = 0;
  memcpy(&local, p + shift, sizeof local);
  reinterpret_cast<double*>(p)[101] = local;
  volatile int* const word = reinterpret_cast<volatile int*>(p + 4);
  *word = *word + 1;
}
__global__ void twice_aligned(char* p) {
  reinterpret_cast<float4*>(p)[threadIdx.x].x = 1;  // here: read_of_unaligned
}
PLANTED(read_of_unaligned, "is a multiple of 4 only") {
  char* const memory = zeroed(1024);
  read_parts<<<1, 1>>>(memory, 3);
  move_struct<unaligned><<<1, 1>>>(memory + 1);
  move_struct<wide><<<1, 1>>>(memory + 16);
  cudaDeviceSynchronize();
  twice_aligned<<<1, 1>>>(memory + (defect ? 4 : 0));
  cudaDeviceSynchronize();
  cudaFree(memory);
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }

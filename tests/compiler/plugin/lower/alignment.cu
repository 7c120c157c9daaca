// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types with an alignment above 16 at addresses aligned to 16: valid, because no access of a GPU is wider.
#include <cuda_runtime.h>

#include "../check.hpp"

struct alignas(32) wide {
  int parts[8];
};
struct alignas(64) wider {
  double parts[8];
};

__host__ __device__ wide sum(const wide& a, const wide& b) {
  wide result;
  for (int i = 0; i < 8; ++i) result.parts[i] = a.parts[i] + b.parts[i];
  return result;
}

__global__ void misplaced(int* out) {
  __shared__ alignas(64) char memory[16 + 2 * sizeof(wide)];
  auto* values = reinterpret_cast<wide*>(memory + 16);
  if (threadIdx.x < 8) {
    values[0].parts[threadIdx.x] = static_cast<int>(threadIdx.x);
    values[1].parts[threadIdx.x] = 100;
  }
  __syncthreads();
  const wide all = sum(values[0], values[1]);
  __syncthreads();
  if (threadIdx.x == 0) values[1] = all;
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = values[1].parts[threadIdx.x];
}

__global__ void add(const wider* in, wider* out) {
  wider value = in[threadIdx.x];
  for (double& part : value.parts) part += 1;
  out[threadIdx.x] = value;
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 8 * sizeof *out));
  misplaced<<<1, 64>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) expect_equal(out[i], i + 100, "in shared memory", i);

  char* memory;
  EXPECT_SUCCESS(cudaMallocManaged(&memory, 16 + 8 * sizeof(wider)));
  auto* numbers = reinterpret_cast<double*>(memory + 16);
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  add<<<1, 4>>>(reinterpret_cast<wider*>(memory + 16), reinterpret_cast<wider*>(memory + 16) + 4);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) expect_equal(numbers[32 + i], i + 1.0, "in managed memory", i);
  return result();
}

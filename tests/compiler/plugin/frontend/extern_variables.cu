// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without -rdc=true, an extern device variable that the file does not define becomes a definition, as with nvcc: it is
// zero, and kernels and the host can access it.
#include "../check.hpp"

extern __device__ int counter;
extern __constant__ int factor;
extern "C" __device__ long long of_c;
extern "C" {
extern __device__ int in_braces;
}
namespace inner {
extern __device__ float table[7];
}
extern __device__ int defined_later;
__device__ int defined_later = 30;

__device__ int local() {
  extern __device__ int of_a_function;
  return of_a_function++;
}

__global__ void run(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] =
      counter * factor + static_cast<int>(inner::table[i % 7]) + static_cast<int>(of_c) + in_braces + defined_later;
  __syncthreads();
  if (i == 0) {
    counter += local() + 1;
    in_braces = 3;
  }
}

int main() {
  constexpr int threads = 33;
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof *out));
  run<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) expect_equal(out[i], 30, "zero", i);

  const int seven = 7;
  const long long thousand = 1000;
  float table[7];
  for (int i = 0; i < 7; ++i) table[i] = static_cast<float>(10 * i);
  EXPECT_SUCCESS(cudaMemcpyToSymbol(factor, &seven, sizeof seven));
  EXPECT_SUCCESS(cudaMemcpyToSymbol(of_c, &thousand, sizeof thousand));
  EXPECT_SUCCESS(cudaMemcpyToSymbol(inner::table, table, sizeof table));
  run<<<1, threads>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) expect_equal(out[i], 1 * 7 + 10 * (i % 7) + 1000 + 3 + 30, "stored", i);
  int value = 0;
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  expect_equal(value, 1 + 2, "counter");
  return result();
}

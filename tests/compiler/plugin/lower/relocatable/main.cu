// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.hpp"
#include "parts.hpp"

static __device__ int own(int x) { return x + 1000; }  // the other file defines one, too
static __device__ int own_variable = 60;

__global__ void use(int* out) {
  __shared__ int mine[64];
  const int values[] = {1, 2, 3, 4};
  const square s(5);
  const shape* base = &s;
  const int t = threadIdx.x;
  mine[t] = t;
  const int sum = block_sum(t);
  const int neighbour = from_header(t);
  __syncthreads();
  out[t] = mine[31 - t] + sum + neighbour;
  if (t == 0) {
    out[32] = scaled_sum(values, 4);
    out[33] = base->area();
    out[34] = atomicAdd(&total, 1);
    out[35] = twice(21);
    out[36] = own(own_variable);
    out[37] = ++steps;
  }
}

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 64 * sizeof(int)));
  const int start = 500;
  EXPECT_SUCCESS(cudaMemcpyToSymbol(total, &start, sizeof start));  // defined in the other file
  expect_equal(steps, 40, "managed variable of another file");
  use<<<1, 32>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 32; ++t) expect_equal(out[t], 31 - t + 496 + (t + 1) % 32, "shared memory of two files", t);
  const int wanted[] = {4321, 25, 500, 42, 1060, 41};
  for (int i = 0; i < 6; ++i) expect_equal(out[32 + i], wanted[i], "other file", i);
  int now = 0;
  EXPECT_SUCCESS(cudaMemcpyFromSymbol(&now, total, sizeof now));
  expect_equal(now, 501, "variable of another file");
  expect_equal(steps, 41, "managed variable of another file, changed");
  kernel_of_parts<<<1, 32>>>(out);  // a kernel of the other file
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 32; ++t) expect_equal(out[t], 31 - t + 7 + (t + 1) % 32, "kernel of another file", t);
  return result();
}

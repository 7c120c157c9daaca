// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without -rdc=true, a file's device code is a separate program: a.cu and b.cu define equal names.
__device__ int number = 2;
__constant__ int scale = 20;
__device__ int helper(int x) { return x + 200; }
static __global__ void kernel(int* out) { *out = helper(number) + scale; }
namespace {
__global__ void unnamed(int* out) {
  __shared__ int local;
  local = 2000;
  *out = local + number;
}
}  // namespace

int run_b(int* out) {
  kernel<<<1, 1>>>(out);
  unnamed<<<1, 1>>>(out + 1);
  const int more = 250;
  cudaMemcpyToSymbol(number, &more, sizeof more);
  kernel<<<1, 1>>>(out + 2);
  return cudaDeviceSynchronize();
}

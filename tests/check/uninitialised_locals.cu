// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under --check, an uninitialised local variable has a conspicuous value: bytes of 0xaa, or a NaN. Without --check the
// optimizer chooses a value, which may differ between builds and runs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct record {
  float weight;
  int32_t index;
};

struct values {
  float sum, element, never_set, member;
  uint32_t index, byte;
};

__device__ __noinline__ float sum_without_start(const float* x, int n) {
  float sum;
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}

__global__ void read_unwritten(values* out, const float* x, int n) {
  values& mine = out[threadIdx.x];
  mine.sum = sum_without_start(x, n);
  float some[8];
  for (int i = 0; i < n; ++i) some[i] = x[i];
  mine.element = some[n + threadIdx.x % 2];
  float never_set;
  if (n > 100) never_set = 1;
  mine.never_set = never_set;
  record one;
  if (n > 100) one = record{2, 3};
  mine.member = one.weight;
  mine.index = one.index;
  unsigned char bytes[8];
  for (int i = 0; i < n; ++i) bytes[i] = i;
  mine.byte = bytes[n];
}

int main() {
  constexpr int threads = 33, written = 5;
  values* out;
  float* x;
  cudaMallocManaged(&out, threads * sizeof *out);
  cudaMallocManaged(&x, written * sizeof *x);
  for (int i = 0; i < written; ++i) x[i] = 1;
  read_unwritten<<<1, threads>>>(out, x, written);
  int failures = cudaDeviceSynchronize() != cudaSuccess;
  for (int t = 0; t < threads; ++t) {
    const values& v = out[t];
    const bool is_right = std::isnan(v.sum) && std::isnan(v.element) && std::isnan(v.never_set) &&
                          std::isnan(v.member) && v.index == 0xaaaaaaaa && v.byte == 0xaa;
    if (!is_right && failures++ < 3) {
      std::printf("thread %d: %g %g %g %g %x %x\n", t, v.sum, v.element, v.never_set, v.member, v.index, v.byte);
    }
  }
  std::puts(failures ? "failed" : "passed");
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums are fused alike in a loop over threads and with a stack for each thread, and as a host model of the
// rule expects. FMAD is the value of -fmad.
#include <cmath>
#include <cstring>

#include "../check.hpp"

#ifndef FMAD
#define FMAD 1
#endif

// Device code finds whether its optimization level and its CPU allow to fuse.
__global__ void find_rule(bool* fuses) {
#if FMAD && defined(__OPTIMIZE__) && (defined(__FMA__) || defined(__aarch64__))
  *fuses = true;
#else
  *fuses = false;
#endif
}

template <class T>
__device__ __noinline__ T product(T a, T b) {
  return a * b;
}

constexpr int forms = 9;
constexpr int per_thread = 3 * forms;  // each form has its own operands, because LLVM merges equal products

// No launch here reaches the barrier, but it gives each thread a stack.
template <bool Waits, class T>
__global__ void compute(const T* in, int n, T* out) {
  if (Waits && n < 0) __syncthreads();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const T* x = in + per_thread * i;
  T* const mine = out + forms * i;
  mine[0] = x[0] * x[1] + x[2];
  mine[1] = x[3] + x[4] * x[5];
  mine[2] = x[6] * x[7] - x[8];
  mine[3] = x[9] - x[10] * x[11];
  mine[4] = x[12] * x[13] + x[13] * x[14];
  const T shared = x[15] * x[16];  // used twice, so it stays a product
  mine[5] = shared + x[17];
  mine[6] = shared;
  mine[7] = product(x[21], x[22]) + x[23];  // inlined only in a loop over threads
  T in_two_blocks = x[24] * x[25];
  if (x[26] > T(0.5)) in_two_blocks += x[26];
  mine[8] = in_two_blocks;
}

template <class T>
T rounded(T value) {
  volatile T kept = value;
  return kept;
}

template <class T>
void expect_model(bool fuses, const T* in, const T* out, int n) {
  auto sum = [fuses](T a, T b, T c) { return fuses ? std::fma(a, b, c) : rounded(rounded(a * b) + c); };
  for (int i = 0; i < n; ++i) {
    const T* x = in + per_thread * i;
    const T* const got = out + forms * i;
    expect_equal(got[0], sum(x[0], x[1], x[2]), "product + c", i);
    expect_equal(got[1], sum(x[4], x[5], x[3]), "c + product", i);
    expect_equal(got[2], sum(x[6], x[7], -x[8]), "product - c", i);
    expect_equal(got[3], sum(-x[10], x[11], x[9]), "c - product", i);
    expect_equal(got[4], sum(x[12], x[13], rounded(x[13] * x[14])), "product + product", i);
    expect_equal(got[5], rounded(rounded(x[15] * x[16]) + x[17]), "a product with two uses, added", i);
    expect_equal(got[6], rounded(x[15] * x[16]), "a product with two uses", i);
    expect_equal(got[7], rounded(rounded(x[21] * x[22]) + x[23]), "a product from a call", i);
  }
}

template <class T>
void run() {
  constexpr int n = 1000;
  T *in = nullptr, *in_loop = nullptr, *on_stacks = nullptr;
  bool* fuses = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&in, per_thread * n * sizeof(T)));
  EXPECT_SUCCESS(cudaMallocManaged(&in_loop, forms * n * sizeof(T)));
  EXPECT_SUCCESS(cudaMallocManaged(&on_stacks, forms * n * sizeof(T)));
  EXPECT_SUCCESS(cudaMallocManaged(&fuses, sizeof(bool)));
  unsigned state = 1;
  for (int i = 0; i < per_thread * n; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = static_cast<T>(state) / static_cast<T>(3e9);
  }
  find_rule<<<1, 1>>>(fuses);
  compute<false><<<4, 256>>>(in, n, in_loop);
  compute<true><<<4, 256>>>(in, n, on_stacks);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_model(*fuses, in, in_loop, n);
  for (int i = 0; i < forms * n; ++i) {
    expect_equal(std::memcmp(in_loop + i, on_stacks + i, sizeof(T)), 0, "bytes of loop and stacks, form", i % forms);
  }
  cudaFree(in);
  cudaFree(in_loop);
  cudaFree(on_stacks);
  cudaFree(fuses);
}

int main() {
  run<float>();
  run<double>();
  return result();
}

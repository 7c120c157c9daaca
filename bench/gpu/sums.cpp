// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sums.cuh"

void expect(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

const sum_arrays& arrays() {
  static const sum_arrays made = [] {
    sum_arrays a{};
    expect(cudaMalloc(&a.values, array_length * sizeof(float)), "cudaMalloc of 2 GiB");
    expect(cudaMalloc(&a.sums, batches * sizeof(float)), "cudaMalloc");
    const std::vector<float> ones(batch_length, 1.0f);
    for (std::size_t i = 0; i < batches; ++i) {
      expect(cudaMemcpy(a.values + i * batch_length, ones.data(), batch_length * sizeof(float), cudaMemcpyHostToDevice),
             "cudaMemcpy");
    }
    return a;
  }();
  return made;
}

double rate_of(void (*start)(), std::size_t sums, float expected) {
  constexpr int launches = 5;
  const sum_arrays& a = arrays();
  expect(cudaMemset(a.sums, 0, batches * sizeof(float)), "cudaMemset");
  start();
  std::vector<float> results(sums);
  expect(cudaMemcpy(results.data(), a.sums, sums * sizeof(float), cudaMemcpyDeviceToHost), "the sum's kernel");
  for (float result : results) {
    if (std::fabs(result - expected) <= expected * 1e-6f) continue;
    std::fprintf(stderr, "a sum is %.1f instead of %.1f\n", static_cast<double>(result), static_cast<double>(expected));
    std::exit(1);
  }
  cudaEvent_t begin, end;
  expect(cudaEventCreate(&begin), "cudaEventCreate");
  expect(cudaEventCreate(&end), "cudaEventCreate");
  start();
  expect(cudaEventRecord(begin), "cudaEventRecord");
  for (int i = 0; i < launches; ++i) start();
  expect(cudaEventRecord(end), "cudaEventRecord");
  expect(cudaEventSynchronize(end), "the sum's kernel");
  float milliseconds = 0;
  expect(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  expect(cudaEventDestroy(begin), "cudaEventDestroy");
  expect(cudaEventDestroy(end), "cudaEventDestroy");
  return launches * static_cast<double>(array_length) * sizeof(float) / (milliseconds * 1e6);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs for the tests of this folder: kernels that leave a trace, and calls that must succeed.
#pragma once

#include <vector>

#include "../expect.hpp"

using nodes = std::vector<cudaGraphNode_t>;

// Appends a decimal digit to *p: the value shows the order of the launches.
static __global__ void append(long long* p, int digit) { *p = *p * 10 + digit; }

static __global__ void add(int* p, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += value;
}

template <class T>
T* device_memory(size_t elements) {
  T* p = nullptr;
  CALL(cudaMalloc(&p, elements * sizeof(T)));
  CALL(cudaMemset(p, 0, elements * sizeof(T)));
  return p;
}

template <class T>
T read(const T* p) {
  T value{};
  CALL(cudaMemcpy(&value, p, sizeof(T), cudaMemcpyDefault));
  return value;
}

inline cudaGraph_t make_graph() {
  cudaGraph_t made = nullptr;
  CALL(cudaGraphCreate(&made, 0));
  return made;
}

inline cudaGraphNode_t add_kernel(cudaGraph_t graph, const nodes& before, const void* function, dim3 grid, dim3 block,
                                  void** arguments) {
  const cudaKernelNodeParams parameters{const_cast<void*>(function), grid, block, 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters));
  return node;
}

inline cudaGraphNode_t add_digit(cudaGraph_t graph, const nodes& before, long long* p, int digit) {
  void* arguments[] = {&p, &digit};
  return add_kernel(graph, before, reinterpret_cast<const void*>(append), 1, 1, arguments);
}

inline cudaGraphNode_t add_to_all(cudaGraph_t graph, const nodes& before, int* p, int n, int value) {
  void* arguments[] = {&p, &n, &value};
  return add_kernel(graph, before, reinterpret_cast<const void*>(add), (n + 127) / 128, 128, arguments);
}

inline cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t made = nullptr;
  CALL(cudaGraphInstantiate(&made, graph, flags));
  return made;
}

inline void run(cudaGraphExec_t graph, cudaStream_t stream, int times = 1) {
  for (int i = 0; i < times; ++i) CALL(cudaGraphLaunch(graph, stream));
  CALL(cudaStreamSynchronize(stream));
}

// Expects an error of the call, and clears it from cudaGetLastError().
#define REFUSED(error, call)   \
  do {                         \
    EXPECT((call) == (error)); \
    (void)cudaGetLastError();  \
  } while (0)

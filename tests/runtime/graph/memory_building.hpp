// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs with memory nodes, for the tests of this folder.
#pragma once

#include <cstdint>

#include "building.hpp"

constexpr int count = 1001;
constexpr size_t bytes = count * sizeof(int);

inline cudaMemAllocNodeParams parameters_for(size_t size) {
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = size;
  return p;
}

struct allocation_node {
  cudaGraphNode_t node = nullptr;
  int* memory = nullptr;
};

inline allocation_node add_allocation(cudaGraph_t graph, const nodes& before, size_t size = bytes) {
  cudaMemAllocNodeParams p = parameters_for(size);
  allocation_node made;
  CALL(cudaGraphAddMemAllocNode(&made.node, graph, before.data(), before.size(), &p));
  made.memory = static_cast<int*>(p.dptr);
  EXPECT(made.memory != nullptr);
  return made;
}

inline cudaGraphNode_t add_free(cudaGraph_t graph, const nodes& before, void* memory) {
  cudaGraphNode_t made = nullptr;
  CALL(cudaGraphAddMemFreeNode(&made, graph, before.data(), before.size(), memory));
  return made;
}

inline cudaGraphNode_t add_fill(cudaGraph_t graph, const nodes& before, void* memory, unsigned value) {
  const cudaMemsetParams fill{memory, 0, value, 4, count, 1};
  cudaGraphNode_t made = nullptr;
  CALL(cudaGraphAddMemsetNode(&made, graph, before.data(), before.size(), &fill));
  return made;
}

inline cudaGraphNode_t add_download(cudaGraph_t graph, const nodes& before, int* to, const int* from) {
  cudaGraphNode_t made = nullptr;
  CALL(cudaGraphAddMemcpyNode1D(&made, graph, before.data(), before.size(), to, from, bytes, cudaMemcpyDeviceToHost));
  return made;
}

inline void expect_all(int line, const std::vector<int>& got, int expected) {
  for (int i = 0; i < count; ++i) {
    if (got[i] == expected) continue;
    std::printf("line %d: element %d is %d, expected %d\n", line, i, got[i], expected);
    ++failures;
    return;
  }
}

inline void expect_device(int line, const int* memory, int expected) {
  std::vector<int> got(count, -1);
  CALL(cudaMemcpy(got.data(), memory, bytes, cudaMemcpyDeviceToHost));
  expect_all(line, got, expected);
}

inline uint64_t attribute(cudaGraphMemAttributeType which) {
  uint64_t value = ~uint64_t{0};
  CALL(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}
inline uint64_t used() { return attribute(cudaGraphMemAttrUsedMemCurrent); }
inline uint64_t reserved() { return attribute(cudaGraphMemAttrReservedMemCurrent); }

inline void forget_memory() {
  CALL(cudaDeviceSynchronize());
  CALL(cudaDeviceGraphMemTrim(0));
  EXPECT(used() == 0 && reserved() == 0);
}

// A graph that allocates and fills memory, which other graphs or calls free.
struct producer {
  explicit producer(unsigned value, unsigned long long flags = 0) {
    const cudaGraph_t graph = make_graph();
    const allocation_node made = add_allocation(graph, {});
    memory = made.memory;
    add_fill(graph, {made.node}, memory, value);
    runnable = instantiate(graph, flags);
    CALL(cudaGraphDestroy(graph));
  }
  ~producer() { CALL(cudaGraphExecDestroy(runnable)); }
  int* memory = nullptr;
  cudaGraphExec_t runnable = nullptr;
};

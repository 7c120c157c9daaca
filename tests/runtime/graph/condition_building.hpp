// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs with conditional nodes, for the tests of this folder.
#pragma once

#include "building.hpp"

using handle_type = cudaGraphConditionalHandle;

// Writes *value to the condition.
static __global__ void set_condition(handle_type condition, const unsigned* value) {
  cudaGraphSetConditional(condition, *value);
}

// Decrements *value, and writes it to the condition. Every thread of every block writes.
static __global__ void count_down(handle_type condition, unsigned* value, unsigned* blocks_done) {
  __shared__ unsigned seen;
  if (threadIdx.x == 0) seen = *value;
  __syncthreads();
  cudaGraphSetConditional(condition, seen - 1);
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(blocks_done, 1) == gridDim.x - 1) {
    *value = seen - 1;
    *blocks_done = 0;
  }
}

static __global__ void store(unsigned* p, unsigned value) { *p = value; }

inline handle_type make_condition(cudaGraph_t graph, unsigned value = 0, unsigned flags = 0) {
  handle_type made = 0;
  CALL(cudaGraphConditionalHandleCreate(&made, graph, value, flags));
  return made;
}

struct conditional_node {
  cudaGraphNode_t node = nullptr;
  std::vector<cudaGraph_t> bodies;
};

inline conditional_node add_conditional(cudaGraph_t graph, const nodes& before, cudaGraphConditionalNodeType type,
                                        handle_type condition, unsigned size = 1) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = condition;
  p.conditional.type = type;
  p.conditional.size = size;
  conditional_node made;
  CALL(cudaGraphAddNode(&made.node, graph, before.data(), nullptr, before.size(), &p));
  made.bodies.assign(p.conditional.phGraph_out, p.conditional.phGraph_out + size);
  return made;
}

inline cudaGraphNode_t add_setter(cudaGraph_t graph, const nodes& before, handle_type condition,
                                  const unsigned* value) {
  void* arguments[] = {&condition, &value};
  return add_kernel(graph, before, reinterpret_cast<const void*>(set_condition), 1, 1, arguments);
}

inline cudaGraphNode_t add_store(cudaGraph_t graph, const nodes& before, unsigned* to, unsigned value) {
  void* arguments[] = {&to, &value};
  return add_kernel(graph, before, reinterpret_cast<const void*>(store), 1, 1, arguments);
}

// The variables of a test.
struct variables {
  long long* digits = device_memory<long long>(1);
  unsigned* value = device_memory<unsigned>(1);
  unsigned* other = device_memory<unsigned>(1);
  unsigned* blocks_done = device_memory<unsigned>(2);
  ~variables() {
    for (void* each : {static_cast<void*>(digits), static_cast<void*>(value), static_cast<void*>(other),
                       static_cast<void*>(blocks_done)}) {
      CALL(cudaFree(each));
    }
  }
  void begin(unsigned first) const {
    CALL(cudaMemset(digits, 0, sizeof *digits));
    CALL(cudaMemcpy(value, &first, sizeof first, cudaMemcpyHostToDevice));
  }
  cudaGraphNode_t add_count_down(cudaGraph_t graph, const nodes& before, handle_type condition, unsigned* counter,
                                 int level = 0) const {
    unsigned* done = blocks_done + level;
    void* arguments[] = {&condition, &counter, &done};
    return add_kernel(graph, before, reinterpret_cast<const void*>(count_down), 3, 65, arguments);
  }
};

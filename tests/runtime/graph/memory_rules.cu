// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that a graph with memory nodes permits, and the codes of those that it refuses. nvcc compiles the file,
// too.
#include "memory_building.hpp"

namespace {

void test_restrictions() {
  const cudaGraph_t graph = make_graph();
  const allocation_node a = add_allocation(graph, {});
  cudaGraphNode_t next = nullptr;
  CALL(cudaGraphAddEmptyNode(&next, graph, &a.node, 1));
  const cudaGraphExec_t only = instantiate(graph);
  cudaGraphExec_t second = nullptr;
  REFUSED(cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  CALL(cudaGraphExecDestroy(only));
  CALL(cudaGraphExecDestroy(instantiate(graph)));
  cudaGraph_t clone = nullptr;
  REFUSED(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  const cudaGraph_t parent = make_graph();
  cudaGraphNode_t child = nullptr;
  REFUSED(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  REFUSED(cudaErrorNotSupported, cudaGraphRemoveDependencies(graph, &a.node, &next, nullptr, 1));
  REFUSED(cudaErrorNotSupported, cudaGraphDestroyNode(next));
  cudaGraphNodeParams generic = {cudaGraphNodeTypeMemFree};
  cudaGraphNode_t freed = add_free(graph, {next}, a.memory);
  generic.free.dptr = a.memory;
  REFUSED(cudaErrorNotSupported, cudaGraphNodeSetParams(freed, &generic));

  // A child graph cannot have memory nodes.
  const cudaGraph_t inner = make_graph();
  CALL(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, inner));
  cudaGraph_t copy = nullptr;
  CALL(cudaGraphChildGraphNodeGetGraph(child, &copy));
  cudaMemAllocNodeParams p = parameters_for(bytes);
  REFUSED(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&next, copy, nullptr, 0, &p));
  CALL(cudaGraphDestroy(inner));
  CALL(cudaGraphDestroy(parent));
  CALL(cudaGraphDestroy(graph));
}

void test_wrong_parameters() {
  const cudaGraph_t graph = make_graph();
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams p = parameters_for(bytes);
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &p));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, nullptr, nullptr, 0, &p));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 3, &p));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr));
  p.poolProps.allocType = cudaMemAllocationTypeInvalid;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p = parameters_for(bytes);
  p.poolProps.location.type = cudaMemLocationTypeInvalid;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p = parameters_for(bytes);
  CALL(cudaGetDeviceCount(&p.poolProps.location.id));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p = parameters_for(0);
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p = parameters_for(SIZE_MAX);
  REFUSED(cudaErrorMemoryAllocation, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p = parameters_for(bytes);
  cudaMemAccessDesc rights{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  p.accessDescs = &rights;
  p.accessDescCount = 1000;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  p.accessDescCount = 1;
  CALL(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
  cudaMemAllocNodeParams read_back{};
  CALL(cudaGraphMemAllocNodeGetParams(node, &read_back));
  EXPECT(read_back.accessDescCount == 1 && read_back.accessDescs != &rights);
  EXPECT(read_back.accessDescs[0].flags == cudaMemAccessFlagsProtReadWrite);

  auto* const memory = static_cast<int*>(p.dptr);
  int* const plain = device_memory<int>(count);
  cudaGraphNode_t freed = nullptr;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, graph, &node, 1, nullptr));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, graph, &node, 1, memory + 1));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, graph, &node, 1, plain));
  REFUSED(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(node, &read_back));
  REFUSED(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(node, nullptr));
  freed = add_free(graph, {node}, memory);
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, graph, &node, 1, memory));  // refused: freed twice
  const cudaGraph_t other = make_graph();
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, other, nullptr, 0, memory));  // its graph frees it
  const allocation_node b = add_allocation(graph, {});
  add_free(other, {}, b.memory);
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, other, nullptr, 0, b.memory));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&freed, graph, &b.node, 1, b.memory));  // by another graph
  CALL(cudaGraphDestroy(other));
  CALL(cudaGraphDestroy(graph));
  REFUSED(cudaErrorInvalidValue, cudaFree(memory));
  CALL(cudaFree(plain));

  uint64_t value = 1;
  REFUSED(cudaErrorInvalidDevice, cudaDeviceGetGraphMemAttribute(1000, cudaGraphMemAttrUsedMemHigh, &value));
  REFUSED(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  value = 0;
  REFUSED(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value));
  REFUSED(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(-1));
}

void test_moved_child(cudaStream_t stream) {
  std::vector<int> got(count, -1);
  const cudaGraph_t child = make_graph(), parent = make_graph();
  const allocation_node a = add_allocation(child, {});
  const cudaGraphNode_t filled = add_fill(child, {a.node}, a.memory, 21);
  add_free(child, {add_download(child, {filled}, got.data(), a.memory)}, a.memory);
  cudaGraphNodeParams p = {cudaGraphNodeTypeGraph};
  p.graph.graph = child;
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &p));
  cudaGraph_t inside = nullptr;
  CALL(cudaGraphChildGraphNodeGetGraph(node, &inside));
  EXPECT(inside == child);

  cudaGraphExec_t never = nullptr;
  cudaMemAllocNodeParams more = parameters_for(bytes);
  cudaGraphNode_t never_made = nullptr;
  const cudaGraph_t other = make_graph();
  REFUSED(cudaErrorInvalidValue, cudaGraphDestroy(child));
  REFUSED(cudaErrorInvalidValue, cudaGraphInstantiate(&never, child, 0));
  REFUSED(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&never_made, child, nullptr, 0, &more));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&never_made, other, nullptr, nullptr, 0, &p));
  p.graph.ownership = cudaGraphChildGraphOwnershipClone;
  REFUSED(cudaErrorNotSupported, cudaGraphAddNode(&never_made, other, nullptr, nullptr, 0, &p));
  REFUSED(cudaErrorNotSupported, cudaGraphClone(&inside, parent));
  const cudaGraphExec_t runnable = instantiate(parent);
  REFUSED(cudaErrorNotSupported, cudaGraphInstantiate(&never, parent, 0));
  run(runnable, stream, 2);
  expect_all(__LINE__, got, 21);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(other));
  CALL(cudaGraphDestroy(parent));
  forget_memory();
}

// An update replaces the addresses of memory nodes by those of the other graph.
void test_update(cudaStream_t stream) {
  std::vector<int> got(count, -1);
  cudaGraph_t graphs[2];
  for (int i = 0; i < 2; ++i) {
    graphs[i] = make_graph();
    const allocation_node a = add_allocation(graphs[i], {});
    const cudaGraphNode_t filled = add_fill(graphs[i], {a.node}, a.memory, 50 + i);
    add_free(graphs[i], {add_download(graphs[i], {filled}, got.data(), a.memory)}, a.memory);
  }
  const cudaGraphExec_t runnable = instantiate(graphs[0]);
  cudaGraphExecUpdateResultInfo info{};
  CALL(cudaGraphExecUpdate(runnable, graphs[1], &info));
  run(runnable, stream);
  expect_all(__LINE__, got, 51);
  const cudaGraph_t larger = make_graph();
  const allocation_node a = add_allocation(larger, {}, 2 * bytes);
  const cudaGraphNode_t filled = add_fill(larger, {a.node}, a.memory, 1);
  add_free(larger, {add_download(larger, {filled}, got.data(), a.memory)}, a.memory);
  REFUSED(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(runnable, larger, &info));
  EXPECT(info.result == cudaGraphExecUpdateErrorParametersChanged);
  const cudaGraphExec_t of_larger = instantiate(larger);
  REFUSED(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(runnable, larger, &info));
  EXPECT(info.result == cudaGraphExecUpdateErrorNotSupported);  // another executable graph has its memory
  CALL(cudaGraphExecDestroy(of_larger));
  CALL(cudaGraphExecDestroy(runnable));
  for (const cudaGraph_t each : {graphs[0], graphs[1], larger}) CALL(cudaGraphDestroy(each));
  forget_memory();
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_restrictions();
  test_wrong_parameters();
  test_moved_child(stream);
  test_update(stream);
  return failures != 0;
}

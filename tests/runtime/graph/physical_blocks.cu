// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The physical memory that graphs use and keep. Launches that share it have separate contents. nvcc compiles the file,
// too.
#include <atomic>
#include <thread>

#include "memory_building.hpp"

namespace {

std::atomic<bool> gate_is_open{false};
void wait_at_gate(void*) {
  while (!gate_is_open) std::this_thread::yield();
}

// A graph that allocates, waits for the gate and frees.
cudaGraphExec_t make_gated(size_t size) {
  const cudaGraph_t graph = make_graph();
  const allocation_node a = add_allocation(graph, {}, size);
  const cudaHostNodeParams host{wait_at_gate, nullptr};
  cudaGraphNode_t gate = nullptr;
  CALL(cudaGraphAddHostNode(&gate, graph, &a.node, 1, &host));
  add_free(graph, {gate}, a.memory);
  const cudaGraphExec_t made = instantiate(graph);
  CALL(cudaGraphDestroy(graph));
  return made;
}

// Launches share physical memory if they cannot overlap. Memory that the pool keeps is released only by a trim.
void test_physical_memory() {
  constexpr uint64_t unit = uint64_t{4} << 20;
  constexpr int graphs = 4;
  forget_memory();
  uint64_t zero = 0;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  cudaStream_t streams[graphs];
  cudaGraphExec_t gated[graphs];
  for (auto& each : streams) CALL(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  for (auto& each : gated) each = make_gated(unit);
  EXPECT(used() == 0 && reserved() == 0);

  size_t free_before = 0, free_after = 0, total = 0;
  CALL(cudaMemGetInfo(&free_before, &total));
  gate_is_open = false;
  for (int i = 0; i < graphs; ++i) {
    CALL(cudaGraphLaunch(gated[i], streams[0]));
    EXPECT(used() == unit);  // launches in one stream share physical memory
  }
  CALL(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_before - free_after == unit);
  CALL(cudaDeviceGraphMemTrim(0));
  EXPECT(used() == unit);  // a trim keeps memory that is in use
  gate_is_open = true;
  CALL(cudaStreamSynchronize(streams[0]));

  gate_is_open = false;
  for (int i = 0; i < graphs; ++i) {
    CALL(cudaGraphLaunch(gated[i], streams[i]));
    EXPECT(used() == unit * static_cast<uint64_t>(i + 1));  // launches in several streams may overlap
  }
  gate_is_open = true;
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < graphs; ++i) run(gated[i], streams[graphs - 1 - i]);
  EXPECT(used() == unit * graphs && reserved() == unit * graphs);
  CALL(cudaGraphExecDestroy(gated[0]));
  EXPECT(used() < reserved() && reserved() == unit * graphs);
  CALL(cudaDeviceGraphMemTrim(0));
  EXPECT(used() == 0 && reserved() == 0);
  run(gated[1], streams[0]);  // takes memory again after the trim
  EXPECT(used() == unit);
  for (int i = 1; i < graphs; ++i) CALL(cudaGraphExecDestroy(gated[i]));
  EXPECT(used() == 0 && reserved() == unit);
  EXPECT(attribute(cudaGraphMemAttrUsedMemHigh) == unit * graphs);
  EXPECT(attribute(cudaGraphMemAttrReservedMemHigh) == unit * graphs);
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  EXPECT(attribute(cudaGraphMemAttrReservedMemHigh) == unit);
  forget_memory();
  for (auto& each : streams) CALL(cudaStreamDestroy(each));
}

// Memory that is not freed keeps its physical pages, also in a trim.
void test_live_memory_is_kept(cudaStream_t stream) {
  const producer first(1), second(2);
  CALL(cudaGraphLaunch(first.runnable, stream));
  const uint64_t one = used();
  CALL(cudaGraphLaunch(second.runnable, stream));
  EXPECT(one > 0 && used() == 2 * one);
  CALL(cudaStreamSynchronize(stream));
  CALL(cudaDeviceGraphMemTrim(0));
  EXPECT(used() == 2 * one);
  expect_device(__LINE__, first.memory, 1);
  expect_device(__LINE__, second.memory, 2);
  CALL(cudaFree(first.memory));
  EXPECT(used() == 2 * one);
  CALL(cudaDeviceGraphMemTrim(0));
  EXPECT(used() == one);
  expect_device(__LINE__, second.memory, 2);
  CALL(cudaFree(second.memory));
}

// Graphs that use each other's pages in turn, with different sizes: contents stay separate.
void test_shared_pages(cudaStream_t stream) {
  constexpr int graphs = 3;
  cudaGraphExec_t runnable[graphs];
  std::vector<int> got[graphs];
  for (int i = 0; i < graphs; ++i) {
    got[i].assign(count, -1);
    const cudaGraph_t graph = make_graph();
    const allocation_node a = add_allocation(graph, {}, bytes + 4096 * static_cast<size_t>(i));
    const cudaGraphNode_t filled = add_fill(graph, {a.node}, a.memory, 10 + i);
    const cudaGraphNode_t added = add_to_all(graph, {filled}, a.memory, count, 100);
    add_free(graph, {add_download(graph, {added}, got[i].data(), a.memory)}, a.memory);
    runnable[i] = instantiate(graph);
    CALL(cudaGraphDestroy(graph));
  }
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < graphs; ++i) CALL(cudaGraphLaunch(runnable[(round + i) % graphs], stream));
  }
  CALL(cudaStreamSynchronize(stream));
  for (int i = 0; i < graphs; ++i) {
    expect_all(__LINE__, got[i], 110 + i);
    CALL(cudaGraphExecDestroy(runnable[i]));
  }
  forget_memory();
}

// Graph memory is counted on its own device, whichever device's stream runs the graph.
void test_second_device() {
  int devices = 0;
  CALL(cudaGetDeviceCount(&devices));
  if (devices < 2) return;
  const auto used_on = [](int device) {
    uint64_t value = 0;
    CALL(cudaDeviceGetGraphMemAttribute(device, cudaGraphMemAttrUsedMemCurrent, &value));
    return value;
  };
  constexpr int graphs = 2;
  cudaGraphExec_t gated[graphs];
  for (auto& each : gated) {
    const cudaGraph_t graph = make_graph();
    cudaMemAllocNodeParams p = parameters_for(bytes);
    p.poolProps.location.id = 1;
    cudaGraphNode_t node = nullptr, gate = nullptr;
    CALL(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p));
    cudaPointerAttributes attributes{};
    CALL(cudaPointerGetAttributes(&attributes, p.dptr));
    EXPECT(attributes.device == 1);
    const cudaHostNodeParams host{wait_at_gate, nullptr};
    CALL(cudaGraphAddHostNode(&gate, graph, &node, 1, &host));
    add_free(graph, {gate}, p.dptr);
    each = instantiate(graph);
    CALL(cudaGraphDestroy(graph));
  }
  gate_is_open = false;
  CALL(cudaGraphLaunch(gated[0], nullptr));
  const uint64_t one = used_on(1);
  EXPECT(one > 0 && used_on(0) == 0);
  CALL(cudaSetDevice(1));
  CALL(cudaGraphLaunch(gated[1], nullptr));
  EXPECT(used_on(1) == 2 * one);
  gate_is_open = true;
  CALL(cudaDeviceSynchronize());
  CALL(cudaSetDevice(0));
  CALL(cudaDeviceSynchronize());
  for (auto each : gated) CALL(cudaGraphExecDestroy(each));
  CALL(cudaDeviceGraphMemTrim(1));
  EXPECT(used_on(1) == 0);
}

// An allocation larger than the device's memory: that launch fails, and no later one.
void test_exhaustion(cudaStream_t stream) {
  size_t free_bytes = 0, total = 0;
  CALL(cudaMemGetInfo(&free_bytes, &total));
  const size_t most = free_bytes / 4 * 3;
  const cudaGraph_t first = make_graph(), second = make_graph();
  const allocation_node a = add_allocation(first, {}, most);
  const allocation_node b = add_allocation(second, {}, most);
  const cudaGraphExec_t runs_first = instantiate(first), runs_second = instantiate(second);
  run(runs_first, stream);
  REFUSED(cudaErrorMemoryAllocation, cudaGraphLaunch(runs_second, stream));
  CALL(cudaFree(a.memory));
  run(runs_second, stream);
  CALL(cudaFree(b.memory));
  for (const cudaGraphExec_t each : {runs_first, runs_second}) CALL(cudaGraphExecDestroy(each));
  for (const cudaGraph_t each : {first, second}) CALL(cudaGraphDestroy(each));
  forget_memory();
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_physical_memory();
  test_live_memory_is_kept(stream);
  forget_memory();
  test_shared_pages(stream);
  test_exhaustion(stream);
  test_second_device();
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory nodes of graphs: the lifetime of the memory, and the calls and nodes that end it. Expectations come from
// models on the host. nvcc compiles the file, too.
#include "memory_building.hpp"

namespace {

void test_life_in_a_graph(cudaStream_t stream) {
  const cudaGraph_t graph = make_graph();
  const allocation_node a = add_allocation(graph, {});
  const allocation_node b = add_allocation(graph, {a.node}, 2 * bytes);
  EXPECT(a.memory != b.memory);
  // The address is known as soon as the node is added.
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, b.memory + count));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);

  std::vector<int> from_a(count), from_b(count);
  const cudaGraphNode_t filled = add_fill(graph, {b.node}, a.memory, 5);
  const cudaGraphNode_t added = add_to_all(graph, {filled}, a.memory, count, 37);
  cudaGraphNode_t copied = nullptr;
  CALL(cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, b.memory, a.memory, bytes, cudaMemcpyDeviceToDevice));
  const cudaGraphNode_t down_a = add_download(graph, {added}, from_a.data(), a.memory);
  const cudaGraphNode_t freed_a = add_free(graph, {down_a, copied}, a.memory);
  const cudaGraphNode_t again = add_to_all(graph, {copied}, b.memory, count, 1);
  const cudaGraphNode_t down_b = add_download(graph, {again}, from_b.data(), b.memory);
  add_free(graph, {down_b}, b.memory);

  cudaMemAllocNodeParams read_back{};
  CALL(cudaGraphMemAllocNodeGetParams(b.node, &read_back));
  EXPECT(read_back.bytesize == 2 * bytes && read_back.dptr == b.memory && read_back.accessDescCount == 0);
  EXPECT(read_back.poolProps.allocType == cudaMemAllocationTypePinned && read_back.poolProps.location.id == 0);
  void* address = nullptr;
  CALL(cudaGraphMemFreeNodeGetParams(freed_a, &address));
  EXPECT(address == a.memory);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(freed_a, &type));
  EXPECT(type == cudaGraphNodeTypeMemFree);

  const cudaGraphExec_t runnable = instantiate(graph);
  for (int round = 0; round < 3; ++round) {
    from_a.assign(count, -1);
    from_b.assign(count, -1);
    run(runnable, stream);
    expect_all(__LINE__, from_a, 5 + 37);
    expect_all(__LINE__, from_b, 5 + 37 + 1);
  }
  run(runnable, stream, 20);
  // The graph has freed it.
  REFUSED(cudaErrorInvalidValue, cudaFree(a.memory));
  REFUSED(cudaErrorInvalidValue, cudaFreeAsync(b.memory, stream));
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
  forget_memory();
}

// An allocation after a free of an equal size, and no other one, gets its address.
void test_reuse_of_addresses(cudaStream_t stream) {
  const cudaGraph_t graph = make_graph();
  std::vector<int> first(count), second(count);
  const allocation_node a = add_allocation(graph, {});
  const cudaGraphNode_t one = add_fill(graph, {a.node}, a.memory, 1);
  const cudaGraphNode_t down = add_download(graph, {one}, first.data(), a.memory);
  const cudaGraphNode_t freed = add_free(graph, {down}, a.memory);
  const allocation_node beside = add_allocation(graph, {down});
  EXPECT(beside.memory != a.memory);
  cudaGraphNode_t empty = nullptr;
  CALL(cudaGraphAddEmptyNode(&empty, graph, &freed, 1));
  const allocation_node behind = add_allocation(graph, {empty});
  EXPECT(behind.memory == a.memory);
  const cudaGraphNode_t two = add_fill(graph, {behind.node}, behind.memory, 2);
  const cudaGraphNode_t down_again = add_download(graph, {two}, second.data(), behind.memory);
  add_free(graph, {down_again}, behind.memory);
  add_free(graph, {beside.node}, beside.memory);
  const cudaGraphExec_t runnable = instantiate(graph);
  run(runnable, stream, 2);
  expect_all(__LINE__, first, 1);
  expect_all(__LINE__, second, 2);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
  forget_memory();
}

void test_free_outside(cudaStream_t stream) {
  const producer p(7);
  const cudaGraph_t consumer = make_graph();
  const cudaGraphNode_t added = add_to_all(consumer, {}, p.memory, count, 2);
  add_free(consumer, {added}, p.memory);
  const cudaGraphExec_t consumes = instantiate(consumer);
  CALL(cudaGraphDestroy(consumer));

  REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(consumes, stream));  // refused: there is no memory yet
  REFUSED(cudaErrorInvalidValue, cudaFree(p.memory));
  for (int round = 0; round < 2; ++round) {
    run(p.runnable, stream);
    expect_device(__LINE__, p.memory, 7);
    REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(p.runnable, stream));  // the last launch's memory is not freed
    REFUSED(cudaErrorInvalidValue, cudaFree(p.memory + 1));
    CALL(cudaFree(p.memory));
    REFUSED(cudaErrorInvalidValue, cudaFree(p.memory));

    CALL(cudaGraphLaunch(p.runnable, stream));
    add<<<8, 128, 0, stream>>>(p.memory, count, 1);
    std::vector<int> got(count);
    CALL(cudaMemcpyAsync(got.data(), p.memory, bytes, cudaMemcpyDeviceToHost, stream));
    CALL(cudaFreeAsync(p.memory, stream));
    REFUSED(cudaErrorInvalidValue, cudaFreeAsync(p.memory, stream));
    CALL(cudaStreamSynchronize(stream));
    expect_all(__LINE__, got, 8);

    CALL(cudaGraphLaunch(p.runnable, stream));
    CALL(cudaGraphLaunch(consumes, stream));
    REFUSED(cudaErrorInvalidValue, cudaGraphLaunch(consumes, stream));
    CALL(cudaStreamSynchronize(stream));
    // Freed memory is refused like an invalid address.
    REFUSED(cudaErrorInvalidValue, cudaMemcpy(got.data(), p.memory, bytes, cudaMemcpyDeviceToHost));
    REFUSED(cudaErrorInvalidValue, cudaMemset(p.memory, 0, bytes));
  }
  CALL(cudaGraphExecDestroy(consumes));
}

// One stream frees the memory, and the next launch in another stream must wait for the free.
void test_free_in_another_stream(cudaStream_t stream) {
  const producer p(3);
  cudaStream_t other = nullptr;
  cudaEvent_t produced = nullptr;
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CALL(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
  int* const sum = device_memory<int>(count);
  for (int round = 0; round < 20; ++round) {
    CALL(cudaGraphLaunch(p.runnable, stream));
    CALL(cudaEventRecord(produced, stream));
    CALL(cudaStreamWaitEvent(other, produced, 0));
    CALL(cudaMemcpyAsync(sum, p.memory, bytes, cudaMemcpyDeviceToDevice, other));
    CALL(cudaFreeAsync(p.memory, other));
  }
  CALL(cudaDeviceSynchronize());
  expect_device(__LINE__, sum, 3);
  CALL(cudaFree(sum));
  CALL(cudaEventDestroy(produced));
  CALL(cudaStreamDestroy(other));
}

void test_free_on_launch(cudaStream_t stream) {
  const producer p(9, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  unsigned long long flags = 0;
  CALL(cudaGraphExecGetFlags(p.runnable, &flags));
  EXPECT(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int round = 0; round < 5; ++round) {
    CALL(cudaGraphLaunch(p.runnable, stream));
    add<<<8, 128, 0, stream>>>(p.memory, count, round);
    if (round == 2) CALL(cudaFreeAsync(p.memory, stream));  // the next launch then has nothing to free
  }
  CALL(cudaStreamSynchronize(stream));
  expect_device(__LINE__, p.memory, 9 + 4);
  CALL(cudaFree(p.memory));
}

// Memory that is not freed outlives its graphs.
void test_memory_outlives_its_graph(cudaStream_t stream) {
  int* memory = nullptr;
  {
    const producer p(11);
    memory = p.memory;
    CALL(cudaGraphLaunch(p.runnable, stream));
  }
  CALL(cudaStreamSynchronize(stream));
  expect_device(__LINE__, memory, 11);
  EXPECT(used() > 0);
  CALL(cudaFree(memory));
  REFUSED(cudaErrorInvalidValue, cudaFree(memory));  // refused: the address is gone with its graph
  forget_memory();
}

// Allocations and frees of two streams, which fork and join, one of them from a pool.
void test_capture(cudaStream_t stream) {
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  CALL(cudaMemPoolCreate(&pool, &properties));
  int* const plain = device_memory<int>(count);
  int *a = nullptr, *b = nullptr, *c = nullptr;
  std::vector<int> from_b(count), from_c(count);

  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaMallocAsync(&a, bytes, stream));
  CALL(cudaMemsetAsync(a, 0, bytes, stream));
  CALL(cudaEventRecord(fork, stream));
  CALL(cudaStreamWaitEvent(other, fork, 0));
  CALL(cudaMallocFromPoolAsync(&b, bytes, pool, other));
  CALL(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, other));
  add<<<8, 128, 0, other>>>(b, count, 3);
  CALL(cudaMemcpyAsync(from_b.data(), b, bytes, cudaMemcpyDeviceToHost, other));
  CALL(cudaFreeAsync(b, other));
  CALL(cudaEventRecord(join, other));
  CALL(cudaStreamWaitEvent(stream, join, 0));
  CALL(cudaFreeAsync(a, stream));
  CALL(cudaMallocAsync(&c, bytes, stream));
  EXPECT(c == a || c == b);
  CALL(cudaMemsetAsync(c, 1, bytes, stream));
  CALL(cudaMemcpyAsync(from_c.data(), c, bytes, cudaMemcpyDeviceToHost, stream));
  CALL(cudaFreeAsync(c, stream));
  REFUSED(cudaErrorInvalidValue, cudaFreeAsync(c, stream));
  REFUSED(cudaErrorInvalidValue, cudaFreeAsync(plain, stream));
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  EXPECT(used() == 0);

  size_t all = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &all));
  EXPECT(all == 12);
  const cudaGraphExec_t runnable = instantiate(graph);
  CALL(cudaGraphDestroy(graph));
  run(runnable, stream, 3);
  expect_all(__LINE__, from_b, 3);
  expect_all(__LINE__, from_c, 0x01010101);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaMemPoolDestroy(pool));
  CALL(cudaFree(plain));
  CALL(cudaEventDestroy(fork));
  CALL(cudaEventDestroy(join));
  CALL(cudaStreamDestroy(other));
  forget_memory();
}

void test_reset(cudaStream_t stream) {
  const producer p(1);
  run(p.runnable, stream);
  EXPECT(used() > 0);
  size_t before = 0, after = 0, total = 0;
  CALL(cudaMemGetInfo(&before, &total));
  CALL(cudaDeviceReset());
  EXPECT(used() == 0 && reserved() == 0);
  CALL(cudaMemGetInfo(&after, &total));
  EXPECT(after > before);
  REFUSED(cudaErrorInvalidValue, cudaFree(p.memory));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_life_in_a_graph(stream);
  test_reuse_of_addresses(stream);
  test_free_outside(stream);
  test_free_in_another_stream(stream);
  test_free_on_launch(stream);
  forget_memory();
  test_memory_outlives_its_graph(stream);
  test_capture(stream);
  test_reset(stream);
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of every type through cudaGraphAddNode and its setters.
#include "building.hpp"

namespace {

constexpr int count = 1001;
constexpr size_t bytes = count * sizeof(int);

// The layouts of the structures in CUDA 13.
static_assert(sizeof(cudaGraphNodeParams) == 256 && offsetof(cudaGraphNodeParams, kernel) == 16);
static_assert(sizeof(cudaKernelNodeParamsV2) == 56 && sizeof(cudaMemcpyNodeParams) == 16 + sizeof(cudaMemcpy3DParms));
static_assert(sizeof(cudaMemAllocNodeParamsV2) == 120 && sizeof(cudaConditionalNodeParams) == 24);

cudaGraphNode_t add_node(cudaGraph_t graph, const nodes& before, cudaGraphNodeParams& p) {
  cudaGraphNode_t made = nullptr;
  CALL(cudaGraphAddNode(&made, graph, before.data(), nullptr, before.size(), &p));
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  CALL(cudaGraphNodeGetType(made, &type));
  EXPECT(type == p.type);
  return made;
}

cudaMemcpy3DParms copy_of(void* to, void* from, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.dstPtr = make_cudaPitchedPtr(to, bytes, count, 1);
  p.srcPtr = make_cudaPitchedPtr(from, bytes, count, 1);
  p.extent = make_cudaExtent(bytes, 1, 1);
  p.kind = kind;
  return p;
}

void host_add(void* data) { *static_cast<int*>(data) += 1; }
void host_add_ten(void* data) { *static_cast<int*>(data) += 10; }

// Builds alloc -> fill -> kernel -> record -> wait -> copy -> child graph -> host -> empty -> free, then changes the
// parameters in the graph, and then in the executable graph.
void test_all_types(cudaStream_t stream) {
  long long* const digits = device_memory<long long>(1);
  std::vector<int> host(count, -1), other_host(count, -1);
  int calls = 0, n = count, value = 5;
  cudaEvent_t events[2];
  for (auto& each : events) CALL(cudaEventCreate(&each));
  cudaGraph_t children[3];
  for (int i = 0; i < 3; ++i) {
    children[i] = make_graph();
    add_digit(children[i], {}, digits, i + 1);
  }

  const cudaGraph_t graph = make_graph();
  cudaGraphNodeParams alloc = {cudaGraphNodeTypeMemAlloc};
  alloc.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  alloc.alloc.bytesize = bytes;
  const cudaGraphNode_t made = add_node(graph, {}, alloc);
  auto* memory = static_cast<int*>(alloc.alloc.dptr);
  cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
  fill.memset.dst = memory;
  fill.memset.elementSize = 4;
  fill.memset.width = count;
  fill.memset.height = 1;
  fill.memset.value = 100;
  const cudaGraphNode_t filled = add_node(graph, {made}, fill);
  void* arguments[] = {&memory, &n, &value};
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  kernel.kernel.func = reinterpret_cast<void*>(add);
  kernel.kernel.gridDim = dim3(8);
  kernel.kernel.blockDim = dim3(128);
  kernel.kernel.kernelParams = arguments;
  const cudaGraphNode_t added = add_node(graph, {filled}, kernel);
  cudaGraphNodeParams record = {cudaGraphNodeTypeEventRecord};
  record.eventRecord.event = events[0];
  const cudaGraphNode_t recorded = add_node(graph, {added}, record);
  cudaGraphNodeParams wait = {cudaGraphNodeTypeWaitEvent};
  wait.eventWait.event = events[0];
  const cudaGraphNode_t waits = add_node(graph, {recorded}, wait);
  cudaGraphNodeParams copy = {cudaGraphNodeTypeMemcpy};
  copy.memcpy.copyParams = copy_of(host.data(), memory, cudaMemcpyDeviceToHost);
  const cudaGraphNode_t copied = add_node(graph, {waits}, copy);
  cudaGraphNodeParams child = {cudaGraphNodeTypeGraph};
  child.graph.graph = children[0];
  const cudaGraphNode_t inner = add_node(graph, {copied}, child);
  cudaGraphNodeParams function = {cudaGraphNodeTypeHost};
  function.host.fn = host_add;
  function.host.userData = &calls;
  const cudaGraphNode_t called = add_node(graph, {inner}, function);
  cudaGraphNodeParams empty = {cudaGraphNodeTypeEmpty};
  const cudaGraphNode_t nothing = add_node(graph, {called}, empty);
  cudaGraphNodeParams freed = {cudaGraphNodeTypeMemFree};
  freed.free.dptr = memory;
  add_node(graph, {nothing}, freed);

  cudaGraphExec_t runnable = instantiate(graph);
  run(runnable, stream);
  for (int i = 0; i < count; ++i) EXPECT(host[i] == 105);
  EXPECT(calls == 1 && read(digits) == 1 && cudaEventQuery(events[0]) == cudaSuccess);
  CALL(cudaGraphExecDestroy(runnable));

  fill.memset.value = 200;
  value = 6;
  record.eventRecord.event = wait.eventWait.event = events[1];
  child.graph.graph = children[1];
  function.host.fn = host_add_ten;
  copy.memcpy.copyParams = copy_of(other_host.data(), memory, cudaMemcpyDeviceToHost);
  CALL(cudaGraphNodeSetParams(filled, &fill));
  CALL(cudaGraphNodeSetParams(added, &kernel));
  CALL(cudaGraphNodeSetParams(recorded, &record));
  CALL(cudaGraphNodeSetParams(waits, &wait));
  CALL(cudaGraphNodeSetParams(copied, &copy));
  CALL(cudaGraphNodeSetParams(inner, &child));
  CALL(cudaGraphNodeSetParams(called, &function));
  CALL(cudaGraphNodeSetParams(nothing, &empty));
  REFUSED(cudaErrorNotSupported, cudaGraphNodeSetParams(made, &alloc));
  REFUSED(cudaErrorInvalidValue, cudaGraphNodeSetParams(filled, &kernel));
  REFUSED(cudaErrorInvalidValue, cudaGraphNodeSetParams(filled, nullptr));
  runnable = instantiate(graph);
  run(runnable, stream);
  for (int i = 0; i < count; ++i) EXPECT(host[i] == 105 && other_host[i] == 206);
  EXPECT(calls == 11 && read(digits) == 12);

  fill.memset.value = 300;
  value = 7;
  child.graph.graph = children[2];
  function.host.fn = host_add;
  copy.memcpy.copyParams = copy_of(host.data(), memory, cudaMemcpyDeviceToHost);
  CALL(cudaGraphExecNodeSetParams(runnable, filled, &fill));
  CALL(cudaGraphExecNodeSetParams(runnable, added, &kernel));
  CALL(cudaGraphExecNodeSetParams(runnable, recorded, &record));
  CALL(cudaGraphExecNodeSetParams(runnable, waits, &wait));
  CALL(cudaGraphExecNodeSetParams(runnable, copied, &copy));
  CALL(cudaGraphExecNodeSetParams(runnable, inner, &child));
  CALL(cudaGraphExecNodeSetParams(runnable, called, &function));
  REFUSED(cudaErrorNotSupported, cudaGraphExecNodeSetParams(runnable, made, &alloc));
  REFUSED(cudaErrorInvalidValue, cudaGraphExecNodeSetParams(runnable, filled, &kernel));
  run(runnable, stream);
  for (int i = 0; i < count; ++i) EXPECT(host[i] == 307 && other_host[i] == 206);
  EXPECT(calls == 12 && read(digits) == 123);

  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
  for (const cudaGraph_t each : children) CALL(cudaGraphDestroy(each));
  for (auto each : events) CALL(cudaEventDestroy(each));
  CALL(cudaFree(digits));
}

void test_moved_graph(cudaStream_t stream) {
  long long* const digits = device_memory<long long>(1);
  const cudaGraph_t child = make_graph(), graph = make_graph();
  cudaGraphNodeParams p = {cudaGraphNodeTypeGraph};
  p.graph.graph = child;
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  cudaGraphNode_t node = add_node(graph, {}, p);
  add_digit(child, {}, digits, 4);  // the handle stays valid
  p.graph.graph = graph;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &p));  // no graph is its own child
  const cudaGraphExec_t runnable = instantiate(graph);
  cudaGraphExecUpdateResultInfo info{};
  REFUSED(cudaErrorInvalidValue, cudaGraphExecUpdate(runnable, child, &info));
  run(runnable, stream, 2);
  EXPECT(read(digits) == 44);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFree(digits));
}

void test_misuse() {
  const cudaGraph_t graph = make_graph();
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams p = {cudaGraphNodeTypeEmpty};
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 1, &p));
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &p));
  p.reserved2 = 1;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  p = {static_cast<cudaGraphNodeType>(12)};
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  p = {cudaGraphNodeTypeKernel};
  REFUSED(cudaErrorInvalidDeviceFunction, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  p = {cudaGraphNodeTypeMemcpy};
  p.memcpy.flags = 1;
  REFUSED(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  p = {cudaGraphNodeTypeEmpty};
  CALL(cudaGraphAddNode(&node, graph, nullptr, 0, &p));  // a call in the form of CUDA 12
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 1);
  CALL(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_all_types(stream);
  test_moved_graph(stream);
  test_misuse();
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: each test builds one and compares what it computed with a host model. nvcc compiles the file, too.
#include <cstring>
#include <vector>

#include "building.hpp"

namespace {

constexpr int count = 1000;
__device__ int in_device[4];

void expect_all(int line, const int* p, int expected) {
  std::vector<int> host(count);
  CALL(cudaMemcpy(host.data(), p, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    if (host[i] == expected) continue;
    std::printf("line %d: element %d is %d, expected %d\n", line, i, host[i], expected);
    ++failures;
    return;
  }
}

struct made_graph {
  made_graph() { CALL(cudaGraphCreate(&handle, 0)); }
  ~made_graph() { CALL(cudaGraphDestroy(handle)); }
  cudaGraphNode_t append_digit(const nodes& before, long long* p, int digit) const {
    return add_digit(handle, before, p, digit);
  }
  cudaGraphNode_t add_value(const nodes& before, int* p, int value) const {
    return add_to_all(handle, before, p, count, value);
  }
  cudaGraphExec_t instantiate() const { return ::instantiate(handle); }
  cudaGraph_t handle = nullptr;
};

void host_add(void* data) { *static_cast<int*>(data) += 1; }

// The graph: copy to the device -> a fill and a kernel in parallel -> copy back -> host function.
void test_all_kinds_of_nodes(cudaStream_t stream) {
  int* const a = device_memory<int>(count);
  int* const b = device_memory<int>(count);
  std::vector<int> from(count);
  std::vector<int> back(count, -1);
  int calls = 0;
  for (int i = 0; i < count; ++i) from[i] = 3 * i;

  const made_graph g;
  cudaGraphNode_t upload = nullptr;
  CALL(cudaGraphAddMemcpyNode1D(&upload, g.handle, nullptr, 0, a, from.data(), count * sizeof(int),
                                cudaMemcpyHostToDevice));
  const cudaMemsetParams fill{b, 0, 0x01020304, 4, count, 1};
  cudaGraphNode_t filled = nullptr;
  CALL(cudaGraphAddMemsetNode(&filled, g.handle, nullptr, 0, &fill));
  const cudaGraphNode_t added = g.add_value({upload}, a, 7);
  cudaMemcpy3DParms download{};
  download.srcPtr = make_cudaPitchedPtr(a, count * sizeof(int), count, 1);
  download.dstPtr = make_cudaPitchedPtr(back.data(), count * sizeof(int), count, 1);
  download.extent = make_cudaExtent(count * sizeof(int), 1, 1);
  download.kind = cudaMemcpyDeviceToHost;
  cudaGraphNode_t downloaded = nullptr;
  const cudaGraphNode_t before[] = {added, filled};
  CALL(cudaGraphAddMemcpyNode(&downloaded, g.handle, before, 2, &download));
  const cudaHostNodeParams host{host_add, &calls};
  cudaGraphNode_t counted = nullptr;
  CALL(cudaGraphAddHostNode(&counted, g.handle, &downloaded, 1, &host));

  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream, 3);
  for (int i = 0; i < count; ++i) EXPECT(back[i] == 3 * i + 7);
  EXPECT(calls == 3);
  expect_all(__LINE__, b, 0x01020304);

  size_t nodes = 0;
  size_t edges = 0;
  size_t roots = 0;
  CALL(cudaGraphGetNodes(g.handle, nullptr, &nodes));
  CALL(cudaGraphGetRootNodes(g.handle, nullptr, &roots));
  CALL(cudaGraphGetEdges(g.handle, nullptr, nullptr, nullptr, &edges));
  EXPECT(nodes == 5 && roots == 2 && edges == 4);
  cudaGraphNode_t found[4] = {};
  size_t found_count = 4;
  CALL(cudaGraphNodeGetDependencies(downloaded, found, nullptr, &found_count));
  EXPECT(found_count == 2 && found[0] == added && found[1] == filled && found[2] == nullptr);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(counted, &type));
  EXPECT(type == cudaGraphNodeTypeHost);
  cudaMemsetParams read_fill{};
  CALL(cudaGraphMemsetNodeGetParams(filled, &read_fill));
  EXPECT(read_fill.dst == b && read_fill.value == 0x01020304 && read_fill.width == count);

  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaFree(a));
  CALL(cudaFree(b));
}

// The chain 1 -> 2 -> 3 runs in order, whatever the order of creation.
void test_order(cudaStream_t stream) {
  long long* const digits = device_memory<long long>(1);
  const made_graph g;
  const cudaGraphNode_t third = g.append_digit({}, digits, 3);
  const cudaGraphNode_t first = g.append_digit({}, digits, 1);
  const cudaGraphNode_t second = g.append_digit({first}, digits, 2);
  CALL(cudaGraphAddDependencies(g.handle, &second, &third, nullptr, 1));
  EXPECT(cudaGraphAddDependencies(g.handle, &second, &third, nullptr, 1) == cudaErrorInvalidValue);
  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream, 2);
  EXPECT(read(digits) == 123123);

  CALL(cudaGraphAddDependencies(g.handle, &third, &first, nullptr, 1));
  cudaGraphExec_t never = nullptr;
  EXPECT(cudaGraphInstantiate(&never, g.handle, 0) == cudaErrorInvalidValue);  // a cycle
  CALL(cudaGraphRemoveDependencies(g.handle, &third, &first, nullptr, 1));
  CALL(cudaGraphDestroyNode(second));
  size_t edges = 0;
  CALL(cudaGraphGetEdges(g.handle, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges == 0);
  run(runnable, stream);  // the executable graph does not change
  EXPECT(read(digits) == 123123123);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaFree(digits));
  (void)cudaGetLastError();
}

void test_child_graphs(cudaStream_t stream) {
  long long* const digits = device_memory<long long>(1);
  const made_graph child;
  const cudaGraphNode_t two = child.append_digit({}, digits, 2);
  child.append_digit({two}, digits, 3);
  const made_graph g;
  const cudaGraphNode_t one = g.append_digit({}, digits, 1);
  cudaGraphNode_t inner = nullptr;
  CALL(cudaGraphAddChildGraphNode(&inner, g.handle, &one, 1, child.handle));
  cudaGraphNode_t empty = nullptr;
  CALL(cudaGraphAddEmptyNode(&empty, g.handle, &inner, 1));
  g.append_digit({empty}, digits, 4);
  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream);
  EXPECT(read(digits) == 1234);

  cudaGraph_t copy = nullptr;
  CALL(cudaGraphChildGraphNodeGetGraph(inner, &copy));
  EXPECT(copy != child.handle);
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(copy, nullptr, &nodes));
  EXPECT(nodes == 2);
  cudaGraph_t clone = nullptr;
  CALL(cudaGraphClone(&clone, g.handle));
  cudaGraphNode_t cloned = nullptr;
  CALL(cudaGraphNodeFindInClone(&cloned, inner, clone));
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(cloned, &type));
  EXPECT(cloned != inner && type == cudaGraphNodeTypeGraph);
  CALL(cudaGraphDestroy(clone));
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaFree(digits));
}

// New parameters in a graph, and in an executable graph by its node and by an update.
void test_changes(cudaStream_t stream) {
  int* const p = device_memory<int>(count);
  const made_graph g;
  const cudaGraphNode_t node = g.add_value({}, p, 1);
  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream);
  expect_all(__LINE__, p, 1);

  int n = count;
  int value = 10;
  int* address = p;
  void* arguments[] = {&address, &n, &value};
  cudaKernelNodeParams parameters{};
  CALL(cudaGraphKernelNodeGetParams(node, &parameters));
  EXPECT(parameters.func == reinterpret_cast<void*>(add) && parameters.blockDim.x == 128);
  EXPECT(*static_cast<int*>(parameters.kernelParams[2]) == 1);
  parameters.kernelParams = arguments;
  CALL(cudaGraphExecKernelNodeSetParams(runnable, node, &parameters));
  value = 77;  // the graph has copied the arguments
  run(runnable, stream);
  expect_all(__LINE__, p, 11);

  value = 100;
  CALL(cudaGraphKernelNodeSetParams(node, &parameters));
  run(runnable, stream);
  expect_all(__LINE__, p, 21);
  cudaGraphExecUpdateResultInfo info{};
  CALL(cudaGraphExecUpdate(runnable, g.handle, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  run(runnable, stream);
  expect_all(__LINE__, p, 121);

  CALL(cudaGraphNodeSetEnabled(runnable, node, 0));
  unsigned enabled = 1;
  CALL(cudaGraphNodeGetEnabled(runnable, node, &enabled));
  EXPECT(enabled == 0);
  run(runnable, stream);
  expect_all(__LINE__, p, 121);
  CALL(cudaGraphNodeSetEnabled(runnable, node, 1));

  const made_graph larger;
  const cudaGraphNode_t first = larger.add_value({}, p, 1);
  larger.add_value({first}, p, 1);
  EXPECT(cudaGraphExecUpdate(runnable, larger.handle, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  const made_graph other_type;
  cudaGraphNode_t empty = nullptr;
  CALL(cudaGraphAddEmptyNode(&empty, other_type.handle, nullptr, 0));
  EXPECT(cudaGraphExecUpdate(runnable, other_type.handle, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
  run(runnable, stream);
  expect_all(__LINE__, p, 221);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaFree(p));
  (void)cudaGetLastError();
}

void test_events_and_symbols(cudaStream_t stream) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  CALL(cudaEventCreate(&begin));
  CALL(cudaEventCreate(&end));
  const int values[4] = {4, 3, 2, 1};
  const made_graph g;
  cudaGraphNode_t started = nullptr;
  CALL(cudaGraphAddEventRecordNode(&started, g.handle, nullptr, 0, begin));
  cudaGraphNode_t copied = nullptr;
  CALL(cudaGraphAddMemcpyNodeToSymbol(&copied, g.handle, &started, 1, in_device, values, sizeof(values), 0,
                                      cudaMemcpyHostToDevice));
  cudaGraphNode_t ended = nullptr;
  CALL(cudaGraphAddEventRecordNode(&ended, g.handle, &copied, 1, end));
  cudaGraphNode_t waits = nullptr;
  CALL(cudaGraphAddEventWaitNode(&waits, g.handle, &ended, 1, begin));
  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream);
  float milliseconds = -1;
  CALL(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  int got[4] = {};
  CALL(cudaMemcpyFromSymbol(got, in_device, sizeof(got)));
  EXPECT(std::memcmp(got, values, sizeof(got)) == 0);
  // New parameters, first in the executable graph, then in the graph.
  const int others[3] = {9, 8, 7};
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(runnable, copied, in_device, others, 2 * sizeof(int), sizeof(int),
                                                cudaMemcpyHostToDevice));
  run(runnable, stream);
  CALL(cudaMemcpyFromSymbol(got, in_device, sizeof(got)));
  EXPECT(got[0] == 4 && got[1] == 9 && got[2] == 8 && got[3] == 1);
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(copied, in_device, others + 2, sizeof(int), 3 * sizeof(int),
                                            cudaMemcpyHostToDevice));
  const cudaGraphExec_t second = g.instantiate();
  run(second, stream);
  CALL(cudaMemcpyFromSymbol(got, in_device, sizeof(got)));
  EXPECT(got[0] == 4 && got[1] == 9 && got[2] == 8 && got[3] == 7);
  int back[2] = {};
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol(copied, back, in_device, sizeof(back), 2 * sizeof(int),
                                              cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(second, copied, back, in_device, sizeof(int), sizeof(int),
                                                  cudaMemcpyDeviceToHost));
  run(second, stream);
  EXPECT(back[0] == 9 && back[1] == 0);
  CALL(cudaGraphExecDestroy(second));
  const cudaGraphExec_t third = g.instantiate();
  run(third, stream);
  EXPECT(back[0] == 8 && back[1] == 7);
  CALL(cudaGraphExecDestroy(third));
  EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(copied, in_device, others, sizeof(int), 4 * sizeof(int),
                                              cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(started, in_device, others, sizeof(int), 0, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  cudaEvent_t read_event = nullptr;
  CALL(cudaGraphEventRecordNodeGetEvent(ended, &read_event));
  EXPECT(read_event == end);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaEventDestroy(begin));
  CALL(cudaEventDestroy(end));
}

// Two streams that fork and join, with a copy from pageable memory, a fill and a host function.
void test_capture(cudaStream_t stream) {
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  int* const a = device_memory<int>(count);
  int* const b = device_memory<int>(count);
  int calls = 0;

  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaMemsetAsync(a, 0, count * sizeof(int), stream));
  CALL(cudaEventRecord(fork, stream));
  CALL(cudaStreamWaitEvent(other, fork, 0));
  add<<<8, 125, 0, stream>>>(a, count, 5);
  add<<<8, 125, 0, other>>>(b, count, 1);
  add<<<8, 125, 0, other>>>(b, count, 1);
  CALL(cudaEventRecord(join, other));
  CALL(cudaStreamWaitEvent(stream, join, 0));
  CALL(cudaMemcpyAsync(a, b, count / 2 * sizeof(int), cudaMemcpyDeviceToDevice, stream));
  CALL(cudaLaunchHostFunc(stream, host_add, &calls));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* frontier = nullptr;
  size_t frontier_count = 0;
  CALL(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &frontier, nullptr, &frontier_count));
  EXPECT(status == cudaStreamCaptureStatusActive && id != 0 && graph != nullptr && frontier_count == 1);
  CALL(cudaStreamEndCapture(stream, &graph));
  EXPECT(read(b) == 0);  // nothing ran
  cudaGraphExec_t runnable = nullptr;
  CALL(cudaGraphInstantiate(&runnable, graph, 0));
  run(runnable, stream, 3);
  expect_all(__LINE__, b, 6);
  std::vector<int> host(count);
  CALL(cudaMemcpy(host.data(), a, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) EXPECT(host[i] == (i < count / 2 ? 6 : 5));
  EXPECT(calls == 3);
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 6);

  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaStreamDestroy(other));
  CALL(cudaEventDestroy(fork));
  CALL(cudaEventDestroy(join));
  CALL(cudaFree(a));
  CALL(cudaFree(b));
}

// A captured stream may be destroyed; its work must still be joined.
void test_capture_of_a_destroyed_stream(cudaStream_t stream, bool joins) {
  cudaStream_t brief = nullptr;
  cudaEvent_t event = nullptr;
  CALL(cudaStreamCreate(&brief));
  CALL(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaEventRecord(event, stream));
  CALL(cudaStreamWaitEvent(brief, event, 0));
  append<<<1, 1, 0, brief>>>(nullptr, 1);
  CALL(cudaEventRecord(event, brief));
  if (joins) CALL(cudaStreamWaitEvent(stream, event, 0));
  CALL(cudaStreamDestroy(brief));
  cudaGraph_t graph = nullptr;
  EXPECT(cudaStreamEndCapture(stream, &graph) == (joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
  if (graph) CALL(cudaGraphDestroy(graph));
  CALL(cudaEventDestroy(event));
  (void)cudaGetLastError();
}

// A capture into an existing graph, after one of its nodes.
void test_capture_to_graph(cudaStream_t stream) {
  long long* const digits = device_memory<long long>(1);
  const made_graph g;
  const cudaGraphNode_t one = g.append_digit({}, digits, 1);
  CALL(cudaStreamBeginCaptureToGraph(stream, g.handle, &one, nullptr, 1, cudaStreamCaptureModeGlobal));
  append<<<1, 1, 0, stream>>>(digits, 2);
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  EXPECT(graph == g.handle);
  const cudaGraphExec_t runnable = g.instantiate();
  run(runnable, stream);
  EXPECT(read(digits) == 12);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaFree(digits));
}

// Launches of one graph in several streams run one after another; other work in a stream keeps its order.
void test_streams() {
  constexpr int streams = 4;
  cudaStream_t s[streams];
  long long* const digits = device_memory<long long>(1);
  int* const p = device_memory<int>(count);
  const made_graph g;
  g.add_value({}, p, 1);
  const cudaGraphExec_t runnable = g.instantiate();
  for (auto& each : s) CALL(cudaStreamCreate(&each));
  for (int round = 0; round < 20; ++round) {
    for (auto each : s) CALL(cudaGraphLaunch(runnable, each));
  }
  CALL(cudaDeviceSynchronize());
  expect_all(__LINE__, p, 20 * streams);
  const made_graph two;
  two.append_digit({}, digits, 2);
  const cudaGraphExec_t middle = two.instantiate();
  append<<<1, 1, 0, s[0]>>>(digits, 1);
  CALL(cudaGraphLaunch(middle, s[0]));
  append<<<1, 1, 0, s[0]>>>(digits, 3);
  CALL(cudaGraphLaunch(middle, nullptr));
  append<<<1, 1, 0, s[1]>>>(digits, 4);
  CALL(cudaDeviceSynchronize());
  EXPECT(read(digits) == 12324);
  for (auto each : s) CALL(cudaStreamDestroy(each));
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphExecDestroy(middle));
  CALL(cudaFree(digits));
  CALL(cudaFree(p));
}

void test_misuse() {
  const made_graph g;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams parameters{};
  EXPECT(cudaGraphAddKernelNode(&node, g.handle, nullptr, 0, &parameters) == cudaErrorInvalidDeviceFunction);
  parameters.func = reinterpret_cast<void*>(append);
  parameters.gridDim = 1;
  parameters.blockDim = 2000;
  EXPECT(cudaGraphAddKernelNode(&node, g.handle, nullptr, 0, &parameters) != cudaSuccess);
  EXPECT(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGraphCreate(nullptr, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGraphInstantiate(nullptr, g.handle, 0) == cudaErrorInvalidValue);
  CALL(cudaGraphAddEmptyNode(&node, g.handle, nullptr, 0));
  const cudaGraphNode_t twice[] = {node, node};
  cudaGraphNode_t next = nullptr;
  EXPECT(cudaGraphAddEmptyNode(&next, g.handle, twice, 2) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_all_kinds_of_nodes(stream);
  test_order(stream);
  test_child_graphs(stream);
  test_changes(stream);
  test_events_and_symbols(stream);
  test_capture(stream);
  test_capture_of_a_destroyed_stream(stream, true);
  test_capture_of_a_destroyed_stream(stream, false);
  test_capture_to_graph(stream);
  test_streams();
  test_misuse();
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes, refusals and descriptions of conditional nodes. nvcc compiles the file, too. An argument selects a program
// that fails.
#include <cstring>

#include "condition_building.hpp"

namespace {

// New parameters for a node in a body, and an update, which also takes the other graph's default values.
void test_changes(cudaStream_t stream) {
  const variables v;
  cudaGraph_t graphs[2];
  cudaGraphNode_t in_body = nullptr;
  for (int i = 0; i < 2; ++i) {
    graphs[i] = make_graph();
    const handle_type condition = make_condition(graphs[i], static_cast<unsigned>(i), cudaGraphCondAssignDefault);
    const conditional_node choice = add_conditional(graphs[i], {}, cudaGraphCondTypeSwitch, condition, 2);
    const cudaGraphNode_t node = add_digit(choice.bodies[0], {}, v.digits, 3 + i);
    add_digit(choice.bodies[1], {}, v.digits, 5 + i);
    if (i == 0) in_body = node;
  }
  const cudaGraphExec_t runnable = instantiate(graphs[0]);
  v.begin(0);
  run(runnable, stream);
  EXPECT(read(v.digits) == 3);
  int digit = 8;
  long long* digits = v.digits;
  void* arguments[] = {&digits, &digit};
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = reinterpret_cast<void*>(append);
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  CALL(cudaGraphExecNodeSetParams(runnable, in_body, &p));
  run(runnable, stream);
  EXPECT(read(v.digits) == 38);
  cudaGraphExecUpdateResultInfo info{};
  CALL(cudaGraphExecUpdate(runnable, graphs[1], &info));
  run(runnable, stream);
  EXPECT(read(v.digits) == 386);

  const cudaGraph_t other = make_graph();
  const conditional_node single = add_conditional(other, {}, cudaGraphCondTypeIf, make_condition(other));
  add_digit(single.bodies[0], {}, v.digits, 1);
  REFUSED(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(runnable, other, &info));
  EXPECT(info.result == cudaGraphExecUpdateErrorParametersChanged);
  p = {cudaGraphNodeTypeConditional};
  REFUSED(cudaErrorNotSupported, cudaGraphNodeSetParams(single.node, &p));
  CALL(cudaGraphExecDestroy(runnable));
  for (const cudaGraph_t each : {graphs[0], graphs[1], other}) CALL(cudaGraphDestroy(each));
}

void test_misuse(cudaStream_t stream) {
  const cudaGraph_t graph = make_graph();
  const cudaGraph_t other = make_graph();
  handle_type made = 0;
  REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&made, nullptr, 0, 0));
  REFUSED(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&made, graph, 0, 2));

  const handle_type condition = make_condition(graph);
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = condition;
  const auto add = [&](cudaGraph_t to, cudaGraphConditionalNodeType type, unsigned size) {
    p.conditional.type = type;
    p.conditional.size = size;
    return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &p);
  };
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeIf, 0));
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeIf, 3));
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeWhile, 2));
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeSwitch, 0));
  REFUSED(cudaErrorInvalidValue, add(graph, static_cast<cudaGraphConditionalNodeType>(3), 1));
  REFUSED(cudaErrorInvalidValue, add(other, cudaGraphCondTypeIf, 1));  // the condition belongs to another graph
  p.reserved0[1] = 1;
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeIf, 1));
  p.reserved0[1] = 0;

  // A graph with a condition but no node for it cannot be instantiated.
  cudaGraphExec_t never = nullptr;
  cudaGraphInstantiateParams how{};
  REFUSED(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&never, graph, &how));
  EXPECT(how.result_out == cudaGraphInstantiateConditionalHandleUnused);
  EXPECT(add(graph, cudaGraphCondTypeIf, 1) == cudaSuccess);
  const cudaGraph_t body = p.conditional.phGraph_out[0];
  REFUSED(cudaErrorInvalidValue, add(graph, cudaGraphCondTypeIf, 1));  // the condition has a node already
  CALL(cudaGraphInstantiateWithParams(&never, graph, &how));
  EXPECT(how.result_out == cudaGraphInstantiateSuccess);

  // A graph with conditions has at most one executable graph, and cannot be copied.
  cudaGraphExec_t second = nullptr;
  cudaGraph_t clone = nullptr;
  REFUSED(cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  REFUSED(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  REFUSED(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
  CALL(cudaGraphExecDestroy(never));

  // The body graph belongs to the node, and cannot be destroyed.
  REFUSED(cudaErrorInvalidValue, cudaGraphDestroy(body));
  REFUSED(cudaErrorInvalidValue, cudaGraphInstantiate(&second, body, 0));

  // Bodies may hold only work of the device.
  const cudaHostNodeParams host{[](void*) {}, nullptr};
  cudaEvent_t event = nullptr;
  CALL(cudaEventCreate(&event));
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = 100;
  REFUSED(cudaErrorNotSupported, cudaGraphAddHostNode(&node, body, nullptr, 0, &host));
  REFUSED(cudaErrorNotSupported, cudaGraphAddEventRecordNode(&node, body, nullptr, 0, event));
  REFUSED(cudaErrorNotSupported, cudaGraphAddEventWaitNode(&node, body, nullptr, 0, event));
  REFUSED(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&node, body, nullptr, 0, &memory));
  CALL(cudaGraphAddHostNode(&node, other, nullptr, 0, &host));
  REFUSED(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&node, body, nullptr, 0, other));
  CALL(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  REFUSED(cudaErrorNotSupported, cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  REFUSED(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, nullptr));
  CALL(cudaEventDestroy(event));
  CALL(cudaGraphDestroy(other));
  CALL(cudaGraphDestroy(graph));
}

// The DOT description of a graph names conditional nodes, and has a cluster for each body.
void test_dot() {
  const cudaGraph_t graph = make_graph();
  add_conditional(graph, {}, cudaGraphCondTypeIf, make_condition(graph), 2);
  add_conditional(graph, {}, cudaGraphCondTypeWhile, make_condition(graph));
  add_conditional(graph, {}, cudaGraphCondTypeSwitch, make_condition(graph), 3);
  cudaMemAllocNodeParams memory{};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = 12345;
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory));
  CALL(cudaGraphAddMemFreeNode(&node, graph, &node, 1, memory.dptr));
  char path[] = "/tmp/graph_dot_XXXXXX";
  const int file = mkstemp(path);
  EXPECT(file >= 0);
  CALL(cudaGraphDebugDotPrint(graph, path, 0));
  char text[8192] = {};
  std::FILE* const printed = fdopen(file, "r");
  EXPECT(printed && std::fread(text, 1, sizeof text - 1, printed) > 0);
  std::fclose(printed);
  std::remove(path);
  for (const char* label :
       {"conditional if", "conditional while", "conditional switch", "mem alloc 12345 bytes at 0x", "mem free 0x"}) {
    EXPECT(std::strstr(text, label) != nullptr);
  }
  int clusters = 0;
  for (const char* at = text; (at = std::strstr(at, "subgraph cluster_")); ++at) ++clusters;
  EXPECT(clusters == 1 + 2 + 1 + 3);
  CALL(cudaGraphDestroy(graph));
}

// A loop that never ends: with a kernel in its body, or with an empty body.
int run_endless_loop(bool has_kernel) {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const conditional_node loop =
      add_conditional(graph, {}, cudaGraphCondTypeWhile, make_condition(graph, 6, cudaGraphCondAssignDefault));
  if (has_kernel) add_digit(loop.bodies[0], {}, v.digits, 0);
  CALL(cudaGraphLaunch(instantiate(graph), nullptr));
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
  std::_Exit(0);
}

// A kernel sets the condition of a graph that no longer exists.
int run_stale_handle() {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph);
  CALL(cudaGraphDestroy(graph));
  make_condition(make_graph());  // the new graph takes the memory of the destroyed one
  set_condition<<<1, 1>>>(condition, v.value);
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const auto is_asked_for = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  if (is_asked_for("endless")) return run_endless_loop(true);
  if (is_asked_for("endless_and_empty")) return run_endless_loop(false);
  if (is_asked_for("stale_handle")) return run_stale_handle();
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_changes(stream);
  test_misuse(stream);
  test_dot();
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes: each graph leaves a trace of digits, which a host model of the same control flow computes, too.
// nvcc compiles the file, too.
#include "condition_building.hpp"

namespace {

void append_to(long long& digits, int digit) { digits = digits * 10 + digit; }

// A chain 1 -> condition -> 9, where body n of the condition appends the digit n + 2.
void test_choice(cudaStream_t stream, cudaGraphConditionalNodeType type, unsigned size) {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph);
  const cudaGraphNode_t set = add_setter(graph, {add_digit(graph, {}, v.digits, 1)}, condition, v.value);
  const conditional_node choice = add_conditional(graph, {set}, type, condition, size);
  for (unsigned i = 0; i < size; ++i) add_digit(choice.bodies[i], {}, v.digits, static_cast<int>(i) + 2);
  add_digit(graph, {choice.node}, v.digits, 9);
  const cudaGraphExec_t runnable = instantiate(graph);
  CALL(cudaGraphDestroy(graph));
  for (const unsigned value : {0u, 1u, 2u, 3u, 4u, 1u, 0u, 0x80000000u, 0xffffffffu}) {
    v.begin(value);
    run(runnable, stream);
    long long expected = 1;
    if (type == cudaGraphCondTypeIf && value != 0) append_to(expected, 2);
    if (type == cudaGraphCondTypeIf && value == 0 && size == 2) append_to(expected, 3);
    if (type == cudaGraphCondTypeSwitch && value < size) append_to(expected, static_cast<int>(value) + 2);
    append_to(expected, 9);
    EXPECT(read(v.digits) == expected);
  }
  CALL(cudaGraphExecDestroy(runnable));
}

void test_while(cudaStream_t stream) {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph);
  const cudaGraphNode_t set = add_setter(graph, {}, condition, v.value);
  const conditional_node loop = add_conditional(graph, {set}, cudaGraphCondTypeWhile, condition);
  const cudaGraphNode_t two = add_digit(loop.bodies[0], {}, v.digits, 2);
  v.add_count_down(loop.bodies[0], {two}, condition, v.value);
  add_digit(graph, {loop.node}, v.digits, 9);
  const cudaGraphExec_t runnable = instantiate(graph);
  for (unsigned rounds = 0; rounds < 8; ++rounds) {
    v.begin(rounds);
    run(runnable, stream);
    long long expected = 0;
    for (unsigned i = 0; i < rounds; ++i) append_to(expected, 2);
    append_to(expected, 9);
    EXPECT(read(v.digits) == expected);
    EXPECT(read(v.value) == 0);
  }
  // Many rounds, in launches that follow each other without a synchronisation.
  v.begin(3000);
  for (int i = 0; i < 3; ++i) CALL(cudaGraphLaunch(runnable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(read(v.value) == 0);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
}

// The condition has its default value at the begin of each launch.
void test_default(cudaStream_t stream) {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph, 2, cudaGraphCondAssignDefault);
  const conditional_node choice = add_conditional(graph, {}, cudaGraphCondTypeSwitch, condition, 3);
  for (int i = 0; i < 3; ++i) add_digit(choice.bodies[i], {}, v.digits, i + 1);
  add_setter(graph, {choice.node}, condition, v.value);  // the next launch assigns the default again
  const cudaGraphExec_t runnable = instantiate(graph);
  v.begin(0);
  run(runnable, stream, 3);
  EXPECT(read(v.digits) == 333);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
}

// The graph computes: do { inner = 2; while (inner) { switch (outer) { 0: 4; 1: 5; } --inner; } 6; } while (--outer)
void test_nesting(cudaStream_t stream, bool handles_of_bodies) {
  const variables v;
  const cudaGraph_t graph = make_graph();
  const handle_type outer = make_condition(graph, 1, cudaGraphCondAssignDefault);
  const conditional_node outer_loop = add_conditional(graph, {}, cudaGraphCondTypeWhile, outer);
  const cudaGraph_t body = outer_loop.bodies[0];
  const cudaGraph_t owner = handles_of_bodies ? body : graph;
  const handle_type inner = make_condition(owner);
  const handle_type choice = make_condition(owner);
  const cudaGraphNode_t begun = add_store(body, {}, v.other, 2);
  const cudaGraphNode_t begin = add_setter(body, {begun}, inner, v.other);
  const conditional_node inner_loop = add_conditional(body, {begin}, cudaGraphCondTypeWhile, inner);
  const cudaGraph_t inner_body = inner_loop.bodies[0];
  const cudaGraphNode_t decides = add_setter(inner_body, {}, choice, v.value);
  const conditional_node branch = add_conditional(inner_body, {decides}, cudaGraphCondTypeSwitch, choice, 2);
  add_digit(branch.bodies[0], {}, v.digits, 4);
  add_digit(branch.bodies[1], {}, v.digits, 5);
  v.add_count_down(inner_body, {branch.node}, inner, v.other, 1);
  const cudaGraphNode_t six = add_digit(body, {inner_loop.node}, v.digits, 6);
  v.add_count_down(body, {six}, outer, v.value);
  const cudaGraphExec_t runnable = instantiate(graph);
  for (unsigned rounds = 1; rounds < 5; ++rounds) {
    v.begin(rounds);
    run(runnable, stream);
    long long expected = 0;
    for (unsigned left = rounds; left > 0; --left) {
      if (left < 2) {
        for (int i = 0; i < 2; ++i) append_to(expected, 4 + static_cast<int>(left));
      }
      append_to(expected, 6);
    }
    EXPECT(read(v.digits) == expected);
  }
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
}

// A loop body with a copy, a fill, an empty node, a child graph and two parallel kernels. Nodes outside the loop see
// the effects of all rounds or of none.
void test_bodies(cudaStream_t stream) {
  constexpr int count = 1001;
  const variables v;
  int* const a = device_memory<int>(count);
  int* const b = device_memory<int>(count);
  int* const c = device_memory<int>(count);
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph, 1, cudaGraphCondAssignDefault);
  const conditional_node loop = add_conditional(graph, {}, cudaGraphCondTypeWhile, condition);
  const cudaGraph_t body = loop.bodies[0];
  const cudaMemsetParams fill{a, 0, 7, 4, count, 1};
  cudaGraphNode_t filled = nullptr, copied = nullptr, empty = nullptr, inner = nullptr;
  CALL(cudaGraphAddMemsetNode(&filled, body, nullptr, 0, &fill));
  const cudaGraph_t child = make_graph();
  add_to_all(child, {add_to_all(child, {}, a, count, 10)}, a, count, 20);
  CALL(cudaGraphAddChildGraphNode(&inner, body, &filled, 1, child));
  CALL(cudaGraphDestroy(child));
  CALL(cudaGraphAddEmptyNode(&empty, body, &inner, 1));
  CALL(cudaGraphAddMemcpyNode1D(&copied, body, &empty, 1, b, a, count * sizeof(int), cudaMemcpyDeviceToDevice));
  const cudaGraphNode_t beside = add_to_all(body, {empty}, c, count, 1);
  v.add_count_down(body, {copied, beside}, condition, v.value);
  std::vector<int> from_b(count), from_c(count);
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, &loop.node, 1, from_b.data(), b, count * sizeof(int),
                                cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, &loop.node, 1, from_c.data(), c, count * sizeof(int),
                                cudaMemcpyDeviceToHost));
  add_to_all(graph, {}, device_memory<int>(count), count, 1);
  const cudaGraphExec_t runnable = instantiate(graph);
  v.begin(6);
  run(runnable, stream);
  for (int i = 0; i < count; ++i) EXPECT(from_b[i] == 7 + 10 + 20 && from_c[i] == 6);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaGraphDestroy(graph));
  for (int* each : {a, b, c}) CALL(cudaFree(each));
}

// A body captured over two streams, and a conditional node in a captured stream.
void test_capture(cudaStream_t stream) {
  constexpr int count = 1001;
  const variables v;
  int* const a = device_memory<int>(count);
  int* const b = device_memory<int>(count);
  cudaStream_t inside = nullptr, other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  CALL(cudaStreamCreateWithFlags(&inside, cudaStreamNonBlocking));
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  append<<<1, 1, 0, stream>>>(v.digits, 1);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  size_t before_count = 0;
  CALL(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, nullptr));
  const handle_type condition = make_condition(graph);
  set_condition<<<1, 1, 0, stream>>>(condition, v.value);
  CALL(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &before_count));
  conditional_node loop =
      add_conditional(graph, nodes(before, before + before_count), cudaGraphCondTypeWhile, condition);
  CALL(cudaStreamUpdateCaptureDependencies(stream, &loop.node, nullptr, 1, cudaStreamSetCaptureDependencies));

  CALL(cudaStreamBeginCaptureToGraph(inside, loop.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  add<<<8, 128, 0, inside>>>(a, count, 1);
  CALL(cudaEventRecord(fork, inside));
  CALL(cudaStreamWaitEvent(other, fork, 0));
  CALL(cudaMemcpyAsync(b, a, count * sizeof(int), cudaMemcpyDeviceToDevice, other));
  append<<<1, 1, 0, inside>>>(v.digits, 2);
  CALL(cudaEventRecord(join, other));
  CALL(cudaStreamWaitEvent(inside, join, 0));
  CALL(cudaStreamDestroy(other));  // the stream has been joined
  count_down<<<5, 33, 0, inside>>>(condition, v.value, v.blocks_done);
  CALL(cudaStreamEndCapture(inside, nullptr));

  append<<<1, 1, 0, stream>>>(v.digits, 9);
  CALL(cudaStreamEndCapture(stream, &graph));
  const cudaGraphExec_t runnable = instantiate(graph);
  CALL(cudaGraphDestroy(graph));
  v.begin(4);
  run(runnable, stream);
  EXPECT(read(v.digits) == 122229);
  v.begin(0);
  run(runnable, stream);
  EXPECT(read(v.digits) == 19);
  std::vector<int> got(count);
  CALL(cudaMemcpy(got.data(), b, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) EXPECT(got[i] == 4);
  CALL(cudaGraphExecDestroy(runnable));
  CALL(cudaStreamDestroy(inside));
  CALL(cudaEventDestroy(fork));
  CALL(cudaEventDestroy(join));
  CALL(cudaFree(a));
  CALL(cudaFree(b));
}

// Loops in several streams at once, whose graphs are destroyed while they run. Later work in a stream waits.
void test_streams() {
  constexpr int streams = 4;
  cudaStream_t s[streams];
  const variables v[streams];
  for (int i = 0; i < streams; ++i) {
    CALL(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    v[i].begin(200 + i);
    CALL(cudaDeviceSynchronize());
    const cudaGraph_t graph = make_graph();
    const handle_type condition = make_condition(graph, 1, cudaGraphCondAssignDefault);
    const conditional_node loop = add_conditional(graph, {}, cudaGraphCondTypeWhile, condition);
    v[i].add_count_down(loop.bodies[0], {}, condition, v[i].value);
    const cudaGraphExec_t runnable = instantiate(graph);
    CALL(cudaGraphLaunch(runnable, s[i]));
    append<<<1, 1, 0, s[i]>>>(v[i].digits, 7);
    CALL(cudaMemcpyAsync(v[i].other, v[i].value, sizeof(unsigned), cudaMemcpyDeviceToDevice, s[i]));
    CALL(cudaGraphExecDestroy(runnable));
    CALL(cudaGraphDestroy(graph));
  }
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < streams; ++i) {
    EXPECT(read(v[i].digits) == 7 && read(v[i].other) == 0);
    CALL(cudaStreamDestroy(s[i]));
  }
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  test_choice(stream, cudaGraphCondTypeIf, 1);
  test_choice(stream, cudaGraphCondTypeIf, 2);
  test_choice(stream, cudaGraphCondTypeSwitch, 1);
  test_choice(stream, cudaGraphCondTypeSwitch, 4);
  test_while(stream);
  test_default(stream);
  test_nesting(stream, false);
  test_nesting(stream, true);
  test_bodies(stream);
  test_capture(stream);
  test_streams();
  return failures != 0;
}

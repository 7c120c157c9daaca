// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of graphs by kernels of graphs: the order of children, siblings and tail launches, repeated launches of a
// graph by itself, updates, the limits of CUDA's guide, and what is refused.
#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "../graph/condition_building.hpp"

// The graphs that a kernel launches, up to four, and their streams.
struct launches {
  cudaGraphExec_t graphs[4];
  int streams[4];  // 0: tail, 1: fire and forget, 2: sibling, 3: no stream of graphs, 4: nothing
};

__device__ cudaStream_t stream_of(int number) {
  return number == 0   ? cudaStreamGraphTailLaunch
         : number == 1 ? cudaStreamGraphFireAndForget
         : number == 2 ? cudaStreamGraphFireAndForgetAsSibling
                       : cudaStream_t{};
}

// Appends a digit, as `append` does, and launches. `errors`: one for each launch, or null.
__global__ void append_and_launch(long long* p, int digit, launches all, cudaError_t* errors) {
  if (threadIdx.x + blockIdx.x != 0) return;
  *p = *p * 10 + digit;
  for (int i = 0; i < 4; ++i) {
    if (all.streams[i] == 4) continue;
    const cudaError_t error = cudaGraphLaunch(all.graphs[i], stream_of(all.streams[i]));
    if (errors) errors[i] = error;
    if (errors && cudaGetLastError() != error) errors[i] = cudaErrorUnknown;
  }
}

// Performs a launch that the host set after instantiation, possibly while the graph's last launch is about to end.
__global__ void launch_next(long long* p, const launches* next) {
  ++*p;
  while (cudaGraphLaunch(next->graphs[0], stream_of(next->streams[0])) == cudaErrorInvalidValue) {
  }
}

struct launch {
  cudaGraphExec_t graph;
  int stream;
};

launches make_launches(std::vector<launch> list) {
  launches all{{}, {4, 4, 4, 4}};
  for (size_t i = 0; i < list.size(); ++i) all.graphs[i] = list[i].graph, all.streams[i] = list[i].stream;
  return all;
}

cudaGraphNode_t add_launch(cudaGraph_t graph, const nodes& before, long long* p, int digit,
                           const std::vector<launch>& list, cudaError_t* errors = nullptr) {
  launches all = make_launches(list);
  void* arguments[] = {&p, &digit, &all, &errors};
  return add_kernel(graph, before, reinterpret_cast<const void*>(append_and_launch), 3, 33, arguments);
}

constexpr unsigned long long on_device = cudaGraphInstantiateFlagDeviceLaunch;

// Instantiates a graph for launches by kernels, and destroys the graph.
cudaGraphExec_t uploaded(cudaGraph_t graph) {
  const cudaGraphExec_t made = instantiate(graph, on_device);
  CALL(cudaGraphUpload(made, 0));
  CALL(cudaGraphDestroy(graph));
  return made;
}

// A graph with one node, which appends a digit and launches.
cudaGraphExec_t device_graph(long long* p, int digit, const std::vector<launch>& list = {}) {
  const cudaGraph_t graph = make_graph();
  list.empty() ? add_digit(graph, {}, p, digit) : add_launch(graph, {}, p, digit, list);
  return uploaded(graph);
}

// The digits that a launch of a host graph appends: digit 1 with the launches, then 2, and 9 in the stream.
std::string run(long long* p, const std::vector<launch>& list, int times = 1) {
  const cudaGraph_t graph = make_graph();
  const cudaGraphNode_t first = add_launch(graph, {}, p, 1, list);
  add_digit(graph, {first}, p, 2);
  const cudaGraphExec_t made = instantiate(graph);
  CALL(cudaMemset(p, 0, sizeof *p));
  for (int i = 0; i < times; ++i) CALL(cudaGraphLaunch(made, 0));
  append<<<1, 1>>>(p, 9);
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphExecDestroy(made));
  CALL(cudaGraphDestroy(graph));
  return std::to_string(read(p));
}

size_t at(const std::string& digits, char digit) {
  EXPECT(std::count(digits.begin(), digits.end(), digit) == 1);
  return digits.find(digit);
}
#define EXPECT_ORDER(digits, a, b) EXPECT(at(digits, a) < at(digits, b))

void test_order(long long* p) {
  const cudaGraphExec_t child = device_graph(p, 3), tail = device_graph(p, 4), second_tail = device_graph(p, 5);
  // Children run at any time after their launch, tail launches after the whole graph and its children.
  std::string digits = run(p, {{child, 1}});
  EXPECT(digits.size() == 4 && digits.front() == '1' && digits.back() == '9');
  EXPECT_ORDER(digits, '1', '3');
  digits = run(p, {{tail, 0}, {second_tail, 0}, {child, 1}});
  EXPECT(digits.size() == 6 && digits.front() == '1' && digits.substr(3) == "459");

  // A tail launch of a tail launch runs before the later ones of the first graph.
  const cudaGraphExec_t nested = device_graph(p, 6), outer = device_graph(p, 7, {{nested, 0}, {child, 1}});
  digits = run(p, {{outer, 0}, {tail, 0}});
  EXPECT(digits == "1273649");
  // A tail launch of a child ends within the parent's environment.
  digits = run(p, {{outer, 1}, {tail, 0}});
  EXPECT(digits.size() == 7 && digits.substr(5) == "49");
  EXPECT_ORDER(digits, '7', '3');
  EXPECT_ORDER(digits, '3', '6');

  // A sibling of a child is a child of the parent. A sibling launched by the first graph belongs to the host's stream.
  const cudaGraphExec_t with_sibling = device_graph(p, 8, {{child, 2}, {nested, 0}});
  digits = run(p, {{with_sibling, 1}, {tail, 0}});
  EXPECT(digits.size() == 7 && digits.substr(5) == "49");
  EXPECT_ORDER(digits, '8', '3');
  EXPECT_ORDER(digits, '8', '6');
  digits = run(p, {{child, 2}, {tail, 0}});
  EXPECT(digits.size() == 5 && digits.back() == '9');
  EXPECT_ORDER(digits, '2', '4');
  EXPECT_ORDER(digits, '1', '3');

  // Each launch of the parent starts without launches that are left from an earlier one.
  digits = run(p, {{tail, 0}, {second_tail, 0}}, 3);
  EXPECT(digits == "1245124512459");
  for (const cudaGraphExec_t each : {child, tail, second_tail, nested, outer, with_sibling}) {
    CALL(cudaGraphExecDestroy(each));
  }
}

// A kernel in the body of a conditional node launches as a part of the whole graph.
void test_conditional_body(long long* p) {
  const cudaGraphExec_t child = device_graph(p, 3), tail = device_graph(p, 4);
  const cudaGraph_t graph = make_graph();
  const handle_type condition = make_condition(graph, 1, cudaGraphCondAssignDefault);
  const conditional_node node = add_conditional(graph, {}, cudaGraphCondTypeIf, condition);
  add_launch(node.bodies[0], {}, p, 1, {{tail, 0}, {child, 1}});
  add_digit(graph, {node.node}, p, 2);
  const cudaGraphExec_t made = instantiate(graph);
  CALL(cudaMemset(p, 0, sizeof *p));
  for (int i = 0; i < 2; ++i) CALL(cudaGraphLaunch(made, 0));
  CALL(cudaDeviceSynchronize());
  const std::string digits = std::to_string(read(p));
  EXPECT(digits.size() == 8);
  for (int i = 0; i < 2; ++i) {
    const std::string launch = digits.substr(4 * i, 4);
    EXPECT(launch == "1234" || launch == "1324");
  }
  for (const cudaGraphExec_t each : {made, child, tail}) CALL(cudaGraphExecDestroy(each));
  CALL(cudaGraphDestroy(graph));
}

// Launches its own graph again until the counter is 0, and stores the current graph.
__global__ void repeat(int* left, cudaGraphExec_t* current, cudaError_t* second) {
  *current = cudaGetCurrentGraphExec();
  if (--*left == 0) return;
  const cudaError_t first = cudaGraphLaunch(*current, cudaStreamGraphTailLaunch);
  second[0] = first;
  second[1] = cudaGraphLaunch(*current, cudaStreamGraphTailLaunch);
  second[2] = cudaGraphLaunch(*current, cudaStreamGraphFireAndForget);
  cudaGetLastError();
}
__global__ void halve(int* value) { *value /= 2; }

struct managed_state {
  int left, value;
  cudaGraphExec_t current;
  cudaError_t errors[4];
};

void test_repetition() {
  managed_state* state = nullptr;
  CALL(cudaMallocManaged(&state, sizeof *state));
  *state = {};
  const cudaGraph_t graph = make_graph();
  int *left = &state->left, *value = &state->value;
  cudaGraphExec_t* current = &state->current;
  cudaError_t* errors = state->errors;
  void *repeat_arguments[] = {&left, &current, &errors}, *halve_arguments[] = {&value};
  const cudaGraphNode_t first = add_kernel(graph, {}, reinterpret_cast<const void*>(repeat), 1, 1, repeat_arguments);
  add_kernel(graph, {first}, reinterpret_cast<const void*>(halve), 1, 1, halve_arguments);
  const cudaGraphExec_t made = instantiate(graph, on_device);
  for (int round = 0; round < 2; ++round) {  // a launch by the host uploads the graph
    state->left = 7;
    state->value = 128 * 5;
    CALL(cudaGraphLaunch(made, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(state->left == 0 && state->value == 5);
    EXPECT(state->current == made);
    EXPECT(state->errors[0] == cudaSuccess);
    EXPECT(state->errors[1] == cudaErrorInvalidValue && state->errors[2] == cudaErrorInvalidValue);
  }
  // A graph that kernels cannot launch has no current graph.
  const cudaGraphExec_t plain = instantiate(graph);
  state->left = 1;
  CALL(cudaGraphLaunch(plain, 0));
  CALL(cudaDeviceSynchronize());
  EXPECT(state->current == nullptr && state->left == 0);
  CALL(cudaGraphExecDestroy(plain));
  CALL(cudaGraphExecDestroy(made));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFree(state));
}

// An update of an executable graph takes effect with the next upload.
void test_update(long long* p) {
  const cudaGraph_t graph = make_graph();
  const cudaGraphNode_t node = add_digit(graph, {}, p, 3);
  const cudaGraphExec_t made = instantiate(graph, on_device);
  CALL(cudaGraphUpload(made, 0));
  int digit = 4;
  void* arguments[] = {&p, &digit};
  const cudaKernelNodeParams changed{reinterpret_cast<void*>(append), 1, 1, 0, arguments, nullptr};
  CALL(cudaGraphExecKernelNodeSetParams(made, node, &changed));
  EXPECT(run(p, {{made, 0}}) == "1239");
  CALL(cudaGraphUpload(made, 0));
  EXPECT(run(p, {{made, 0}}) == "1249");
  CALL(cudaGraphExecDestroy(made));
  CALL(cudaGraphDestroy(graph));
}

// Random trees of launches: graph i writes 2 i when it begins, launches, and writes 2 i + 1 when it ends.
constexpr int most_graphs = 24, most_children = 8;

struct launch_tree {
  int count, errors, written[2 * most_graphs + 2];
  int children[most_graphs];
  cudaGraphExec_t graphs[most_graphs][most_children];
  int streams[most_graphs][most_children];
};

__global__ void begin_graph(launch_tree* tree, int graph) {
  tree->written[tree->count++] = 2 * graph;
  for (int i = 0; i < tree->children[graph]; ++i) {
    if (cudaGraphLaunch(tree->graphs[graph][i], stream_of(tree->streams[graph][i]))) ++tree->errors;
  }
}
__global__ void end_graph(launch_tree* tree, int graph) { tree->written[tree->count++] = 2 * graph + 1; }

// The model of a tree of launches, by the guide's environments: each graph's launcher, and when it begins and ends.
struct tree_model {
  int graphs = 0;
  std::vector<int> launcher, stream, begun, ended;

  // The graph whose environment contains that of `graph`; -1: the environment of the stream.
  int environment_of(int graph) const {
    if (graph == 0) return -1;
    return stream[graph] == 1 ? launcher[graph] : environment_of(launcher[graph]);
  }
  bool is_inside(int graph, int environment) const {
    for (; graph != -1; graph = environment_of(graph)) {
      if (graph == environment) return true;
    }
    return false;
  }
  int end_of_environment(int graph) const {
    int last = -1;
    for (int i = 0; i < graphs; ++i) {
      if (is_inside(i, graph)) last = std::max(last, ended[i]);
    }
    return last;
  }
  // The graph at the end of a tail launch, which its own tail launches follow.
  int end_of_tail(int graph) const {
    int last = end_of_environment(graph);
    for (int i = 1; i < graphs; ++i) {
      if (launcher[i] == graph && stream[i] == 0) last = std::max(last, end_of_tail(i));
    }
    return last;
  }
  bool is_right(int graph) const {
    if (begun[graph] < 0 || ended[graph] <= begun[graph]) return false;
    int before = end_of_environment(graph);
    for (int i = 1; i < graphs; ++i) {
      if (launcher[i] != graph) continue;
      if (begun[i] < begun[graph] || (stream[i] == 0 && begun[i] < before)) return false;
      if (stream[i] == 0) before = end_of_tail(i);
    }
    return true;
  }
};

void test_random_tree(launch_tree* tree, unsigned seed) {
  std::mt19937 random(seed);
  memset(tree, 0, sizeof *tree);
  tree_model model;
  model.graphs = 2 + static_cast<int>(random() % (most_graphs - 1));
  const auto size = static_cast<size_t>(model.graphs);
  model.launcher.assign(size, -1), model.stream = model.begun = model.ended = model.launcher;
  std::vector<cudaGraphExec_t> graphs(size);
  for (int i = 0; i < model.graphs; ++i) {
    const cudaGraph_t graph = make_graph();
    void* arguments[] = {&tree, &i};
    const cudaGraphNode_t first = add_kernel(graph, {}, reinterpret_cast<const void*>(begin_graph), 1, 1, arguments);
    add_kernel(graph, {first}, reinterpret_cast<const void*>(end_graph), 1, 1, arguments);
    graphs[i] = instantiate(graph, i == 0 ? 0 : on_device);
    if (i > 0) CALL(cudaGraphUpload(graphs[i], 0));
    CALL(cudaGraphDestroy(graph));
    if (i == 0) continue;
    int by = 0;
    do by = static_cast<int>(random() % static_cast<unsigned>(i));
    while (tree->children[by] == most_children);
    model.launcher[i] = by;
    model.stream[i] = static_cast<int>(random() % 3);
    tree->graphs[by][tree->children[by]] = graphs[i];
    tree->streams[by][tree->children[by]++] = model.stream[i];
  }
  CALL(cudaGraphLaunch(graphs[0], 0));
  end_graph<<<1, 1>>>(tree, model.graphs);
  CALL(cudaDeviceSynchronize());
  bool is_right = tree->errors == 0 && tree->count == 2 * model.graphs + 1;
  for (int i = 0; i + 1 < tree->count; ++i) {
    const int graph = tree->written[i] / 2;
    (tree->written[i] % 2 ? model.ended : model.begun)[graph] = i;
  }
  is_right = is_right && tree->written[tree->count - 1] == 2 * model.graphs + 1;
  for (int i = 0; i < model.graphs; ++i) is_right = is_right && model.is_right(i);
  if (!is_right) std::printf("the order of tree %u is wrong\n", seed);
  EXPECT(is_right);
  for (const cudaGraphExec_t each : graphs) CALL(cudaGraphExecDestroy(each));
}

void test_random_trees() {
  launch_tree* tree = nullptr;
  CALL(cudaMallocManaged(&tree, sizeof *tree));
  for (unsigned seed = 0; seed < 100; ++seed) test_random_tree(tree, seed);
  CALL(cudaFree(tree));
}

struct many {
  int count, refused, stream;
  cudaError_t last;
  cudaGraphExec_t graphs[300];
};

__global__ void launch_many(many* all) {
  for (int i = 0; i < all->count; ++i) {
    const cudaError_t error = cudaGraphLaunch(all->graphs[i], stream_of(all->stream));
    if (error == cudaSuccess) continue;
    ++all->refused;
    all->last = error;
  }
}

void test_limits(long long*) {
  many* all = nullptr;
  int* sum = device_memory<int>(1);
  CALL(cudaMallocManaged(&all, sizeof *all));
  memset(all, 0, sizeof *all);
  const cudaGraph_t each = make_graph(), launching = make_graph();
  add_to_all(each, {}, sum, 1, 1);
  for (cudaGraphExec_t& made : all->graphs) {
    made = instantiate(each, on_device);
    CALL(cudaGraphUpload(made, 0));
  }
  void* arguments[] = {&all};
  add_kernel(launching, {}, reinterpret_cast<const void*>(launch_many), 1, 1, arguments);
  const cudaGraphExec_t made = instantiate(launching);
  const int limits[] = {255, 120};
  for (int stream = 0; stream < 2; ++stream) {
    all->stream = stream;
    all->count = limits[stream] + 5;
    all->refused = 0;
    CALL(cudaMemset(sum, 0, sizeof *sum));
    CALL(cudaGraphLaunch(made, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(all->refused == 5 && all->last == cudaErrorLaunchPendingCountExceeded);
    EXPECT(read(sum) == limits[stream]);
  }
  for (const cudaGraphExec_t one : all->graphs) CALL(cudaGraphExecDestroy(one));
  CALL(cudaGraphExecDestroy(made));
  CALL(cudaGraphDestroy(launching));
  CALL(cudaGraphDestroy(each));
  CALL(cudaFree(all));
  CALL(cudaFree(sum));
}

void test_refused_launches(long long* p) {
  cudaError_t* errors = nullptr;
  CALL(cudaMallocManaged(&errors, 4 * sizeof *errors));
  const cudaGraph_t graph = make_graph(), launching = make_graph();
  add_digit(graph, {}, p, 3);
  const cudaGraphExec_t plain = instantiate(graph), not_uploaded = instantiate(graph, on_device);
  const cudaGraphExec_t usable = device_graph(p, 4);
  add_launch(launching, {}, p, 1, {{plain, 1}, {not_uploaded, 1}, {usable, 3}, {nullptr, 1}}, errors);
  const cudaGraphExec_t made = instantiate(launching);
  CALL(cudaMemset(p, 0, sizeof *p));
  CALL(cudaGraphLaunch(made, 0));
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) EXPECT(errors[i] == cudaErrorInvalidValue);
  EXPECT(read(p) == 1);
  // A kernel that runs in a stream cannot launch a graph.
  append_and_launch<<<1, 1>>>(p, 2, make_launches({{usable, 1}}), errors);
  CALL(cudaDeviceSynchronize());
  EXPECT(errors[0] == cudaErrorInvalidValue);
  EXPECT(read(p) == 12);
  for (const cudaGraphExec_t each : {plain, not_uploaded, usable, made}) CALL(cudaGraphExecDestroy(each));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(launching));
  CALL(cudaFree(errors));
}

void nothing(void*) {}

void expect_refused(cudaGraph_t graph, cudaGraphInstantiateResult result, cudaGraphNode_t node) {
  cudaGraphExec_t made = nullptr;
  cudaGraphInstantiateParams parameters{};
  parameters.flags = on_device;
  EXPECT(cudaGraphInstantiateWithParams(&made, graph, &parameters) == cudaErrorInvalidValue);
  EXPECT(parameters.result_out == result && parameters.errNode_out == node);
  EXPECT(cudaGraphInstantiate(&made, graph, on_device) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

void test_rules(long long* p) {
  const cudaGraphInstantiateResult no_operation = cudaGraphInstantiateNodeOperationNotSupported;
  cudaGraph_t graph = make_graph();
  expect_refused(graph, cudaGraphInstantiateInvalidStructure, nullptr);
  cudaGraphNode_t node = nullptr;
  const cudaHostNodeParams host{nothing, nullptr};
  CALL(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  expect_refused(graph, no_operation, node);
  CALL(cudaGraphDestroy(graph));

  graph = make_graph();
  long long local = 0;
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, &local, p, sizeof local, cudaMemcpyDeviceToHost));
  expect_refused(graph, no_operation, node);
  CALL(cudaGraphDestroy(graph));

  long long* pinned = nullptr;
  CALL(cudaMallocHost(&pinned, sizeof *pinned));
  graph = make_graph();
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, pinned, p, sizeof local, cudaMemcpyDeviceToHost));
  cudaGraphExec_t made = nullptr;
  cudaGraphInstantiateParams parameters{};
  parameters.flags = on_device | cudaGraphInstantiateFlagUpload;
  CALL(cudaGraphInstantiateWithParams(&made, graph, &parameters));
  EXPECT(parameters.result_out == cudaGraphInstantiateSuccess);
  unsigned long long flags = 0;
  CALL(cudaGraphExecGetFlags(made, &flags));
  EXPECT(flags == parameters.flags);
  EXPECT(run(p, {{made, 0}}) == "129");
  EXPECT(*pinned == 12);
  cudaMemcpy3DParms pageable{};
  pageable.srcPtr = make_cudaPitchedPtr(p, sizeof local, sizeof local, 1);
  pageable.dstPtr = make_cudaPitchedPtr(&local, sizeof local, sizeof local, 1);
  pageable.extent = make_cudaExtent(sizeof local, 1, 1);
  pageable.kind = cudaMemcpyDeviceToHost;
  EXPECT(cudaGraphExecMemcpyNodeSetParams(made, node, &pageable) == cudaErrorInvalidValue);
  CALL(cudaGraphMemcpyNodeSetParams(node, &pageable));
  cudaGraphExecUpdateResultInfo info;
  EXPECT(cudaGraphExecUpdate(made, graph, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
  CALL(cudaGraphExecDestroy(made));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFreeHost(pinned));

  graph = make_graph();
  add_digit(graph, {}, p, 3);
  EXPECT(cudaGraphInstantiate(&made, graph, on_device | cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
         cudaErrorInvalidValue);
  // The limit counts the nodes of a child graph; an empty node has no operation.
  const cudaGraph_t outer = make_graph();
  CALL(cudaGraphAddChildGraphNode(&node, outer, nullptr, 0, graph));
  CALL(cudaGraphExecDestroy(instantiate(outer, on_device)));
  CALL(cudaGraphAddEmptyNode(&node, outer, nullptr, 0));
  expect_refused(outer, no_operation, node);
  CALL(cudaGraphDestroy(outer));
  int devices = 0;
  CALL(cudaGetDeviceCount(&devices));
  if (devices > 1) {
    CALL(cudaSetDevice(1));
    node = add_digit(graph, {}, p, 3);
    CALL(cudaSetDevice(0));
    expect_refused(graph, cudaGraphInstantiateMultipleDevicesNotSupported, node);
  }
  CALL(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

// Launches of graphs that never end: of a graph by itself, and of two siblings in turn.
void launch_without_end(bool by_siblings) {
  auto* p = device_memory<long long>(1);
  launches* all = nullptr;
  CALL(cudaMallocManaged(&all, 2 * sizeof *all));
  cudaGraphExec_t made[2];
  for (int i = 0; i < 2; ++i) {
    const cudaGraph_t graph = make_graph();
    launches* next = &all[i];
    void* arguments[] = {&p, &next};
    add_kernel(graph, {}, reinterpret_cast<const void*>(launch_next), 1, 1, arguments);
    made[i] = uploaded(graph);
  }
  all[0] = make_launches({{made[by_siblings ? 1 : 0], by_siblings ? 2 : 0}});
  all[1] = make_launches({{made[0], 2}});
  CALL(cudaGraphLaunch(made[0], 0));
  std::printf("the error is %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int count, char** words) {
  if (count > 1) {
    launch_without_end(std::string(words[1]) == "siblings");
    return 0;
  }
  auto* const p = device_memory<long long>(1);
  test_order(p);
  test_conditional_body(p);
  test_repetition();
  test_update(p);
  test_random_trees();
  test_limits(p);
  test_refused_launches(p);
  test_rules(p);
  CALL(cudaFree(p));
  return failures != 0;
}

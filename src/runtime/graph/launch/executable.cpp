// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/executable.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/graph/launch/device_graph_rules.hpp"
#include "runtime/graph/launch/launch.hpp"
#include "runtime/graph/node/node_rules.hpp"
#include "runtime/schedule/operation_edges.hpp"

namespace cohort::runtime {

namespace {

// All executable graphs by their address. Never destroyed.
std::unordered_map<const void*, std::unique_ptr<executable>>& executables() {
  static auto* const all = new std::unordered_map<const void*, std::unique_ptr<executable>>;
  return *all;
}

// The executable graphs that kernels can launch. The scheduler's lock guards it.
size_t device_graphs = 0;

// The place of each node in the order of creation.
std::unordered_map<const graph_node*, size_t> positions_in(const graph& g) {
  std::unordered_map<const graph_node*, size_t> positions;
  for (size_t i = 0; i < g.nodes.size(); ++i) positions[g.nodes[i].get()] = i;
  return positions;
}

cudaGraphExecUpdateResult compare(const graph& to, const graph& from, graph_node** different);

// The position of a node's condition in its graph's list; the list's size if the condition belongs to another graph.
size_t position_of_condition(const graph& g, const graph_node& node) {
  const auto& all = g.conditions;
  return static_cast<size_t>(std::find(all.begin(), all.end(), node.conditional->value) - all.begin());
}

// Compares the child graphs or the conditional parts of two nodes of one type.
cudaGraphExecUpdateResult compare_inside(const graph_node& a, const graph_node& b, const graph& to, const graph& from,
                                         graph_node** different) {
  if (a.child) return compare(*a.child, *b.child, different);
  if (!a.conditional) return cudaGraphExecUpdateSuccess;
  const conditional_part& first = *a.conditional;
  const conditional_part& second = *b.conditional;
  if (first.type != second.type || first.bodies.size() != second.bodies.size() ||
      position_of_condition(to, a) != position_of_condition(from, b)) {
    return cudaGraphExecUpdateErrorParametersChanged;
  }
  for (size_t i = 0; i < first.bodies.size(); ++i) {
    const auto inner = compare(*first.bodies[i], *second.bodies[i], different);
    if (inner != cudaGraphExecUpdateSuccess) return inner;
  }
  return cudaGraphExecUpdateSuccess;
}

// Compares nodes and edges pairwise, in the order of creation.
cudaGraphExecUpdateResult compare(const graph& to, const graph& from, graph_node** different) {
  *different = nullptr;
  if (to.nodes.size() != from.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  const auto positions_to = positions_in(to), positions_from = positions_in(from);
  for (size_t i = 0; i < to.nodes.size(); ++i) {
    const graph_node& a = *to.nodes[i];
    const graph_node& b = *from.nodes[i];
    *different = from.nodes[i].get();
    if (a.type != b.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (a.dependencies.size() != b.dependencies.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t edge = 0; edge < a.dependencies.size(); ++edge) {
      if (positions_to.at(a.dependencies[edge]) != positions_from.at(b.dependencies[edge])) {
        return cudaGraphExecUpdateErrorTopologyChanged;
      }
    }
    if (a.device != b.device || !has_equal_memory(a, b)) return cudaGraphExecUpdateErrorParametersChanged;
    const auto inner = compare_inside(a, b, to, from, different);
    if (inner != cudaGraphExecUpdateSuccess) return inner;
  }
  *different = nullptr;
  return cudaGraphExecUpdateSuccess;
}

void take_work(graph& to, const graph& from) {
  to.conditions = from.conditions;
  to.objects = from.objects;
  for (size_t i = 0; i < to.nodes.size(); ++i) {
    graph_node& node = *to.nodes[i];
    const graph_node& source = *from.nodes[i];
    node.work = source.work;
    if (node.child) take_work(*node.child, *source.child);
    if (!node.conditional) continue;
    node.conditional->value = source.conditional->value;
    for (size_t body = 0; body < node.conditional->bodies.size(); ++body) {
      take_work(*node.conditional->bodies[body], *source.conditional->bodies[body]);
    }
  }
}

// Keeps user objects until it is finished.
struct object_keeper : operation {
  object_keeper() : operation(operation_kind::mark) {}
  std::vector<user_objects> objects;
};

void take_objects(graph& g, std::vector<user_objects>* taken) {
  if (!g.objects.empty()) taken->push_back(std::move(g.objects));
  for (const auto& node : g.nodes) {
    node->for_inner_graphs([&](graph& inner) { take_objects(inner, taken); });
  }
}

// Releases the user objects of the executable graph after its latest launch.
void release_objects(executable& e) {
  const auto keeper = std::make_shared<object_keeper>();
  take_objects(*e.copy, &keeper->objects);
  if (keeper->objects.empty()) return;
  link(keeper, e.last_launch);
  if (const auto by_kernel = e.environment.lock()) link(keeper, *by_kernel);
}

// True if an executable graph other than `e` was made from the graph.
bool is_instantiated(const graph& g, const executable* e) {
  return std::any_of(executables().begin(), executables().end(), [&](const auto& entry) {
    const auto& sources = entry.second->sources;
    return entry.second.get() != e && std::find(sources.begin(), sources.end(), g.id) != sources.end();
  });
}

}  // namespace

executable* find_executable(cudaGraphExec_t handle) {
  const auto at = executables().find(handle);
  return at == executables().end() ? nullptr : at->second.get();
}

namespace {

bool is_acyclic(const graph& g) {
  if (g.in_order().size() != g.nodes.size()) return false;
  bool acyclic = true;
  for (const auto& node : g.nodes) {
    node->for_inner_graphs([&](const graph& inner) { acyclic = acyclic && is_acyclic(inner); });
  }
  return acyclic;
}

bool has_unused_condition(const graph& g) {
  const auto unused = [](const graph& each) {
    return std::any_of(each.conditions.begin(), each.conditions.end(), [](const auto& c) { return !c->has_node; });
  };
  bool found = unused(g);
  (void)g.has_node([&](const graph_node& node) {
    node.for_inner_graphs([&](const graph& inner) { found = found || unused(inner); });
    return false;
  });
  return found;
}

// True if a node of a body is on another device than its conditional node.
bool has_foreign_body(const graph& g) {
  return g.has_node([](const graph_node& node) {
    if (!node.conditional) return false;
    return std::any_of(node.conditional->bodies.begin(), node.conditional->bodies.end(), [&](const auto& body) {
      return body->has_node([&](const graph_node& inner) { return inner.device != node.device; });
    });
  });
}

}  // namespace

bool has_device_graphs() { return device_graphs != 0; }

void executable::upload() {
  if (!steps) steps = make_program(*copy);
  uploaded = steps;
}

cudaError_t instantiate(const graph& original, unsigned long long flags, executable** made,
                        cudaGraphInstantiateResult* result, graph_node** wrong) {
  *wrong = nullptr;
  *result = cudaGraphInstantiateInvalidStructure;
  if (is_owned(original) || !is_acyclic(original) || has_foreign_body(original)) {
    return cudaErrorInvalidValue;
  }
  *result = cudaGraphInstantiateConditionalHandleUnused;
  if (has_unused_condition(original)) return cudaErrorInvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    *result = check_device_graph(original, wrong);
    if (*result != cudaGraphInstantiateSuccess) return cudaErrorInvalidValue;
  }
  *result = cudaGraphInstantiateError;
  if (!may_be_copied(original) && is_instantiated(original, nullptr)) return cudaErrorNotSupported;
  auto fresh = std::make_unique<executable>();
  fresh->copy = original.clone();
  fresh->flags = flags;
  fresh->sources.push_back(original.id);
  if (fresh->is_device_graph()) {
    ++device_graphs;
    (void)original.has_node([&](const graph_node& node) {
      if (node.work) fresh->device = node.device;
      return node.work != nullptr;
    });
  }
  *made = fresh.get();
  executables().emplace(fresh.get(), std::move(fresh));
  *result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

bool destroy(executable* e) {
  const auto at = executables().find(e);
  if (at == executables().end()) return false;
  release_objects(*e);
  if (e->is_device_graph()) --device_graphs;
  executables().erase(at);
  return true;
}

cudaError_t submit(executable& e, stream& s, std::vector<graph_memory_ref>* ended) {
  if (!e.steps) e.steps = make_program(*e.copy);
  const std::shared_ptr<const program> steps = e.steps;
  if (const cudaError_t error = steps->permits_launch(); error != cudaSuccess) return error;
  launch_memory memory(*steps, s);
  const cudaError_t error = memory.prepare(e.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
  if (error != cudaSuccess) return error;
  plan operations;
  std::vector<size_t> entry = memory.append_entry(operations);
  const auto environment = begin_environment(e);
  append_operations(operations, steps, std::move(entry), memory.former(), environment);
  if (environment) {
    operations.push_back({environment, nullptr, {operations.size() - 1}});
    operations.push_back({environment->gate, nullptr, {operations.size() - 1}});
  }
  e.uploaded = steps;
  e.last_launch = scheduler::instance().submit_graph_locked(s, operations, e.last_launch);
  e.blocks = memory.commit(e.last_launch, ended);
  for (const memory_step& each : steps->memory) count_use(each.memory->device);
  return cudaSuccess;
}

bool update(executable& e, const graph& from, cudaGraphExecUpdateResultInfo* info) {
  graph_node* different = nullptr;
  graph_node* wrong = nullptr;
  const bool is_taken = (!may_be_copied(from) && is_instantiated(from, &e)) ||
                        (e.is_device_graph() && check_device_graph(from, &wrong) != cudaGraphInstantiateSuccess);
  const auto result = is_taken ? cudaGraphExecUpdateErrorNotSupported : compare(*e.copy, from, &different);
  *info = {result, handle_of(different), nullptr};
  if (result != cudaGraphExecUpdateSuccess) return false;
  release_objects(e);
  take_work(*e.copy, from);
  e.steps = nullptr;
  e.sources.push_back(from.id);
  return true;
}

}  // namespace cohort::runtime

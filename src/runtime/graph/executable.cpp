// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "executable.hpp"

#include <unordered_map>

#include "../stream/event.hpp"

namespace cohort::runtime {

namespace {

// All executable graphs by their address. Never destroyed.
std::unordered_map<const void*, std::unique_ptr<executable>>& executables() {
  static auto* const all = new std::unordered_map<const void*, std::unique_ptr<executable>>;
  return *all;
}

using plan = std::vector<scheduler::planned>;

// Adds copies of the work of all nodes to the plan. The first nodes follow `entry`. Returns the index of an operation
// that follows all of them.
size_t add_to_plan(plan& steps, const graph& g, const std::vector<size_t>& entry, device_state& device) {
  const auto mark = [&](std::vector<size_t> after) {
    steps.push_back({std::make_shared<operation>(operation_kind::mark), &device, std::move(after)});
    return steps.size() - 1;
  };
  std::unordered_map<const graph_node*, size_t> last_of;
  std::vector<size_t> ends = entry;
  for (const graph_node* node : g.in_order()) {
    std::vector<size_t> after;
    for (const graph_node* before : node->dependencies) after.push_back(last_of.at(before));
    if (after.empty()) after = entry;
    if (node->child) {
      last_of[node] = add_to_plan(steps, *node->child, after, device);
    } else if (!node->work || !node->enabled) {
      last_of[node] = mark(std::move(after));
    } else {
      const auto* const wait = dynamic_cast<const event_wait_operation*>(node->work.get());
      steps.push_back({node->work->again(), node->device, std::move(after), wait ? wait->awaited() : nullptr});
      last_of[node] = steps.size() - 1;
    }
    if (node->dependents.empty()) ends.push_back(last_of[node]);
  }
  return mark(std::move(ends));
}

// The place of each node in the order of creation.
std::unordered_map<const graph_node*, size_t> positions_in(const graph& g) {
  std::unordered_map<const graph_node*, size_t> positions;
  for (size_t i = 0; i < g.nodes.size(); ++i) positions[g.nodes[i].get()] = i;
  return positions;
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
    if (a.device != b.device) return cudaGraphExecUpdateErrorParametersChanged;
    if (!a.child) continue;
    const auto inner = compare(*a.child, *b.child, different);
    if (inner != cudaGraphExecUpdateSuccess) return inner;
  }
  *different = nullptr;
  return cudaGraphExecUpdateSuccess;
}

void take_work(graph& to, const graph& from) {
  for (size_t i = 0; i < to.nodes.size(); ++i) {
    to.nodes[i]->work = from.nodes[i]->work;
    if (to.nodes[i]->child) take_work(*to.nodes[i]->child, *from.nodes[i]->child);
  }
}

}  // namespace

executable* find_executable(cudaGraphExec_t handle) {
  const auto at = executables().find(handle);
  return at == executables().end() ? nullptr : at->second.get();
}

bool is_acyclic(const graph& g) {
  if (g.in_order().size() != g.nodes.size()) return false;
  for (const auto& node : g.nodes) {
    if (node->child && !is_acyclic(*node->child)) return false;
  }
  return true;
}

executable* instantiate(const graph& original, unsigned long long flags) {
  auto fresh = std::make_unique<executable>();
  fresh->copy = original.clone();
  fresh->flags = flags;
  executable* const made = fresh.get();
  executables().emplace(made, std::move(fresh));
  return made;
}

bool destroy(executable* e) { return executables().erase(e) > 0; }

void submit(executable& e, stream& s) {
  plan steps;
  add_to_plan(steps, *e.copy, {}, *s.device);
  e.last_launch = scheduler::instance().submit_graph_locked(s, steps, e.last_launch);
}

bool update(executable& e, const graph& from, cudaGraphExecUpdateResultInfo* info) {
  graph_node* different = nullptr;
  const auto result = compare(*e.copy, from, &different);
  *info = {result, handle_of(different), nullptr};
  if (result != cudaGraphExecUpdateSuccess) return false;
  take_work(*e.copy, from);
  return true;
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/model/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cohort::runtime {

namespace {

// Addresses of all graphs and nodes. Never destroyed.
std::unordered_set<const void*>& known_graphs() {
  static auto* const all = new std::unordered_set<const void*>;
  return *all;
}
std::unordered_set<const void*>& known_nodes() {
  static auto* const all = new std::unordered_set<const void*>;
  return *all;
}

uint64_t latest_node_id = 0;
uint64_t latest_graph = 0;

std::unique_ptr<conditional_part> clone_part(const conditional_part& original, const graph_node& holder) {
  auto copy = std::make_unique<conditional_part>();
  copy->value = original.value;
  copy->type = original.type;
  for (const auto& body : original.bodies) {
    copy->bodies.push_back(clone_inside(*body, holder));
    copy->handles.push_back(handle_of(copy->bodies.back().get()));
  }
  return copy;
}

}  // namespace

std::unique_ptr<graph> clone_inside(const graph& original, const graph_node& holder) {
  auto copy = original.clone();
  copy->holder = &holder;
  return copy;
}

graph_node::graph_node(graph& owner) : owner(&owner), id(++latest_node_id) { known_nodes().insert(this); }
graph_node::~graph_node() { known_nodes().erase(this); }
graph::graph() : id(++latest_graph) { known_graphs().insert(this); }
graph::~graph() { known_graphs().erase(this); }

graph* find_graph(cudaGraph_t handle) {
  return known_graphs().contains(handle) ? reinterpret_cast<graph*>(handle) : nullptr;
}

graph_node* find_node(cudaGraphNode_t handle) {
  return known_nodes().contains(handle) ? reinterpret_cast<graph_node*>(handle) : nullptr;
}

graph_node& graph::add(cudaGraphNodeType type, device_state* device, std::shared_ptr<const operation> work) {
  auto fresh = std::make_unique<graph_node>(*this);
  fresh->type = type;
  fresh->device = device;
  fresh->work = std::move(work);
  nodes.push_back(std::move(fresh));
  return *nodes.back();
}

std::unique_ptr<graph> graph::clone() const {
  auto copy = std::make_unique<graph>();
  copy->conditions = conditions;
  copy->objects = objects;
  std::unordered_map<const graph_node*, graph_node*> made;
  for (const auto& node : nodes) {
    graph_node& fresh = copy->add(node->type, node->device, node->work);
    fresh.enabled = node->enabled;
    fresh.context = node->context;
    fresh.clone_of = node->id;
    if (node->child) fresh.child = clone_inside(*node->child, fresh);
    if (node->conditional) fresh.conditional = clone_part(*node->conditional, fresh);
    made.emplace(node.get(), &fresh);
  }
  for (const auto& node : nodes) {
    for (graph_node* before : node->dependencies) add_edge(*made.at(before), *made.at(node.get()));
  }
  return copy;
}

graph_node* graph::find_clone(uint64_t original) {
  for (const auto& node : nodes) {
    if (node->clone_of == original) return node.get();
    graph_node* found = nullptr;
    node->for_inner_graphs([&](graph& inner) { found = found ? found : inner.find_clone(original); });
    if (found) return found;
  }
  return nullptr;
}

std::vector<graph_node*> graph::in_order() const {
  std::unordered_map<const graph_node*, size_t> left;
  std::vector<graph_node*> order;
  order.reserve(nodes.size());
  for (const auto& node : nodes) {
    left[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (size_t at = 0; at < order.size(); ++at) {
    for (graph_node* next : order[at]->dependents) {
      if (--left[next] == 0) order.push_back(next);
    }
  }
  return order;
}

bool add_edge(graph_node& from, graph_node& to) {
  auto& before = to.dependencies;
  if (&from == &to || std::find(before.begin(), before.end(), &from) != before.end()) return false;
  before.push_back(&from);
  from.dependents.push_back(&to);
  return true;
}

bool remove_edge(graph_node& from, graph_node& to) {
  const auto before = std::find(to.dependencies.begin(), to.dependencies.end(), &from);
  if (before == to.dependencies.end()) return false;
  to.dependencies.erase(before);
  from.dependents.erase(std::find(from.dependents.begin(), from.dependents.end(), &to));
  return true;
}

void remove_node(graph_node& node) {
  while (!node.dependencies.empty()) remove_edge(*node.dependencies.back(), node);
  while (!node.dependents.empty()) remove_edge(node, *node.dependents.back());
  auto& all = node.owner->nodes;
  std::erase_if(all, [&](const auto& each) { return each.get() == &node; });
}

bool precedes(const graph_node& earlier, const graph_node& later) {
  std::unordered_set<const graph_node*> seen{&later};
  std::vector<const graph_node*> open{&later};
  while (!open.empty()) {
    const graph_node* const node = open.back();
    open.pop_back();
    if (node == &earlier) return true;
    for (const graph_node* before : node->dependencies) {
      if (seen.insert(before).second) open.push_back(before);
    }
  }
  return false;
}

}  // namespace cohort::runtime

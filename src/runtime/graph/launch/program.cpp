// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/program.hpp"

#include <unordered_map>
#include <utility>

#include "runtime/memory/graph/memory_operations.hpp"

namespace cohort::runtime {

namespace {

void note_memory(program& p, const node_work& work) {
  const size_t step = p.steps.size();
  if (const auto* const made = dynamic_cast<const graph_allocation_operation*>(work.get())) {
    p.memory.push_back({step, made->memory(), true});
  } else if (const auto* const freed = dynamic_cast<const graph_free_operation*>(work.get())) {
    p.memory.push_back({step, freed->memory(), false});
  }
}

std::shared_ptr<const conditional_step> make_conditional(const conditional_part& part) {
  auto made = std::make_shared<conditional_step>();
  made->value = part.value;
  made->type = part.type;
  made->bodies.reserve(part.bodies.size());
  for (const auto& body : part.bodies) made->bodies.push_back(make_program(*body));
  return made;
}

// Adds the steps of a graph after those of `entry`. Returns a step that follows all of them.
size_t add_steps(program& p, const graph& g, const std::vector<size_t>& entry) {
  const auto add = [&](node_work work, device_state* device, std::vector<size_t> after) {
    p.steps.push_back({std::move(work), device, std::move(after), nullptr});
    return p.steps.size() - 1;
  };
  p.conditions.insert(p.conditions.end(), g.conditions.begin(), g.conditions.end());
  std::unordered_map<const graph_node*, size_t> last_of;
  std::vector<size_t> ends = entry;
  for (const graph_node* node : g.in_order()) {
    std::vector<size_t> after;
    after.reserve(node->dependencies.size());
    for (const graph_node* before : node->dependencies) after.push_back(last_of.at(before));
    if (after.empty()) after = entry;
    if (node->child) {
      last_of[node] = add_steps(p, *node->child, after);
    } else if (node->conditional) {
      last_of[node] = add(nullptr, node->device, std::move(after));
      p.steps.back().conditional = make_conditional(*node->conditional);
    } else if (!node->work || !node->enabled) {
      last_of[node] = add(nullptr, nullptr, std::move(after));
    } else {
      note_memory(p, node->work);
      last_of[node] = add(node->work, node->device, std::move(after));
    }
    if (node->dependents.empty()) ends.push_back(last_of[node]);
  }
  return add(nullptr, nullptr, std::move(ends));
}

}  // namespace

bool program::follows(size_t later, size_t earlier) const {
  std::vector<bool> seen(later + 1, false);
  std::vector<size_t> open{later};
  while (!open.empty()) {
    const size_t step = open.back();
    open.pop_back();
    for (size_t before : steps[step].after) {
      if (before == earlier) return true;
      if (before < earlier || seen[before]) continue;  // a step follows only steps of smaller numbers
      seen[before] = true;
      open.push_back(before);
    }
  }
  return false;
}

cudaError_t program::permits_launch() const {
  for (const program_step& step : steps) {
    cudaError_t error = step.work ? step.work->permits_again() : cudaSuccess;
    if (step.conditional) {
      for (const auto& body : step.conditional->bodies) {
        if (error == cudaSuccess) error = body->permits_launch();
      }
    }
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

std::shared_ptr<const program> make_program(const graph& g) {
  auto made = std::make_shared<program>();
  add_steps(*made, g, {});
  return made;
}

}  // namespace cohort::runtime

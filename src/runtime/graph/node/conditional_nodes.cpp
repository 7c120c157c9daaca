// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/node/conditional_nodes.hpp"

#include <memory>
#include <utility>

namespace cohort::runtime {

namespace {

bool is_size(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return size == 1 || size == 2;
    case cudaGraphCondTypeWhile:
      return size == 1;
    case cudaGraphCondTypeSwitch:
      return size >= 1;
  }
  return false;
}

// The condition of a handle that was made for `g` or for a graph around it; null if there is none.
std::shared_ptr<condition> find_condition(const graph& g, cudaGraphConditionalHandle handle) {
  for (const graph* at = &g; at; at = at->outer()) {
    for (const auto& each : at->conditions) {
      if (each->handle() == handle) return each;
    }
  }
  return nullptr;
}

}  // namespace

cudaError_t add_conditional_node(const node_place& at, cudaConditionalNodeParams* p) {
  return add_node(at, cudaGraphNodeTypeConditional, nullptr, [&](graph_node& node) {
    const std::shared_ptr<condition> value = find_condition(*node.owner, p->handle);
    if (!value || value->has_node || !is_size(p->type, p->size)) return cudaErrorInvalidValue;
    auto part = std::make_unique<conditional_part>();
    part->value = value;
    part->type = p->type;
    for (unsigned i = 0; i < p->size; ++i) {
      part->bodies.push_back(std::make_unique<graph>());
      part->bodies.back()->holder = &node;
      part->handles.push_back(handle_of(part->bodies.back().get()));
    }
    p->phGraph_out = part->handles.data();
    value->has_node = true;
    node.conditional = std::move(part);
    return cudaSuccess;
  });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle* made, cudaGraph_t handle,
                                                           cudaExecutionContext_t context, unsigned int default_value,
                                                           unsigned int flags) {
  int device = 0;  // a condition belongs to no device
  if (context && cudaExecutionCtxGetDevice(&device, context) != cudaSuccess) return remember(cudaErrorInvalidValue);
  return cudaGraphConditionalHandleCreate(made, handle, default_value, flags);
}

extern "C" cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* made, cudaGraph_t handle,
                                                        unsigned int default_value, unsigned int flags) {
  return with_graph(handle, [&](graph& g) {
    if (!made || (flags & ~static_cast<unsigned>(cudaGraphCondAssignDefault))) return cudaErrorInvalidValue;
    g.conditions.push_back(std::make_shared<condition>(default_value, flags != 0));
    *made = g.conditions.back()->handle();
    return cudaSuccess;
  });
}

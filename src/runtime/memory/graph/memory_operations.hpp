// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of memory nodes: prototypes in a graph, and the operations of a launch.
#pragma once

#include <utility>

#include "runtime/memory/graph/graph_memory.hpp"

namespace cohort::runtime {

class graph_allocation_operation : public operation {
 public:
  // Allocates `memory` at each launch. `former`: the memory whose pages the launch reuses; null if it needs none.
  explicit graph_allocation_operation(graph_memory_ref memory, graph_memory_ref former = nullptr)
      : operation(operation_kind::work), memory_(std::move(memory)), former_(std::move(former)) {}
  const graph_memory_ref& memory() const { return memory_; }
  operation_label label() const override { return {"memory", "allocation of a graph", memory_->range.bytes}; }

 protected:
  cudaError_t execute() override;

 private:
  graph_memory_ref memory_;
  graph_memory_ref former_;
};

class graph_free_operation : public operation {
 public:
  // Frees `memory` at each launch. `freed_at`: a listener's name of the call that frees.
  graph_free_operation(graph_memory_ref memory, const void* freed_at)
      : operation(operation_kind::work), memory_(std::move(memory)), freed_at_(freed_at) {}
  const graph_memory_ref& memory() const { return memory_; }
  operation_label label() const override { return {"memory", "free of a graph", memory_->range.bytes}; }
  operation_ref again() const override { return std::make_shared<graph_free_operation>(memory_, freed_at_); }

 protected:
  cudaError_t execute() override;

 private:
  graph_memory_ref memory_;
  const void* freed_at_;
};

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of an executable graph: what each launch of it does, as a list of steps. It does not change, so launches
// that have not ended share it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/graph/model/graph.hpp"
#include "runtime/graph/node/node_work.hpp"

namespace cohort::runtime {

struct program;

struct conditional_step {
  std::shared_ptr<condition> value;
  cudaGraphConditionalNodeType type;
  std::vector<std::shared_ptr<const program>> bodies;
};

struct program_step {
  node_work work;             // null: the step only joins the steps before it
  device_state* device;       // null: that of the stream
  std::vector<size_t> after;  // earlier steps; none: the step begins with the launch
  std::shared_ptr<const conditional_step> conditional;
};

// A step that allocates or frees memory.
struct memory_step {
  size_t step;
  graph_memory_ref memory;
  bool allocates;
};

struct program {
  std::vector<program_step> steps;
  std::vector<memory_step> memory;
  std::vector<std::shared_ptr<condition>> conditions;  // that begin with the launch

  // True if `later` is a step behind `earlier`.
  bool follows(size_t later, size_t earlier) const;
};

// pre: the graph has no cycle
std::shared_ptr<const program> make_program(const graph& g);

}  // namespace cohort::runtime

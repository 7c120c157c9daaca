// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of an executable graph: the steps that each launch executes. It never changes, so unfinished launches
// share it.
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
  device_state* device;       // null: the stream's device
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
  std::vector<std::shared_ptr<condition>> conditions;  // conditions that a launch sets to their default values

  // True if the step `later` follows the step `earlier`.
  bool follows(size_t later, size_t earlier) const;
  // The error of the first step whose work cannot be repeated, also in bodies of conditional steps.
  cudaError_t permits_launch() const;
};

// Makes the program of a graph. pre: the graph has no cycle
std::shared_ptr<const program> make_program(const graph& g);

}  // namespace cohort::runtime

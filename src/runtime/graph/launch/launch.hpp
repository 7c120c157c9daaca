// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch of a program: its operations, and the memory that it allocates and frees.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "runtime/graph/launch/program.hpp"
#include "runtime/memory/graph/physical_blocks.hpp"
#include "runtime/schedule/scheduler.hpp"

namespace cohort::runtime {

using plan = std::vector<scheduler::planned>;

// For each step: the memory whose pages the step's allocation reuses.
using former_memory = std::map<size_t, graph_memory_ref>;

// Adds the operations of a program to the plan. The first of them follow the operations `entry` of the plan. The
// kernels launch graphs as a part of `environment`, which may be null.
void append_operations(plan& steps, const std::shared_ptr<const program>& p, std::vector<size_t> entry,
                       const former_memory& former = {}, const operation_ref& environment = nullptr);

// The memory of one launch, in the order of submission. pre, for all members: the caller holds the scheduler's lock
class launch_memory {
 public:
  launch_memory(const program& p, const stream& s) : program_(p), blocks_(s) {}
  // Finds pages for all allocations. `frees_live`: frees memory first that is still live. cudaErrorInvalidValue if
  // memory to be allocated is live, or memory to be freed is not; cudaErrorMemoryAllocation if there is too little.
  // Changes nothing after an error.
  cudaError_t prepare(bool frees_live);
  // Adds the operations that the first step waits for to the plan: earlier uses of the memory, and frees. Returns their
  // indices.
  std::vector<size_t> append_entry(plan& steps) const;
  const former_memory& former() const { return former_; }
  // Records that the submitted launch ends with `end`. Adds memory whose life ends to `ended`. Returns the pages of the
  // launch.
  std::vector<physical_block_ref> commit(const operation_ref& end, std::vector<graph_memory_ref>* ended);

 private:
  cudaError_t find_pages();

  const program& program_;
  launch_blocks blocks_;
  std::map<graph_memory_ref, int> balance_;  // allocations minus frees
  std::vector<graph_memory_ref> freed_first_;
  former_memory former_;
};

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluation of a conditional node in a launch. It submits the operations of the body that the value selects; a
// WHILE node's body is followed by the next evaluation.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "runtime/graph/launch/program.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

// It takes a place among the kernels of its device: kernels that were submitted earlier set the value first, also where
// the graph lacks the edge.
class conditional_operation : public operation {
 public:
  // `end` follows this operation; the operations of bodies precede it, too.
  conditional_operation(std::shared_ptr<const conditional_step> step, operation_ref end);
  operation_label label() const override { return {"graph", "condition"}; }

 protected:
  cudaError_t execute() override;

 private:
  using clock = std::chrono::steady_clock;
  // Null if the value selects no body.
  std::shared_ptr<const program> selected_body(uint32_t value) const;
  bool is_over_limit(uint32_t value);

  std::shared_ptr<const conditional_step> step_;
  operation_ref end_;
  // The loop of a WHILE node.
  uint64_t rounds_ = 0;
  clock::time_point began_;
  bool is_noted_ = false;
};

}  // namespace cohort::runtime

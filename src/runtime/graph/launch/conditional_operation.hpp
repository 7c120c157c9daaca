// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluation of a conditional node in a launch. It submits the operations of the body that the value selects; a
// WHILE node's body is followed by the next evaluation.
#pragma once

#include <memory>
#include <utility>

#include "runtime/graph/launch/program.hpp"
#include "runtime/schedule/time_limit.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

// Scheduled like a kernel of its device: kernels that were submitted earlier set the value first, even without an edge
// of the graph.
class conditional_operation : public operation {
 public:
  // `end` follows this operation and all operations of its bodies.
  // `environment`: that of the bodies' kernels, or null.
  conditional_operation(std::shared_ptr<const conditional_step> step, operation_ref end, operation_ref environment);
  operation_label label() const override { return {"graph", "condition"}; }

 protected:
  cudaError_t execute() override;

 private:
  // The body that the value selects; null if there is none.
  std::shared_ptr<const program> selected_body(uint32_t value) const;
  bool is_over_limit(uint32_t value);

  std::shared_ptr<const conditional_step> step_;
  operation_ref end_;
  operation_ref environment_;
  // Progress of a WHILE node's loop.
  uint64_t rounds_ = 0;
  time_limit time_;
};

}  // namespace cohort::runtime

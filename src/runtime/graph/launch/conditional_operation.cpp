// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/launch/conditional_operation.hpp"

#include "runtime/error/log.hpp"
#include "runtime/graph/launch/launch.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

conditional_operation::conditional_operation(std::shared_ptr<const conditional_step> step, operation_ref end,
                                             operation_ref environment)
    : operation(operation_kind::kernel),
      step_(std::move(step)),
      end_(std::move(end)),
      environment_(std::move(environment)) {
  uses_memory = false;
}

std::shared_ptr<const program> conditional_operation::selected_body(uint32_t value) const {
  size_t index = value;
  if (step_->type == cudaGraphCondTypeIf) index = value != 0 ? 0 : 1;
  if (step_->type == cudaGraphCondTypeWhile) index = value != 0 ? 0 : step_->bodies.size();
  return index < step_->bodies.size() ? step_->bodies[index] : nullptr;
}

// Reports and ends a WHILE loop that exceeds COHORT_LAUNCH_LIMIT. COHORT_TIMEOUT does not apply, because its bodies
// make progress.
bool conditional_operation::is_over_limit(uint32_t value) {
  const time_limit::verdict verdict = time_.check(*device, false);
  if (verdict == time_limit::verdict::is_over) {
    say(cudaLogLevelError,
        "time-out in a WHILE node of a graph\n"
        "  the node has run for more than %g s (COHORT_LAUNCH_LIMIT)\n"
        "  its body has ended %llu times, and the value of the condition is %u",
        time_.seconds(), static_cast<unsigned long long>(rounds_), value);
    return true;
  }
  if (verdict == time_limit::verdict::is_long) {
    say(cudaLogLevelWarning,
        "note: a WHILE node of a graph has run for %g s; COHORT_LAUNCH_LIMIT=<seconds> ends such a "
        "node with a report",
        time_.seconds());
  }
  return false;
}

cudaError_t conditional_operation::execute() {
  const uint32_t value = step_->value->value();
  const std::shared_ptr<const program> body = selected_body(value);
  if (!body) return cudaSuccess;
  operation_ref last;
  if (step_->type == cudaGraphCondTypeWhile) {
    if (rounds_ == 0) time_ = {};
    if (is_over_limit(value)) return cudaErrorLaunchTimeout;
    const auto next = std::make_shared<conditional_operation>(step_, end_, environment_);
    next->rounds_ = rounds_ + 1;
    next->time_ = time_;
    last = next;
  } else {
    last = std::make_shared<operation>(operation_kind::mark);
  }
  plan steps;
  append_operations(steps, body, {}, {}, environment_);
  scheduler::instance().continue_with(*this, steps, last, end_);
  return cudaSuccess;
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cohort/machine/cpu/trace_port.hpp>
#include <cstdint>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

// While it exists, the calling thread does what the label names: a slice of the row of the operation's stream if there
// is a trace, or of the thread's track without an operation.
class traced_operation {
 public:
  explicit traced_operation(const operation_label& label, const operation* op = nullptr)
      : label_(label.name && cohort_trace_is_on() ? label : operation_label{}),
        operation_(op),
        begin_(label_.name ? cohort_trace_time() : 0) {}
  traced_operation(const traced_operation&) = delete;
  traced_operation& operator=(const traced_operation&) = delete;
  ~traced_operation() {
    if (label_.name) end();
  }

 private:
  void end() const;

  const operation_label label_;
  const operation* const operation_;
  const uint64_t begin_;
};

}  // namespace cohort::runtime

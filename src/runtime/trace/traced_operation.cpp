// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/traced_operation.hpp"

#include <string>

#include "runtime/state/device_state.hpp"
#include "runtime/trace/nvtx.hpp"

namespace cohort::runtime {

[[gnu::used]] static const bool* const keep_nvtx = &has_nvtx;

void traced_operation::end() const {
  const std::string arguments = label_.bytes ? "\"bytes\":" + std::to_string(label_.bytes) : std::string();
  if (operation_) {
    cohort_trace_operation(operation_->device->index, operation_->stream, label_.category, label_.name,
                           arguments.c_str(), begin_);
  } else {
    cohort_trace_slice(label_.category, label_.name, arguments.c_str(), begin_);
  }
}

}  // namespace cohort::runtime

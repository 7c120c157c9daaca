// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that conditional nodes depend on. Kernels set them by their handles.
#pragma once

#include <atomic>
#include <cstdint>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// The slot of a condition's value. Slots are never destroyed, because kernels may hold a handle longer than its
// condition exists. Each later condition in a slot has another number.
struct condition_slot {
  std::atomic<uint32_t> value{0};
  std::atomic<uint32_t> number{0};  // even: no condition has the slot
};

class condition {
 public:
  // Throws std::bad_alloc if too many conditions exist.
  condition(uint32_t default_value, bool assigns_default);
  condition(const condition&) = delete;
  ~condition();

  cudaGraphConditionalHandle handle() const { return handle_; }
  uint32_t value() const { return slot_.value.load(std::memory_order_acquire); }
  // Assigns the default value. Called when a launch of the graph begins.
  void begin_launch() {
    if (assigns_default_) slot_.value.store(default_value_, std::memory_order_release);
  }

  bool has_node = false;  // the scheduler's lock guards it

 private:
  condition(uint64_t handle, uint32_t default_value, bool assigns_default);

  condition_slot& slot_;
  const cudaGraphConditionalHandle handle_;
  const uint32_t default_value_;
  const bool assigns_default_;
};

}  // namespace cohort::runtime

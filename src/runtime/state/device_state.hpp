// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of each virtual device in the runtime; the engine has the constant description.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/state/operation.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

struct device_state {
  explicit device_state(int number);

  const int index;
  // fatal_error: every call that touches the device returns it until the reset; 0 if there is none. pending_error: the
  // next synchronisation returns it once.
  std::atomic<cudaError_t> fatal_error{cudaSuccess};
  std::atomic<cudaError_t> pending_error{cudaSuccess};

  // True after a call of the runtime API has used the device since its last reset: its primary context is active.
  std::atomic<bool> used_by_runtime{false};

  // Operations that threads of kernels have submitted and that have not begun, and how many there may be:
  // cudaLimitDevRuntimePendingLaunchCount.
  std::atomic<size_t> pending_launches{0};
  std::atomic<size_t> pending_launch_limit{0};

  // The scheduler's lock guards all following members.
  stream legacy;                                 // the default stream
  std::vector<std::unique_ptr<stream>> streams;  // created streams and the default streams of threads
  operation_ref gate;      // new streams begin after it (cuCtxWaitEvent); null or finished if there is none
  operation_ref departed;  // a mark after the last operations of destroyed streams, for a listener
  bool kernel_runs = false;
  std::deque<operation_ref> ready_kernels;  // sorted by priority, then by submission

  // Values of cudaDeviceSetLimit and cudaSetDeviceFlags.
  size_t stack_limit = 0;
  size_t printf_limit = 0;
  size_t heap_limit = 0;
  unsigned flags = 0;
  void reset_limits();
};

// True after the first call that touches a device.
bool devices_exist();
// The number of devices; at least 1.
int device_count();
inline bool is_device(int index) { return index >= 0 && index < device_count(); }
// The state of device `index`. pre: 0 <= index < device_count()
device_state& device_at(int index);
// The selector of the calling thread's current device: none yet (the default device), the runtime API, or a context of
// the driver API.
enum class device_choice : unsigned char { none, runtime, driver };
device_choice chosen_by();
// True after any thread has chosen a device, by either API or by a call that uses the default device.
bool was_device_chosen();
// The calling thread's current device; device 0 by default.
device_state& current_device();
// The green context that is current for the calling thread, or null.
green_context* current_green_context();
void choose_device(int index, device_choice by, green_context* green = nullptr);
// The first step of each call that touches a device. Makes the current device a choice of the runtime API, unless the
// driver API has chosen it.
void touch_device();

}  // namespace cohort::runtime

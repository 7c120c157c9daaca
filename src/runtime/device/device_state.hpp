// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime knows about each virtual device, beyond the engine's description of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "../stream/operation.hpp"
#include "../stream/stream.hpp"

namespace cohort::runtime {

struct device_state {
  explicit device_state(int number);

  const int index;
  // The error that killed the device (0: alive), and one that was not so bad and waits to be returned once.
  std::atomic<cudaError_t> fatal_error{cudaSuccess};
  std::atomic<cudaError_t> pending_error{cudaSuccess};

  // A call of the runtime has used it since its last reset; so it keeps its primary context.
  std::atomic<bool> used_by_runtime{false};

  // The rest is guarded by the scheduler's lock.
  stream legacy;                                 // the default stream
  std::vector<std::unique_ptr<stream>> streams;  // the others, those of threads too
  bool kernel_runs = false;
  std::deque<operation_ref> ready_kernels;  // by priority, then by age

  // cudaDeviceSetLimit, cudaSetDeviceFlags; guarded by the scheduler's lock too.
  size_t stack_limit = 0;
  size_t printf_limit = 0;
  size_t heap_limit = 0;
  unsigned flags = 0;
  void reset_limits();
};

// What the host allowed `device` to reach is forgotten, in both directions. pre: the scheduler's lock is held
void forget_peers(int device);

// False until the first call that touches a device.
bool devices_exist();
// Number of devices; at least 1.
int device_count();
// pre: 0 <= index < device_count()
device_state& device_at(int index);
// Who chose the calling thread's device: nobody yet, a call of the runtime, or a context of the driver API.
enum class device_choice : unsigned char { nobody, runtime, driver };
device_choice chosen_by();
// The calling thread's device: 0 while nobody has chosen.
device_state& current_device();
void choose_device(int index, device_choice by);
// What a call that touches a device does first: without another choice, the runtime's is the current device.
void touch_device();

}  // namespace cohort::runtime

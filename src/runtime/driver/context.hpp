// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of the driver API. A context is a handle for a device.
//
// Each thread has a stack of contexts; the top is the current context. When the runtime API chooses a device
// (cudaSetDevice, or the first call that touches a device), the device's primary context becomes the top. All contexts
// of a device share its memory, streams and events. The device is reset when its last context is destroyed.
#pragma once

#include <memory>

#include "cuda.h"
#include "runtime/state/device_state.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

struct context {
  int device = 0;
  bool primary = false;
  std::unique_ptr<green_context> green;  // the part of the device, if the context was converted from a green context
  bool destroyed = false;  // destroyed contexts stay in the table, because their handles get a special error
  unsigned flags = 0;
  int retained = 0;           // number of retains of a primary context
  int attached = 1;           // number of cuCtxAttach calls without a cuCtxDetach, and one for the creation
  unsigned long long id = 0;  // unique in the process
};

inline CUcontext handle_of(context* c) { return reinterpret_cast<CUcontext>(c); }
// Finds the context of a handle. CUDA_ERROR_INVALID_CONTEXT for an unknown handle, CUDA_ERROR_CONTEXT_IS_DESTROYED for
// a destroyed context.
CUresult find_context(CUcontext handle, context** found);
context& primary_context(int device);
// Makes a context of a part of the device's multiprocessors, and retains the primary context.
context& add_green_context(int device, uint32_t sm_count);
// Finds a context that add_green_context made and that is not destroyed.
CUresult find_green_context(CUgreenCtx handle, context** found);
// Marks the green context as destroyed, and releases the primary context.
CUresult destroy_green_context(context& c);
// The current context of the calling thread; null if it has none.
context* current_context();

// Makes a device the calling thread's current one while it exists.
class device_scope {
 public:
  explicit device_scope(int device)
      : before_(current_device().index), by_(chosen_by()), green_(current_green_context()) {
    choose_device(device, by_, device == before_ ? green_ : nullptr);
  }
  // Selects the context's device and part. Does not push the context on the thread's stack of contexts.
  explicit device_scope(const context& c) : device_scope(c.device) {
    choose_device(c.device, device_choice::driver, c.green.get());
  }
  ~device_scope() { choose_device(before_, by_, green_); }
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  const int before_;
  const device_choice by_;
  green_context* const green_;
};

// Resets any device, as cudaDeviceReset resets the current device.
CUresult reset_device(int device);

// True after cuInit, and after a call of the runtime API that touched a device.
bool driver_is_ready();

}  // namespace cohort::runtime

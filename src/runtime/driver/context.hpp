// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of the driver API: names for devices, and which of them a thread has chosen.
//
// Every thread has a stack of contexts, whose top is the current one. The runtime's choice of a device (cudaSetDevice,
// or its first call that touches one) puts the device's primary context there. What lives on a device belongs to all
// its contexts: the device is reset when the last of them goes.
#pragma once

#include "cuda.h"

namespace cohort::runtime {

struct context {
  int device = 0;
  bool primary = false;
  bool destroyed = false;  // created ones are kept, so that their handles stay known
  unsigned flags = 0;
  int retained = 0;  // of a primary one
};

inline CUcontext handle_of(context* c) { return reinterpret_cast<CUcontext>(c); }
// The context that `handle` names: CUDA_ERROR_INVALID_CONTEXT, or CUDA_ERROR_CONTEXT_IS_DESTROYED.
CUresult find_context(CUcontext handle, context** found);
context& primary_context(int device);
// Of the calling thread; null if it has none.
context* current_context();

// cudaDeviceReset of any device.
CUresult reset_device(int device);

// True after cuInit, and once the runtime has touched a device.
bool driver_is_ready();

}  // namespace cohort::runtime

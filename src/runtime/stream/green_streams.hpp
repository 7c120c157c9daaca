// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The streams of a green context. pre, for all: within a device_call
#pragma once

#include "cuda_runtime_api.h"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// Makes a stream whose kernels use the context's multiprocessors. It waits for what the context waits for.
cudaError_t make_stream(green_context& green, unsigned flags, int priority, cudaStream_t* made);

// Records the event behind the work that the context's streams have so far.
cudaError_t record_event(green_context& green, cudaEvent_t event);

// Makes later work of the context's streams, and of streams that it gets later, wait for the event.
cudaError_t wait_for_event(green_context& green, cudaEvent_t event);

}  // namespace cohort::runtime

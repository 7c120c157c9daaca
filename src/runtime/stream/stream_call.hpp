// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

// Finds the stream of a handle and calls `body(stream&)`.
template <class Body>
cudaError_t stream_call(cudaStream_t handle, Body&& body) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    return error != cudaSuccess ? error : std::forward<Body>(body)(*s);
  });
}

}  // namespace cohort::runtime

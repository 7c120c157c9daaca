// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's half of the page for CUDA's libraries.
#include "cudart_detail/library/library_call.h"

#include <cstdio>
#include <memory>

#include "runtime/library/library_operation.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

cudaError_t submit_call(stream& s, const std::shared_ptr<const cohort_library_call>& call) {
  const auto op = std::make_shared<library_operation>(call);
  if (s.recorder && !call->waits) return scheduler::instance().submit(s, op);
  const cudaError_t error = call->waits ? permit_stream_wait(s) : permit_work(s);
  if (error != cudaSuccess) return error;
  if (!call->waits && !(call->is_short && scheduler::instance().is_idle(s))) {
    return scheduler::instance().submit(s, op);
  }
  device_state& device = *s.device;
  scheduler::instance().run_here(s, op);
  if (call->waits) scheduler::tell_awaited(op);
  return take_failure(device);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cohort_submit_library_call(cudaStream_t handle, const cohort_library_call* requested) {
  const auto release = [](const cohort_library_call* call) {
    call->release(call->data);
    delete call;
  };
  const std::shared_ptr<const cohort_library_call> call(new cohort_library_call(*requested), release);
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    return error != cudaSuccess ? error : submit_call(*s, call);
  });
}

cudaError_t cohort_note_library_access(const void* first, size_t row_bytes, size_t pitch, size_t rows, int writes) {
  if (row_bytes == 0 || rows == 0) return cudaSuccess;
  if (!can_access(first)) {
    std::fprintf(stderr, "cohort: a library call accesses %p, memory of a graph that is not allocated at this time\n",
                 first);
    return cudaErrorIllegalAddress;
  }
  operation_listener* const listener = installed_operation_listener;
  if (!listener) return cudaSuccess;
  const auto* const at = static_cast<const char*>(first);
  if (pitch == row_bytes) {
    listener->accesses(at, row_bytes * rows, writes != 0);
  } else {
    for (size_t row = 0; row < rows; ++row) listener->accesses(at + row * pitch, row_bytes, writes != 0);
  }
  return cudaSuccess;
}

}  // extern "C"

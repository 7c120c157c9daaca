// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's half of the interface for CUDA's libraries (cudart_detail/library/library_call.h).
#include "cudart_detail/library/library_call.h"

#include <memory>

#include "runtime/library/library_accesses.hpp"
#include "runtime/library/library_operation.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

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

cudaError_t cohort_note_library_access(const char* argument, const void* first, size_t row_bytes, size_t pitch,
                                       size_t rows, int writes) {
  library_accesses outside_of_calls("a library call");
  library_accesses& accesses = running_library_accesses ? *running_library_accesses : outside_of_calls;
  return accesses.note({argument, first, row_bytes, pitch, rows, writes != 0});
}

size_t cohort_used_device_memory(int device) { return allocation_table::instance().used(device); }

}  // extern "C"

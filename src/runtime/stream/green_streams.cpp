// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/green_streams.hpp"

#include <memory>
#include <vector>

#include "runtime/schedule/scheduler.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

// The context's streams, its null stream first. cudaErrorStreamCaptureUnsupported, and invalid captures, if one of them
// is captured. pre: the caller holds the scheduler's lock
cudaError_t find_streams(const green_context& green, std::vector<stream*>* found) {
  cudaError_t error = cudaSuccess;
  found->push_back(green.null_stream);
  for (const auto& s : device_at(green.device).streams) {
    if (s->green != &green || s->destroyed) continue;
    if (s.get() != green.null_stream) found->push_back(s.get());
    if (!s->recorder) continue;
    s->recorder->invalidate();
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

// Makes stream 0 the context's null stream while it exists.
class current_green_scope {
 public:
  explicit current_green_scope(green_context& green)
      : device_(current_device().index), by_(chosen_by()), before_(current_green_context()) {
    choose_device(green.device, by_, &green);
  }
  ~current_green_scope() { choose_device(device_, by_, before_); }
  current_green_scope(const current_green_scope&) = delete;

 private:
  const int device_;
  const device_choice by_;
  green_context* const before_;
};

cudaError_t wait_for(stream& s, const operation_ref& last) {
  if (!last || last->finished()) return cudaSuccess;
  return scheduler::instance().submit_locked(s, std::make_shared<operation>(operation_kind::mark), last);
}

}  // namespace

cudaError_t make_stream(green_context& green, unsigned flags, int priority, cudaStream_t* made) {
  stream* const s = add_stream(device_at(green.device), flags, priority, &green);
  *made = handle_of(s);
  if (!green.has_waited) return cudaSuccess;
  auto held = scheduler::instance().lock();
  return wait_for(*s, green.null_stream->last);
}

cudaError_t record_event(green_context& green, cudaEvent_t event) {
  {
    auto held = scheduler::instance().lock();
    std::vector<stream*> streams;
    cudaError_t error = find_streams(green, &streams);
    for (size_t i = 1; i < streams.size() && error == cudaSuccess; ++i) {
      error = wait_for(*green.null_stream, streams[i]->last);
    }
    if (error != cudaSuccess) return error;
  }
  const current_green_scope current(green);
  return cudaEventRecord(event, nullptr);
}

cudaError_t wait_for_event(green_context& green, cudaEvent_t event) {
  std::vector<stream*> streams;
  {
    auto held = scheduler::instance().lock();
    if (const cudaError_t error = find_streams(green, &streams); error != cudaSuccess) return error;
  }
  green.has_waited = true;
  const current_green_scope current(green);
  for (stream* const s : streams) {
    const cudaStream_t handle = s == green.null_stream ? nullptr : handle_of(s);
    if (const cudaError_t error = cudaStreamWaitEvent(handle, event, cudaEventWaitDefault); error != cudaSuccess) {
      return error;
    }
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime

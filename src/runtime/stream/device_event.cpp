// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/device_event.hpp"

#include "runtime/schedule/scheduler.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

namespace {

// A stream for one call, which joins all streams of the device or of a green context.
class joining_stream {
 public:
  explicit joining_stream(device_state& device) : stream_(add_stream(device, cudaStreamNonBlocking, least_priority)) {}
  ~joining_stream() { drop_stream(stream_); }
  joining_stream(const joining_stream&) = delete;
  stream& get() const { return *stream_; }

 private:
  stream* stream_;
};

// pre, for all: the scheduler's lock is held
template <class Body>
void for_each_stream(device_state& device, const green_context* part, const stream& without, Body&& body) {
  if (!part) body(device.legacy);
  for (const auto& s : device.streams) {
    if (s.get() != &without && (!part || s->green == part)) body(*s);
  }
}

cudaError_t permit(device_state& device, const green_context* part, const stream& joining) {
  bool captured = false;
  for_each_stream(device, part, joining, [&](stream& s) {
    if (!s.recorder) return;
    s.recorder->invalidate();
    captured = true;
  });
  return captured ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

operation_ref make_join() { return std::make_shared<operation>(operation_kind::mark); }

}  // namespace

cudaError_t record_on_device(cudaEvent_t handle, device_state& device, green_context* part) {
  const joining_stream joining(device);
  auto held = scheduler::instance().lock();
  event* const e = find_event(handle);
  if (!e || e->device != &device) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = permit(device, part, joining.get()); error != cudaSuccess) return error;
  for_each_stream(device, part, joining.get(), [&](const stream& s) {
    if (s.last) scheduler::instance().submit_locked(joining.get(), make_join(), s.last);
  });
  const auto mark = make_mark(*e);
  scheduler::instance().submit_locked(joining.get(), mark);
  e->captured = nullptr;
  e->mark = mark;
  return cudaSuccess;
}

cudaError_t wait_on_device(cudaEvent_t handle, device_state& device, green_context* part) {
  const joining_stream joining(device);
  auto held = scheduler::instance().lock();
  event* const e = find_event(handle);
  if (!e) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = permit(device, part, joining.get()); error != cudaSuccess) return error;
  if (e->captured) {
    if (recorder* const owner = e->captured->owner()) owner->invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  if (const cudaError_t error = wait_for_event(joining.get(), *e, handle); error != cudaSuccess) return error;
  const operation_ref gate = joining.get().last;
  if (!gate) return cudaSuccess;
  // The default stream waits for the blocking streams, and so for the gate. A mark in it would order these streams.
  bool is_blocked = false;
  for_each_stream(device, part, joining.get(), [&](stream& s) {
    if (s.is_legacy) return;
    scheduler::instance().submit_locked(s, make_join(), gate);
    is_blocked = is_blocked || s.blocking();
  });
  if (part) {
    part->gate = gate;
    return cudaSuccess;
  }
  if (!is_blocked) scheduler::instance().submit_locked(device.legacy, make_join(), gate);
  device.gate = gate;
  return cudaSuccess;
}

}  // namespace cohort::runtime

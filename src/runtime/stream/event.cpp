// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/event.hpp"

#include <unordered_map>

#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/operation_listener.hpp"
#include "runtime/stream/shared_mark.hpp"

namespace cohort::runtime {

namespace {

// All events by their address. Guarded by the scheduler's lock; never destroyed.
std::unordered_map<const void*, std::unique_ptr<event>>& events() {
  static auto* const all = new std::unordered_map<const void*, std::unique_ptr<event>>;
  return *all;
}

// The latest record of an event.
struct latest_record {
  std::shared_ptr<event_mark> mark;
  remote_record remote;  // set if another process made the record
  device_state* device = nullptr;
};

// Writes the latest record of the event. Refuses an event whose latest record is part of a capture.
cudaError_t find_record(cudaEvent_t handle, latest_record* latest) {
  auto held = scheduler::instance().lock();
  event* e = find_event(handle);
  if (!e) return cudaErrorInvalidResourceHandle;
  if (e->captured) {
    if (recorder* owner = e->captured->owner()) owner->invalidate();
    return cudaErrorCapturedEvent;
  }
  *latest = {e->mark, latest_remote(*e), e->device};
  return cudaSuccess;
}

cudaError_t fail_if_lost(const latest_record& latest, shared_event::progress found) {
  const cudaError_t error = result_of(latest.remote, found);
  if (error != cudaSuccess) record_failure(*latest.device, error);
  return take_failure(*latest.device);
}

// Records the wait for an event in the capture of a stream. pre: the scheduler's lock is held
cudaError_t wait_in_capture(stream& s, const event& e, cudaEvent_t handle, unsigned flags) {
  if (flags & cudaEventWaitExternal) {
    if (const cudaError_t error = event_wait_operation::permits(handle); error != cudaSuccess) return error;
    return s.recorder->record(s, std::make_shared<event_wait_operation>(handle));
  }
  if (e.captured) return s.recorder->wait(s, e.captured);
  if (!e.mark && !latest_remote(e)) return cudaSuccess;
  s.recorder->invalidate();
  return cudaErrorStreamCaptureIsolation;
}

}  // namespace

event* find_event(cudaEvent_t handle) {
  const auto at = events().find(handle);
  return at == events().end() ? nullptr : at->second.get();
}

cudaEvent_t add_event(std::unique_ptr<event> fresh) {
  const auto handle = reinterpret_cast<cudaEvent_t>(fresh.get());
  events().emplace(fresh.get(), std::move(fresh));
  return handle;
}

std::shared_ptr<event_mark> make_mark(const event& e) {
  if (e.shared) return std::make_shared<shared_mark>(e.shared);
  return std::make_shared<event_mark>();
}

cudaError_t wait_for_event(stream& s, const event& e, cudaEvent_t handle, unsigned flags) {
  if (s.recorder) return wait_in_capture(s, e, handle, flags);
  if (e.captured) {
    recorder* const owner = e.captured->owner();
    return owner ? owner->join(s, e.captured) : cudaErrorCapturedEvent;
  }
  const remote_record remote = latest_remote(e);
  if (remote && remote.event->poll(remote.ticket) != shared_event::progress::reached) {
    return scheduler::instance().submit_locked(s, std::make_shared<remote_wait_operation>(remote));
  }
  // A listener needs the edge even from an event that was reached.
  if (remote || !e.mark || (e.mark->finished() && !installed_operation_listener)) return permit_work_locked(s);
  return scheduler::instance().submit_locked(s, std::make_shared<operation>(operation_kind::mark), e.mark);
}

cudaError_t event_record_operation::permits(cudaEvent_t event) {
  return find_event(event) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t event_wait_operation::permits(cudaEvent_t event) {
  const struct event* const e = find_event(event);
  if (!e) return cudaErrorInvalidValue;
  return e->shared ? cudaErrorNotSupported : cudaSuccess;
}

operation_ref event_record_operation::again() const {
  struct event* const e = find_event(event_);
  if (!e) return std::make_shared<operation>(operation_kind::mark);
  e->captured = nullptr;
  return e->mark = make_mark(*e);
}

operation_ref event_wait_operation::awaited() const {
  const struct event* const e = find_event(event_);
  return e ? e->mark : nullptr;
}

void forget_events(const device_state& device) {
  auto held = scheduler::instance().lock();
  std::erase_if(events(), [&](const auto& entry) { return entry.second->device == &device; });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* created, unsigned int flags) {
  return device_call([&] {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!created || (flags & ~known)) return cudaErrorInvalidValue;
    const bool is_shared = flags & cudaEventInterprocess;
    if (is_shared && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
    auto fresh = std::make_unique<event>();
    if (is_shared && !(fresh->shared = shared_event::make())) return cudaErrorMemoryAllocation;
    fresh->device = &current_device();
    fresh->flags = flags;
    auto held = scheduler::instance().lock();
    *created = add_event(std::move(fresh));
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* created) { return cudaEventCreateWithFlags(created, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return device_call([&] {
    auto held = scheduler::instance().lock();
    return events().erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle, unsigned int flags) {
  return device_call([&] {
    if (flags & ~static_cast<unsigned>(cudaEventRecordExternal)) return cudaErrorInvalidValue;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
    auto held = scheduler::instance().lock();
    event* e = find_event(handle);
    if (!e || e->device != s->device) return cudaErrorInvalidResourceHandle;
    if (s->recorder) {
      if (flags & cudaEventRecordExternal) {
        return s->recorder->record(*s, std::make_shared<event_record_operation>(handle));
      }
      recorded_place_ref place = s->recorder->place(*s);
      if (!place) return cudaErrorStreamCaptureInvalidated;
      e->captured = std::move(place);
      return cudaSuccess;
    }
    if (const cudaError_t error = permit_work_locked(*s); error != cudaSuccess) return error;
    const auto mark = make_mark(*e);
    scheduler::instance().submit_locked(*s, mark);
    e->captured = nullptr;
    e->mark = mark;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return cudaEventRecordWithFlags(handle, stream_handle, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return device_call([&] {
    latest_record latest;
    if (const cudaError_t error = find_record(handle, &latest); error != cudaSuccess) return error;
    if (const cudaError_t error = permit_unsafe_call(); error != cudaSuccess) return error;
    if (latest.remote) {
      const auto found = latest.remote.event->poll(latest.remote.ticket);
      return found == shared_event::progress::open ? cudaErrorNotReady : fail_if_lost(latest, found);
    }
    if (latest.mark && !latest.mark->finished()) return cudaErrorNotReady;
    scheduler::tell_awaited(latest.mark);
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return device_call([&] {
    latest_record latest;
    if (const cudaError_t error = find_record(handle, &latest); error != cudaSuccess) return error;
    if (const cudaError_t error = permit_unsafe_call(); error != cudaSuccess) return error;
    if (latest.remote) return fail_if_lost(latest, latest.remote.event->wait(latest.remote.ticket));
    scheduler::instance().wait(latest.mark);
    return take_failure(*latest.device);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return device_call([&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    const event* first = find_event(start);
    const event* second = find_event(end);
    if (!first || !second || first->device != second->device) return cudaErrorInvalidResourceHandle;
    if (!first->mark || !second->mark || ((first->flags | second->flags) & cudaEventDisableTiming)) {
      return cudaErrorInvalidResourceHandle;
    }
    if (!first->mark->finished() || !second->mark->finished()) return cudaErrorNotReady;
    const std::chrono::duration<float, std::milli> elapsed = second->mark->reached() - first->mark->reached();
    *milliseconds = elapsed.count();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned int flags) {
  return device_call([&] {
    if (flags & ~static_cast<unsigned>(cudaEventWaitExternal)) return cudaErrorInvalidValue;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(stream_handle, &s); error != cudaSuccess) return error;
    auto held = scheduler::instance().lock();
    const event* e = find_event(handle);
    return e ? wait_for_event(*s, *e, handle, flags) : cudaErrorInvalidResourceHandle;
  });
}

}  // extern "C"

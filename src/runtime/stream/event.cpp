// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event.hpp"

#include <unordered_map>

#include "../schedule/api_call.hpp"
#include "../schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

// All events by their address. Guarded by the scheduler's lock; never destroyed.
std::unordered_map<const void*, std::unique_ptr<event>>& events() {
  static auto* const all = new std::unordered_map<const void*, std::unique_ptr<event>>;
  return *all;
}

// Null for an unknown handle. pre: the scheduler's lock is held
event* find_event(cudaEvent_t handle) {
  const auto at = events().find(handle);
  return at == events().end() ? nullptr : at->second.get();
}

// Writes the latest mark of the event, and the event.
cudaError_t find_mark(cudaEvent_t handle, std::shared_ptr<event_mark>* mark, event** found = nullptr) {
  auto held = scheduler::instance().lock();
  event* e = find_event(handle);
  if (!e) return cudaErrorInvalidResourceHandle;
  *mark = e->mark;
  if (found) *found = e;
  return cudaSuccess;
}

}  // namespace

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
    // Events cannot be shared with other processes.
    if (flags & cudaEventInterprocess) return cudaErrorNotSupported;
    auto fresh = std::make_unique<event>();
    fresh->device = &current_device();
    fresh->flags = flags;
    auto held = scheduler::instance().lock();
    *created = reinterpret_cast<cudaEvent_t>(fresh.get());
    events().emplace(fresh.get(), std::move(fresh));
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
    const auto mark = std::make_shared<event_mark>();
    auto held = scheduler::instance().lock();
    event* e = find_event(handle);
    if (!e || e->device != s->device) return cudaErrorInvalidResourceHandle;
    scheduler::instance().submit_locked(*s, mark);
    e->mark = mark;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return cudaEventRecordWithFlags(handle, stream_handle, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return device_call([&] {
    std::shared_ptr<event_mark> mark;
    if (const cudaError_t error = find_mark(handle, &mark); error != cudaSuccess) return error;
    return mark && !mark->finished() ? cudaErrorNotReady : cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return device_call([&] {
    std::shared_ptr<event_mark> mark;
    event* e = nullptr;
    if (const cudaError_t error = find_mark(handle, &mark, &e); error != cudaSuccess) return error;
    device_state& device = *e->device;
    scheduler::instance().wait(mark);
    return take_failure(device);
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
    std::shared_ptr<event_mark> mark;
    if (const cudaError_t error = find_mark(handle, &mark); error != cudaSuccess) return error;
    if (mark && !mark->finished()) {
      scheduler::instance().submit(*s, std::make_shared<operation>(operation_kind::mark), mark);
    }
    return cudaSuccess;
  });
}

}  // extern "C"

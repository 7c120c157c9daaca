// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/stream_table.hpp"

#include <algorithm>

#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/of_thread.hpp"

namespace cohort::runtime {

namespace {

// The id of the latest stream. Guarded by the scheduler's lock. CUDA's special handles have the ids 1 and 2.
uint64_t latest_stream_id = 2;

void forget_finished(device_state& device) {
  std::erase_if(device.streams, [](const auto& s) {
    if (!s->destroyed || !s->idle()) return false;
    scheduler::note_departure(*s);
    return true;
  });
}

// Makes a stream. `of_thread`: a host thread's default stream, which no call of the program can destroy.
stream* make_stream(device_state& device, unsigned flags, int priority, green_context* green, bool of_thread) {
  auto fresh = std::make_unique<stream>();
  fresh->device = &device;
  fresh->green = green;
  fresh->flags = flags;
  fresh->priority = std::clamp(priority, greatest_priority, least_priority);
  fresh->of_thread = of_thread;
  auto held = scheduler::instance().lock();
  forget_finished(device);
  fresh->id = ++latest_stream_id;
  fresh->last = device.gate;
  device.streams.push_back(std::move(fresh));
  if (green && green->gate) {
    const auto join = std::make_shared<operation>(operation_kind::mark);
    scheduler::instance().submit_locked(*device.streams.back(), join, green->gate);
  }
  return device.streams.back().get();
}

}  // namespace

stream* add_stream(device_state& device, unsigned flags, int priority, green_context* green) {
  return make_stream(device, flags, priority, green, false);
}

stream* add_default_stream(device_state& device, unsigned flags, green_context* green) {
  return make_stream(device, flags, least_priority, green, true);
}

void drop_stream(stream* s) {
  auto held = scheduler::instance().lock();
  if (s->recorder) s->recorder->leave(*s);
  s->destroyed = true;
  forget_finished(*s->device);
}

namespace {

// The default streams of one host thread: one for each device that the thread has used.
struct thread_streams {
  std::vector<stream*> by_device;
  ~thread_streams() {
    for (stream* s : by_device) {
      if (s) drop_stream(s);
    }
  }
  stream* of(device_state& device) {
    by_device.resize(static_cast<size_t>(device_count()), nullptr);
    stream*& s = by_device[static_cast<size_t>(device.index)];
    if (!s) s = add_default_stream(device, cudaStreamDefault, nullptr);
    return s;
  }
};
cudaError_t look_up(cudaStream_t handle, stream** found) {
  device_state& device = current_device();
  if (handle == nullptr || handle == cudaStreamLegacy) {
    const green_context* const green = current_green_context();
    if (green && green->destroyed) return cudaErrorContextIsDestroyed;
    *found = green ? green->null_stream : &device.legacy;
    return cudaSuccess;
  }
  if (handle == cudaStreamPerThread) {
    *found = of_thread<thread_streams>().of(device);
    return cudaSuccess;
  }
  auto held = scheduler::instance().lock();
  for (int i = 0; i < device_count(); ++i) {
    for (const auto& s : device_at(i).streams) {
      if (handle_of(s.get()) != handle || s->destroyed || s->of_thread) continue;
      *found = s.get();
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidResourceHandle;
}

}  // namespace

cudaError_t find_stream(cudaStream_t handle, stream** found) {
  const cudaError_t error = look_up(handle, found);
  if (error == cudaSuccess && (*found)->green && (*found)->green->destroyed) return cudaErrorContextIsDestroyed;
  return error != cudaSuccess ? error : (*found)->device->fatal_error.load(std::memory_order_acquire);
}

stream* find_detached_stream(cudaStream_t handle) {
  stream* found = nullptr;
  const bool exists = look_up(handle, &found) == cudaSuccess;
  return exists && found->green && found->green->destroyed ? found : nullptr;
}

void forget_streams(device_state& device) {
  auto held = scheduler::instance().lock();
  for (const auto& s : device.streams) {
    if (s->recorder) s->recorder->leave(*s);
    s->destroyed = s->destroyed || !s->of_thread;
  }
  forget_finished(device);
}

}  // namespace cohort::runtime

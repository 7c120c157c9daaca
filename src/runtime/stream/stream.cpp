// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream.hpp"

#include <algorithm>

#include "../error/api_call.hpp"
#include "../guard/memory_guard.hpp"

namespace cohort::runtime {

namespace {

// The id of the latest stream. Guarded by the scheduler's lock. 1 and 2 belong to the special handles.
uint64_t latest_id = 2;

cudaStream_t handle_of(stream* s) { return reinterpret_cast<cudaStream_t>(s); }

void forget_finished(device_state& device) {
  std::erase_if(device.streams, [](const auto& s) { return s->destroyed && s->idle(); });
}

stream* add_stream(device_state& device, unsigned flags, int priority) {
  auto fresh = std::make_unique<stream>();
  fresh->device = &device;
  fresh->flags = flags;
  fresh->priority = std::clamp(priority, greatest_priority, least_priority);
  auto held = scheduler::instance().lock();
  forget_finished(device);
  fresh->id = ++latest_id;
  device.streams.push_back(std::move(fresh));
  return device.streams.back().get();
}

void drop_stream(stream* s) {
  auto held = scheduler::instance().lock();
  s->destroyed = true;
  forget_finished(*s->device);
}

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
    if (!s) s = add_stream(device, cudaStreamDefault, least_priority);
    s->of_thread = true;
    return s;
  }
};
thread_local thread_streams own_streams;

}  // namespace

namespace {

cudaError_t look_up(cudaStream_t handle, stream** found) {
  device_state& device = current_device();
  if (handle == nullptr || handle == cudaStreamLegacy) {
    *found = &device.legacy;
    return cudaSuccess;
  }
  if (handle == cudaStreamPerThread) {
    *found = own_streams.of(device);
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
  return error != cudaSuccess ? error : (*found)->device->fatal_error.load(std::memory_order_acquire);
}

void forget_streams(device_state& device) {
  auto held = scheduler::instance().lock();
  for (const auto& s : device.streams) s->destroyed = s->destroyed || !s->of_thread;
  forget_finished(device);
}

namespace {

// Finds the stream of a handle and calls `body(stream&)`.
template <class Body>
cudaError_t stream_call(cudaStream_t handle, Body&& body) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    return error != cudaSuccess ? error : body(*s);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* created, unsigned int flags, int priority) {
  return device_call([&] {
    if (!created || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
    *created = handle_of(add_stream(current_device(), flags, priority));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* created, unsigned int flags) {
  return cudaStreamCreateWithPriority(created, flags, least_priority);
}

cudaError_t cudaStreamCreate(cudaStream_t* created) { return cudaStreamCreateWithFlags(created, cudaStreamDefault); }

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  return stream_call(handle, [](stream& s) {
    drop_stream(&s);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return stream_call(handle, [&](stream& s) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = s.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return stream_call(handle, [&](stream& s) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = s.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return stream_call(handle, [&](stream& s) {
    if (!id) return cudaErrorInvalidValue;
    *id = s.id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return stream_call(handle, [&](stream& s) {
    if (!device) return cudaErrorInvalidValue;
    *device = s.device->index;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return host_call([&] {
    if (least) *least = least_priority;
    if (greatest) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return stream_call(handle, [](stream& s) {
    device_state& device = *s.device;
    scheduler::instance().wait_for_stream(s);
    check_all_damage(device);
    return take_failure(device);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return stream_call(handle, [](stream& s) {
    if (!scheduler::instance().is_idle(s)) return cudaErrorNotReady;
    return take_failure(*s.device);
  });
}

}  // extern "C"

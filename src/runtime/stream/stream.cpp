// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of streams.
#include "runtime/guard/memory_guard.hpp"
#include "runtime/state/cuda_version.hpp"
#include "runtime/stream/stream_call.hpp"

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* created, unsigned int flags, int priority) {
  return device_call([&] {
    if (!created || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
    *created = handle_of(add_stream(current_device(), flags, priority, current_green_context()));
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
  // Since CUDA 13.1 this is the only call that accepts a stream whose green context is destroyed.
  if (stream* const detached = cuda_version() >= 13010 ? find_detached_stream(handle) : nullptr) {
    return device_call([&] {
      drop_stream(detached);
      return cudaSuccess;
    });
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
    if (const cudaError_t error = permit_stream_wait(s); error != cudaSuccess) return error;
    scheduler::instance().wait_for_stream(s);
    check_all_damage(device);
    return take_failure(device);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return stream_call(handle, [](stream& s) {
    if (const cudaError_t error = permit_stream_wait(s); error != cudaSuccess) return error;
    if (!scheduler::instance().is_idle(s)) return cudaErrorNotReady;
    scheduler::instance().note_idle(s);
    return take_failure(*s.device);
  });
}

}  // extern "C"

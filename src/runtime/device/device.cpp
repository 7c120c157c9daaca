// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that select, synchronise and reset a device; versions.
#include "runtime/device/device_peer.hpp"
#include "runtime/guard/kernel_heap.hpp"
#include "runtime/guard/memory_guard.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/array/array.hpp"
#include "runtime/memory/calls/ipc_memory.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/cuda_version.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

namespace {

bool are_flags(unsigned flags) {
  const unsigned schedule = flags & static_cast<unsigned>(cudaDeviceScheduleMask);
  return !(flags & ~static_cast<unsigned>(cudaDeviceMask)) && !(schedule & (schedule - 1));
}

cudaError_t synchronize() {
  device_state& device = current_device();
  if (const cudaError_t error = permit_device_wait(device); error != cudaSuccess) return error;
  scheduler::instance().wait_for_device(device);
  check_all_damage(device);
  return take_failure(device);
}

// Frees the device's memory, streams and events, and clears its settings and its fatal error. Device variables get
// their compiled values again, except managed variables, which are data of the program.
cudaError_t reset() {
  if (scheduler::in_host_function()) return cudaErrorNotPermitted;
  device_state& device = current_device();
  {
    const scheduler::end_scope ends;
    scheduler::instance().wait_for_device(device);
  }
  forget_events(device);
  forget_streams(device);
  forget_opened(device.index);
  auto& allocations = allocation_table::instance();
  array_table::instance().drop(device.index);
  for (const allocation& taken : allocations.take_all(device.index)) allocations.release(taken, true);
  reset_graph_memory(device.index);
  {
    auto held = scheduler::instance().lock();
    device.reset_limits();
    forget_peers(device.index);
  }
  process_kernel_heap().release_all(device.index);
  symbol_table::instance().reset(device.index);
  cohort_set_stack_bytes(device.index, device.stack_limit);
  device.pending_error = cudaSuccess;
  device.fatal_error = cudaSuccess;
  device.used_by_runtime = false;
  return cudaSuccess;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  return host_call([&] { return version ? (*version = cuda_version(), cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetDeviceCount(int* count) {
  return host_call([&] { return count ? (*count = device_count(), cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaGetDevice(int* device) {
  return host_call([&] { return device ? (*device = current_device().index, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaSetDevice(int device) {
  return host_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    choose_device(device, device_choice::runtime);
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* list, int count) {
  return host_call([&] {
    if (count < 0 || (count > 0 && !list)) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i) {
      if (!is_device(list[i])) return cudaErrorInvalidDevice;
    }
    if (count > 0) choose_device(list[0], device_choice::runtime);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  return host_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (flags & ~static_cast<unsigned>(cudaInitDeviceFlagsAreValid)) return cudaErrorInvalidValue;
    if (!(flags & cudaInitDeviceFlagsAreValid)) return cudaSuccess;
    if (!are_flags(device_flags)) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    device_at(device).flags = device_flags;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return host_call([&] {
    if (!are_flags(flags)) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    current_device().flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return host_call([&] {
    if (!flags) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    *flags = current_device().flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() { return device_call(synchronize); }

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() { return host_call(reset); }

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

// There is no profiler: the calls have no effect.
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two ways to launch over several GPUs: a list of grids with their streams, which returns at once, and one shape on
// the first devices, which returns when all grids have ended.
#pragma once

#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include <cuda_runtime.h>

#include "../../config.hpp"
#include "../device_guard.hpp"
#include "../single_device.hpp"
#include "driver_calls.hpp"
#include "launcher.hpp"
#include "list_rules.hpp"
#include "relaxed_capture_guard.hpp"

namespace cohort {
namespace detail {

// One grid of a list; cudaLaunchParams has the same members.
struct listed_grid {
  void* func;
  dim3 gridDim, blockDim;
  void** args;
  size_t sharedMem;
  cudaStream_t stream;
};

template <class Entry>
config config_of(const Entry& entry, int device, dim3 cluster) {
  config c{cohort::dim3(entry.gridDim), cohort::dim3(entry.blockDim), entry.sharedMem, device, cluster};
  c.stream = entry.stream;
  return c;
}

// What check_list asks.
struct runtime_facts {
  dim3 cluster;

  static int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
  }
  static int device_count() {
    int count = 0;
    return count_devices(&count) == cudaSuccess ? count : 0;
  }
  static bool is_default_stream(cudaStream_t s) {
    return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread;
  }
  static bool device_of(cudaStream_t s, int* device) { return device_of_stream(s, device) == cudaSuccess; }
  static bool is_capturing(cudaStream_t s) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(s, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
  }
  static bool is_kernel(const void* kernel, int device) {
    const device_guard there(device);
    cudaFuncAttributes of_kernel;
    return ::cudaFuncGetAttributes(&of_kernel, kernel) == cudaSuccess;
  }
  static bool is_cooperative(int device) { return attribute(cudaDevAttrCooperativeLaunch, device) != 0; }
  template <class Entry>
  static bool allows_shape(const Entry& entry, int device) {
    const uint64_t threads = uint64_t{entry.blockDim.x} * entry.blockDim.y * entry.blockDim.z;
    return threads != 0 && threads <= static_cast<uint64_t>(attribute(cudaDevAttrMaxThreadsPerBlock, device)) &&
           is_within(entry.blockDim.z, cudaDevAttrMaxBlockDimZ, device) &&
           is_within(entry.gridDim.x, cudaDevAttrMaxGridDimX, device) &&
           is_within(entry.gridDim.y, cudaDevAttrMaxGridDimY, device) &&
           is_within(entry.gridDim.z, cudaDevAttrMaxGridDimZ, device);
  }
  static bool is_within(unsigned int extent, cudaDeviceAttr most, int device) {
    return extent != 0 && extent <= static_cast<unsigned int>(attribute(most, device));
  }
  static bool reaches(int device, int peer) {
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, device, peer) == cudaSuccess && can != 0;
  }
  template <class Entry>
  uint64_t resident_blocks(const Entry& entry, int device) const {
    return detail::resident_blocks(entry.func, config_of(entry, device, cluster));
  }

 private:
  // Before CUDA 12.8 only the driver knew.
  static cudaError_t device_of_stream(cudaStream_t s, int* device) {
#if CUDART_VERSION >= 12080
    return cudaStreamGetDevice(s, device);
#else
    using device_of_context = int(int* device);
    using context_of_stream = int(cudaStream_t stream, void** context);
    using set_context = int(void* context);
    using get_context = int(void** context);
    static device_of_context* const device_of = driver_function<device_of_context>("cuCtxGetDevice", 2000);
    static context_of_stream* const context_of = driver_function<context_of_stream>("cuStreamGetCtx", 9020);
    static set_context* const set = driver_function<set_context>("cuCtxSetCurrent", 4000);
    static get_context* const get = driver_function<get_context>("cuCtxGetCurrent", 4000);
    if (device_of == nullptr || context_of == nullptr || set == nullptr || get == nullptr) return cudaErrorNotSupported;
    void *its = nullptr, *before = nullptr;
    int result = get(&before);
    if (result == 0) result = context_of(s, &its);
    if (result == 0) result = set(its);
    if (result == 0) result = device_of(device);
    set(before);
    return static_cast<cudaError_t>(result);
#endif
  }
};

// Errors that were found before any call of the runtime: cudaGetLastError() shall know them too. A call that fails in
// the same way leaves the number there.
template <class Unused>
cudaError_t leave_last_error(cudaError_t result) {
  if (cudaPeekAtLastError() == result) return result;
  const relaxed_capture_guard beside;
  cudaFuncAttributes unused;
  int value;
  multi_grid_descriptor* nowhere = nullptr;
  multi_grid_descriptor nothing = {};
  void* arguments[] = {&nowhere, &nothing};
  switch (static_cast<int>(result)) {
    case error_invalid_value:
      static_cast<void>(cudaEventCreateWithFlags(nullptr, 0));
      break;
    case error_invalid_device_function:
      static_cast<void>(::cudaFuncGetAttributes(&unused, static_cast<const void*>(nullptr)));
      break;
    case error_invalid_device:
      static_cast<void>(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
      break;
    case error_invalid_resource_handle:
      static_cast<void>(cudaEventRecord(nullptr, nullptr));
      break;
    case error_cooperative_launch_too_large:
      static_cast<void>(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&write_descriptor<Unused>),
                                                    dim3(0x7fffffff), dim3(1024), arguments, 0, nullptr));
      break;
    default:
      break;
  }
  return result;
}

// Checks the list and launches its grids together, or none of them.
template <class Unused, class Entry>
cudaError_t launch_checked(const Entry* list, unsigned int count, unsigned int flags, dim3 cluster, device_grid* grids,
                           uint32_t* number) {
  int devices[max_grids];
  const int wrong = check_list(list, count, flags, runtime_facts{cluster}, devices);
  if (wrong != error_none) return leave_last_error<Unused>(static_cast<cudaError_t>(wrong));
  for (unsigned int i = 0; i < count; ++i) {
    grids[i].device = devices[i];
    grids[i].stream = list[i].stream;
  }
  const uint64_t blocks = uint64_t{list[0].gridDim.x} * list[0].gridDim.y * list[0].gridDim.z;
  const auto launch_grid = [&](unsigned int i) {
    return launch_kernel(list[i].func, config_of(list[i], devices[i], cluster), true, list[i].args);
  };
  return multi_device<Unused>::instance().launch(list[0].func, blocks, grids, count, flags, launch_grid, number);
}

// cudaLaunchCooperativeKernelMultiDevice, as it was until CUDA 12.
template <class Unused = void, class Entry>
cudaError_t launch_list(const Entry* list, unsigned int count, unsigned int flags) {
  device_grid grids[max_grids];
  uint32_t number = 0;
  return launch_checked<Unused>(list, count, flags, dim3(0, 0, 0), grids, &number);
}

// Waits for the grids of a launch. If one of them fails, the others end at their next barrier.
template <class Unused>
cudaError_t wait_for_grids(const device_grid* grids, unsigned int count, uint32_t number) {
  const relaxed_capture_guard beside;
  cudaEvent_t ended[max_grids] = {};
  cudaError_t result = cudaSuccess;
  for (unsigned int i = 0; i < count; ++i) {
    const device_guard there(grids[i].device);
    cudaError_t made = cudaEventCreateWithFlags(&ended[i], cudaEventDisableTiming);
    if (made == cudaSuccess) made = cudaEventRecord(ended[i], grids[i].stream);
    if (made != cudaSuccess) result = made;
  }
  unsigned int waiting = count;
  for (unsigned int polls = 0; waiting != 0; ++polls) {
    if (polls != 0) polls < 2000 ? static_cast<void>(sched_yield()) : static_cast<void>(usleep(20));
    waiting = 0;
    for (unsigned int i = 0; i < count; ++i) {
      if (ended[i] == nullptr) continue;
      const device_guard there(grids[i].device);
      const cudaError_t now = cudaEventQuery(ended[i]);
      if (now == cudaErrorNotReady) {
        ++waiting;
        continue;
      }
      static_cast<void>(cudaEventDestroy(ended[i]));
      ended[i] = nullptr;
      if (now == cudaSuccess) continue;
      if (result == cudaSuccess) multi_device<Unused>::instance().end(grids, count, number);
      result = now;
    }
  }
  if (cudaPeekAtLastError() == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
  return result;
}

// One grid of the config's shape on each of the devices 0 .. devices - 1. arguments[i]: for device i, as
// cudaLaunchKernel takes them.
template <class Unused>
cudaError_t run_on_gpus(const void* kernel, const config& c, int devices, void** const* arguments) {
  listed_grid list[max_grids] = {};
  device_grid grids[max_grids];
  const unsigned int count = static_cast<unsigned int>(devices);
  for (unsigned int i = 0; i < count; ++i) {
    list[i] = {const_cast<void*>(kernel), c.grid, c.block, arguments[i], c.shared_bytes, nullptr};
    const cudaError_t result = multi_device<Unused>::instance().launch_stream(static_cast<int>(i), &list[i].stream);
    if (result != cudaSuccess) return result;
  }
  uint32_t number = 0;
  const cudaError_t result = launch_checked<Unused>(list, count, no_post_sync, c.cluster, grids, &number);
  return result != cudaSuccess ? result : wait_for_grids<Unused>(grids, count, number);
}

}  // namespace detail
}  // namespace cohort

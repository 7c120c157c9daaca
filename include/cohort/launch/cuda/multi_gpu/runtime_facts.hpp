// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about devices, streams and kernels that the rules of list_rules.hpp need, from the CUDA runtime.
#pragma once

#include <stdint.h>

#include <cuda_runtime.h>

#include "../../config.hpp"
#include "../device_guard.hpp"
#include "../single_device.hpp"
#include "driver_calls.hpp"

namespace cohort {
namespace detail {

// The launch of one entry of a list, on `device`.
template <class Entry>
config config_of(const Entry& entry, int device, dim3 cluster) {
  config c{cohort::dim3(entry.gridDim), cohort::dim3(entry.blockDim), entry.sharedMem, device, cluster};
  c.stream = entry.stream;
  return c;
}

// Answers the queries of check_list() with calls of the CUDA runtime.
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
    const device_guard current(device);
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
  // cudaStreamGetDevice() exists since CUDA 12.8; before, the driver answers.
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

}  // namespace detail
}  // namespace cohort

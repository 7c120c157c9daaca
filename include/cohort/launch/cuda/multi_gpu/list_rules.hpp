// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for a list of grids that a launch over several GPUs starts together. They make no call of the CUDA runtime, so
// that tests check them without a GPU.
#pragma once

#include <stdint.h>

#include "../../../base/cuda_error.hpp"
#include "../../../base/limits.hpp"

namespace cohort {
namespace detail {

// Flags of cudaLaunchCooperativeKernelMultiDevice. no_pre_sync: a grid waits only for prior work of its own stream.
// no_post_sync: later work in a stream waits only for that stream's grid.
inline constexpr unsigned int no_pre_sync = 1, no_post_sync = 2;

// True if entries may be launched together: all members except arguments and stream are equal.
template <class Entry>
bool are_alike(const Entry& a, const Entry& b) {
  return a.func == b.func && a.sharedMem == b.sharedMem && a.gridDim.x == b.gridDim.x && a.gridDim.y == b.gridDim.y &&
         a.gridDim.z == b.gridDim.z && a.blockDim.x == b.blockDim.x && a.blockDim.y == b.blockDim.y &&
         a.blockDim.z == b.blockDim.z;
}

// Checks a list of cudaLaunchParams, or of a type with the same members, before anything starts. Writes the device of
// each entry to `devices`. Returns a CUDA error number:
//   error_invalid_value               no list, unknown flags, an invalid shape, entries that are not alike
//   error_invalid_device_function     the kernel is null
//   error_invalid_device              a device twice (CUDA's answer, measured with two GPUs and driver 580)
//   error_invalid_resource_handle     a default stream, no stream, or no kernel
//   error_peer_access_unsupported     a device cannot access another one's memory
//   error_cooperative_launch_too_large  more blocks than are resident at once on one of the devices
//   error_not_supported               a device without cooperative launches
//   error_stream_capture_unsupported  a stream that is being captured
// `Facts` answers queries about the devices: device_count(), is_default_stream(s), device_of(s, &device),
// is_capturing(s), is_kernel(func, device), is_cooperative(device), allows_shape(entry, device), reaches(device, peer),
// resident_blocks(entry, device).
template <class Entry, class Facts>
int check_list(const Entry* list, unsigned int count, unsigned int flags, const Facts& facts, int* devices) {
  if (list == nullptr || count == 0 || count > max_devices || count > static_cast<unsigned int>(facts.device_count()) ||
      (flags & ~(no_pre_sync | no_post_sync)) != 0) {
    return error_invalid_value;
  }
  if (list[0].func == nullptr) return error_invalid_device_function;
  for (unsigned int i = 0; i < count; ++i) {
    if (facts.is_default_stream(list[i].stream) || !facts.device_of(list[i].stream, &devices[i])) {
      return error_invalid_resource_handle;
    }
    for (unsigned int before = 0; before < i; ++before) {
      if (devices[before] == devices[i]) return error_invalid_device;
    }
    if (!are_alike(list[0], list[i])) return error_invalid_value;
  }
  for (unsigned int i = 0; i < count; ++i) {
    if (!facts.is_kernel(list[i].func, devices[i])) return error_invalid_resource_handle;
    if (facts.is_capturing(list[i].stream)) return error_stream_capture_unsupported;
    if (!facts.is_cooperative(devices[i])) return error_not_supported;
    if (!facts.allows_shape(list[i], devices[i])) return error_invalid_value;
    for (unsigned int peer = 0; peer < count; ++peer) {
      if (peer != i && !facts.reaches(devices[i], devices[peer])) return error_peer_access_unsupported;
    }
  }
  for (unsigned int i = 0; i < count; ++i) {
    const uint64_t blocks = uint64_t{list[i].gridDim.x} * list[i].gridDim.y * list[i].gridDim.z;
    if (blocks > facts.resident_blocks(list[i], devices[i])) return error_cooperative_launch_too_large;
  }
  return error_none;
}

}  // namespace detail
}  // namespace cohort

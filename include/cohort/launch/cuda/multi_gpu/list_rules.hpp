// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a list of grids must be, to be launched over several GPUs together: rules alone, without a call of the runtime,
// and the order of launches that share devices.
#pragma once

#include <stdint.h>

#include "../../../base/cuda_error.hpp"
#include "../../../base/limits.hpp"

namespace cohort {
namespace detail {

/// Grids of one launch: one for each device.
inline constexpr uint32_t max_grids = max_devices;

inline constexpr unsigned int no_pre_sync = 1, no_post_sync = 2;

template <class Entry>
bool are_alike(const Entry& a, const Entry& b) {
  return a.func == b.func && a.sharedMem == b.sharedMem && a.gridDim.x == b.gridDim.x && a.gridDim.y == b.gridDim.y &&
         a.gridDim.z == b.gridDim.z && a.blockDim.x == b.blockDim.x && a.blockDim.y == b.blockDim.y &&
         a.blockDim.z == b.blockDim.z;
}

// Checks a list of cudaLaunchParams (or what has the same members) before anything starts. Writes the device of each
// entry. `Facts` is what the runtime says: device_count(), is_default_stream(s), device_of(s, &device),
// is_capturing(s), is_kernel(func, device), is_cooperative(device), allows_shape(entry, device), reaches(device, peer),
// resident_blocks(entry, device).
template <class Entry, class Facts>
int check_list(const Entry* list, unsigned int count, unsigned int flags, const Facts& facts, int* devices) {
  if (list == nullptr || count == 0 || count > max_grids || count > static_cast<unsigned int>(facts.device_count()) ||
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

// Launches that share devices run one after another, whole, in the order in which they were made. A set of devices is a
// bit for each.
class launch_order {
 public:
  static uint64_t set_of(const int* devices, unsigned int count) {
    uint64_t set = 0;
    for (unsigned int i = 0; i < count; ++i) set |= uint64_t{1} << devices[i];
    return set;
  }
  // The devices whose latest grids must have ended before a launch on `devices` begins.
  uint64_t before(uint64_t devices) const {
    uint64_t all = 0;
    for (uint32_t d = 0; d < max_grids; ++d) {
      if ((devices >> d & 1) != 0) all |= latest_[d];
    }
    return all;
  }
  // Such a launch has been made.
  void add(uint64_t devices) {
    for (uint32_t d = 0; d < max_grids; ++d) {
      if ((devices >> d & 1) != 0) latest_[d] = devices;
    }
  }
  void forget(int device) { latest_[device] = 0; }

 private:
  uint64_t latest_[max_grids] = {};  // of each device: the devices of its latest launch
};

}  // namespace detail
}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about devices, streams and kernels that the rules of list_rules.hpp need, from the CUDA runtime.
#pragma once

#include <stdint.h>

#include "../../config.hpp"
#include "../api/driver_api.hpp"
#include "../api/runtime_api.hpp"
#include "../device/device_guard.hpp"
#include "../device/single_device.hpp"

namespace cohort {
namespace detail {

// The configuration of one entry of a list, on `device`.
template <class Entry>
config config_of(const Entry& entry, int device, dim3 cluster) {
  config c{cohort::dim3(entry.gridDim), cohort::dim3(entry.blockDim), entry.sharedMem, device, cluster};
  c.stream = entry.stream;
  return c;
}

// Answers the queries of check_list() with calls of the CUDA runtime.
struct runtime_facts {
  dim3 cluster;

  static int attribute(api::attribute which, int device) {
    int value = 0;
    return api::get_attribute(&value, which, device) == api::success ? value : 0;
  }
  static int device_count() {
    int count = 0;
    return api::count_devices(&count) == api::success ? count : 0;
  }
  static bool is_default_stream(api::stream s) { return api::is_default_stream(s); }
  static bool device_of(api::stream s, int* device) { return api::device_of_stream(s, device) == api::success; }
  static bool is_capturing(api::stream s) { return api::is_capturing(s); }
  static bool is_kernel(const void* kernel, int device) {
    const device_guard current(device);
    api::kernel_attributes of_kernel;
    return api::get_attributes(&of_kernel, kernel) == api::success;
  }
  static bool is_cooperative(int device) { return attribute(api::attribute::cooperative_launch, device) != 0; }
  template <class Entry>
  static bool allows_shape(const Entry& entry, int device) {
    const uint64_t threads = uint64_t{entry.blockDim.x} * entry.blockDim.y * entry.blockDim.z;
    return threads != 0 && threads <= static_cast<uint64_t>(attribute(api::attribute::threads_per_block, device)) &&
           is_within(entry.blockDim.z, api::attribute::block_dim_z, device) &&
           is_within(entry.gridDim.x, api::attribute::grid_dim_x, device) &&
           is_within(entry.gridDim.y, api::attribute::grid_dim_y, device) &&
           is_within(entry.gridDim.z, api::attribute::grid_dim_z, device);
  }
  static bool is_within(unsigned int extent, api::attribute most, int device) {
    return extent != 0 && extent <= static_cast<unsigned int>(attribute(most, device));
  }
  static bool reaches(int device, int peer) {
    int can = 0;
    return api::can_access_peer(&can, device, peer) == api::success && can != 0;
  }
  template <class Entry>
  uint64_t resident_blocks(const Entry& entry, int device) const {
    return detail::resident_blocks(entry.func, config_of(entry, device, cluster));
  }
};

}  // namespace detail
}  // namespace cohort

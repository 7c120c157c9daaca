// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of launches over several devices.
#pragma once

#include <stdint.h>

#include "../../../base/limits.hpp"

namespace cohort {
namespace detail {

// Launches that share a device run one after another, as a whole, in the order in which they were made. This class
// computes which earlier grids a launch waits for. A set of devices is a mask with one bit for each device.
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
    for (int d = 0; d < max_devices; ++d) {
      if ((devices >> d & 1) != 0) all |= latest_[d];
    }
    return all;
  }
  // Records a launch on `devices`.
  void add(uint64_t devices) {
    for (int d = 0; d < max_devices; ++d) {
      if ((devices >> d & 1) != 0) latest_[d] = devices;
    }
  }
  // Drops the latest launch of `device`: a reset of the device has ended its grid.
  void forget(int device) { latest_[device] = 0; }

 private:
  uint64_t latest_[max_devices] = {};  // by device: the devices of its latest launch
};

}  // namespace detail
}  // namespace cohort

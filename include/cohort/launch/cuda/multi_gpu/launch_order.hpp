// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of launches over several devices.
#pragma once

#include <stdint.h>

#include "../../../base/limits.hpp"

namespace cohort {
namespace detail {

// Computes which earlier grids a launch waits for, and whether it can continue in the memory that its grids share. A
// set of devices is a mask with one bit for each device.
//
// A launch follows all earlier launches that share a device with it. It continues the latest one if both have the same
// devices in the same order and the same number of blocks. Barriers and exchanges then keep counting: the memory is not
// cleared, and a grid that begins early does not disturb one that still runs. A sequence ends after most_in_sequence
// launches, because exchange numbers have 32 bits and must not repeat.
class launch_order {
 public:
  static constexpr uint64_t most_in_sequence = 4096;

  static uint64_t set_of(const int* devices, unsigned int count) {
    uint64_t set = 0;
    for (unsigned int i = 0; i < count; ++i) set |= uint64_t{1} << devices[i];
    return set;
  }
  // The devices whose latest grids must have ended before a launch on `devices` begins that continues none.
  uint64_t before(uint64_t devices) const {
    uint64_t all = 0;
    for (int d = 0; d < max_devices; ++d) {
      if ((devices >> d & 1) != 0) all |= latest_[d].devices;
    }
    return all;
  }
  // True if a launch of `blocks` blocks on each of `devices` continues the latest launch of all of them.
  bool continues(const int* devices, unsigned int count, uint64_t blocks) const {
    const uint64_t set = set_of(devices, count), number = latest_[devices[0]].number;
    if (number == 0 || number % most_in_sequence == 0) return false;
    for (unsigned int i = 0; i < count; ++i) {
      const grid& latest = latest_[devices[i]];
      if (latest.number != number || latest.devices != set || latest.rank != i || latest.blocks != blocks) return false;
    }
    return true;
  }
  // Records a launch.
  void add(const int* devices, unsigned int count, uint64_t blocks) {
    ++number_;
    const uint64_t set = set_of(devices, count);
    for (unsigned int i = 0; i < count; ++i) latest_[devices[i]] = grid{set, number_, blocks, i};
  }
  // Records that the latest launches of `devices` may have ended amid a barrier: no launch continues them.
  void break_off(const int* devices, unsigned int count) {
    for (unsigned int i = 0; i < count; ++i) latest_[devices[i]].number = 0;
  }
  // Drops the latest launch of `device`: a reset of the device has ended its grid.
  void forget(int device) { latest_[device] = grid(); }

 private:
  struct grid {
    uint64_t devices = 0;  // devices of the grid's launch
    uint64_t number = 0;   // number of the grid's launch; 0: no launch can continue it
    uint64_t blocks = 0;
    unsigned int rank = 0;
  };
  grid latest_[max_devices];  // index: device
  uint64_t number_ = 0;
};

}  // namespace detail
}  // namespace cohort

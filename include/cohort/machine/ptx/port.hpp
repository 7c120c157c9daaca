// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The port between launches over several GPUs, of one process or of several, and their kernels: the data that a launch
// passes to the grids, and the memory of their barrier. The counterpart on CPUs is machine/cpu/port.hpp.
// docs/design/multi-gpu.md describes which step writes what.
//
// On the host side, include/cohort/launch includes this file and no other file of machine/ptx.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/limits.hpp"

namespace cohort {
namespace detail {

/// Number of host words that end launches: launch n polls word n % ended_words. Launches that end together then do not
/// overwrite each other's word.
inline constexpr uint32_t ended_words = 64;

/// Bytes of scratch memory for each block, for collectives.
inline constexpr size_t multi_grid_scratch_bytes = 576;

/// A message of up to 64 bytes. The low half of each word holds 32 bits of the value, the high half the number of the
/// exchange, so a reader needs neither a barrier nor a fence.
struct multi_grid_message {
  static constexpr uint32_t most_words = 16;
  alignas(128) uint64_t words[most_words];
};

/// Counters of the barrier, and messages, in the memory of one device, which all devices of the launch can access. One
/// multi_grid_block for each block of the device's grid follows, then the device's copy of the scratch memory of all
/// blocks. All of it is zero when a launch begins that does not continue another one. The low half of a counter counts
/// arrivals, its high half completed barriers.
struct multi_grid_words {
  alignas(128) uint32_t blocks;                 ///< arrivals of the device's own blocks
  alignas(128) uint32_t grids;                  ///< arrivals of all grids; one copy a device, so no poll crosses a link
  alignas(128) uint32_t flags[max_devices];     ///< number of the last barrier of grid i; for links without atomics
  multi_grid_message messages[2][max_devices];  ///< messages of grid i in exchanges with even and with odd numbers
  multi_grid_message previous[2];               ///< messages of the last block of the grid before this grid
};

/// The words of one block: its messages to its own grid, and its exchanges of arrays.
struct multi_grid_block {
  alignas(128) uint32_t exchanges;  ///< exchanges that the block has begun
  uint32_t array_step;              ///< steps of arrays that the block has ended
  uint32_t array_position;          ///< end of the messages of arrays that the block has reserved, in bytes
  alignas(128) uint32_t array_progress[max_devices];  ///< steps that the block of this rank in grid i has ended
  multi_grid_message messages[2];                     ///< messages in exchanges with even and with odd numbers
};

/// The bytes of a device's staging buffer for arrays of the ranks, which lies before its multi_grid_words: first parts
/// of the blocks (array_step_bytes), then messages (array_message_bytes). Messages are zero between launches, unless
/// the host has ended one.
inline constexpr size_t array_step_bytes = size_t{32} << 20;
inline constexpr size_t array_message_bytes = size_t{32} << 20;
inline constexpr size_t array_staging_bytes = array_step_bytes + array_message_bytes;

/// Bytes of each of the two halves of a rank's messages, in a launch over `ranks` ranks: a multiple of 64.
COHORT_ANY_SIDE constexpr uint32_t array_half_bytes(uint32_t ranks) {
  return ranks <= 1 ? 0 : static_cast<uint32_t>(array_message_bytes) / (2 * (ranks - 1)) / 64 * 64;
}

/// Bytes of the memory of one device for a launch of `grids` grids of `blocks` blocks each.
COHORT_ANY_SIDE constexpr size_t multi_grid_bytes(size_t blocks, size_t grids) {
  return sizeof(multi_grid_words) + blocks * (sizeof(multi_grid_block) + grids * multi_grid_scratch_bytes);
}

/// The data of one launch over several GPUs that its kernels read.
struct multi_grid_descriptor {
  uint32_t count;         ///< grids of the launch; 0: no such launch
  uint32_t rank;          ///< rank of this grid
  const void* grid_word;  ///< identifies the launch: grid_barrier_word() in the grid's stream
  const uint32_t* ended;  ///< host memory: holds the launch's number once its grids must end
  uint32_t number;        ///< number of this launch
  uint32_t blocks;        ///< blocks of each grid
  uint32_t array_half;    ///< array_half_bytes() of the launch
  uint32_t links_add;     ///< nonzero: the devices have atomics on each other's memory
  multi_grid_words* words[max_devices];
  uint32_t* overdue;    ///< host memory: receives the launch's number if a wait has exceeded `limit_ns`
  uint64_t limit_ns;    ///< time limit of a wait, in nanoseconds; 0: waits have no limit
  int64_t rank_stride;  ///< bytes from a rank's symmetric memory to that of the next rank; 0: the launch has none
};

}  // namespace detail

namespace ptx {

/// Descriptor of the multi-device launch on this device: one in each module whose kernels use it, zero at first. The
/// host finds it by name, writes it in stream order and clears it after the grid. Kernels in other streams compare
/// `grid_word` with their own. Static in a function: nvcc keeps every namespace-scope variable, used or not.
COHORT_FN const detail::multi_grid_descriptor& multi_device_launch() {
  static __constant__ detail::multi_grid_descriptor descriptor;
  return descriptor;
}
#define COHORT_MULTI_DEVICE_LAUNCH_NAME "_ZZN6cohort3ptx19multi_device_launchEvE10descriptor"

/// The address of the workspace that the driver gives a cooperative grid, in two special registers (PTX ISA, %envreg:
/// "defined by the driver"); 0 in other launches. The workspace holds its size, then the word of the grid's barrier.
///
/// The reads are volatile: hoisted out of the kernel's loop the address would keep two registers.
COHORT_FN uint64_t driver_workspace() {
  uint32_t high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  return static_cast<uint64_t>(high) << 32 | low;
}

/// The barrier word in a driver's workspace.
COHORT_FN uint32_t* barrier_word_in(uint64_t workspace) { return reinterpret_cast<uint32_t*>(workspace) + 1; }

/// The barrier word of the caller's cooperative grid; null in a launch without one.
COHORT_FN uint32_t* grid_barrier_word() {
  const uint64_t workspace = driver_workspace();
  return workspace == 0 ? nullptr : barrier_word_in(workspace);
}

}  // namespace ptx
}  // namespace cohort

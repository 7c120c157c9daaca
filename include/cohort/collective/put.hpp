// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// put: writes to the symmetric memory of a rank, on this host or on another.
#pragma once

#include <stddef.h>

#include "../base/config.hpp"
#include "../group/world.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {

/// Copies bytes to the symmetric memory of a rank. One thread calls it; it does not wait. Puts of one phase to the same
/// bytes have no order.
///
/// Cost on the CPU: one copy on the same host. Otherwise one copy, and two more network operations in the next barrier,
/// however many puts there are.
/// @param world  the calling thread's world
/// @param to     location in symmetric memory: an address in that of a rank of this process
/// @param from   bytes to copy; they may change when the call returns
/// @param bytes  their number
/// @param rank   the rank whose memory is written. Its threads may read the bytes after the next barrier of the world,
///               or the next collective over it.
template <class Machine = this_machine>
COHORT_FN void put(const world_group& world, void* to, const void* from, size_t bytes, unsigned int rank) {
  static_cast<void>(world);
  Machine::world_put(to, from, bytes, rank);
}

}  // namespace cohort

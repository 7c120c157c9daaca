// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the launch of a kernel over several GPUs tells each of its grids, and the memory in which the grids meet.
// docs/design/multi-gpu.md says who writes it, and when.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/limits.hpp"

namespace cohort {
namespace detail {

// Grids of one launch: one for each device.
inline constexpr uint32_t max_grids = max_devices;

// Words of the host for launches that shall end: launch n has word n % ended_words, so that two do not overwrite it.
inline constexpr uint32_t ended_words = 64;

// Bytes of the launch's memory for each block, for collectives.
inline constexpr size_t multi_grid_scratch_bytes = 576;

// In the memory of each device; all devices of the launch reach it. All zero when the launch begins. The device's copy
// of the scratch of all blocks follows. A counter's low half counts who has arrived, its high half counts barriers.
struct multi_grid_words {
  alignas(128) uint32_t blocks;            // of the own grid
  alignas(128) uint32_t grids;             // of all: each device has a copy, so that nobody polls over a link
  alignas(128) uint32_t flags[max_grids];  // the barrier that grid i has arrived at; without atomics over the links
};

struct multi_grid_descriptor {
  uint32_t count;         // grids of the launch; 0: no such launch
  uint32_t rank;          // of this grid
  const void* grid_word;  // which launch: what grid_word::address() is in the grid's stream
  const uint32_t* ended;  // memory of the host: the launch's number, once its grids shall end
  uint32_t number;        // of this launch
  uint32_t blocks;        // of a grid
  uint32_t links_add;     // devices have atomics on each other's memory
  multi_grid_words* words[max_grids];
};

}  // namespace detail
}  // namespace cohort

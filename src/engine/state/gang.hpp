// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gangs of a block. All lanes of a gang wait together, so the state of a gang is one bit: running, ready, waiting
// at the barrier of a team or beyond the block (`wide`), or else at the block's barrier. The masks of the warps, which
// reports and outer barriers read, are written when no gang of the block can run.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstdint>
#include <memory>

#include "engine/state/warp.hpp"

namespace cohort::engine {

struct block;
struct gang_table;
struct grid;

constexpr uint32_t most_gang_words = 32;

// While it runs, a gang is the current thread, as a lane: kernels store the thread there that a report shall name.
struct gang : lane {
  context saved;  // registers of `runner`
  gang_table* table;
  uint32_t bit;                    // the gang's bit in the masks of the table
  uint32_t first_warp;             // index in the block of its first warp
  uint32_t warp_bits;              // bits of its warps in block::warps_ready
  uint32_t live_count;             // lanes of `live`
  uint32_t live[most_gang_words];  // lanes that have not returned and whose assertions did not fail
  void (*entry)(void** arguments, const cohort_gang* gang);
  cohort_gang shape;
  engine::fiber runner;
  uint32_t looping[most_gang_words];

  // Makes `block_thread_rank` the thread that a report names.
  void name_thread(uint32_t block_thread_rank);
};

struct gang_table {
  uint32_t ready = 0;  // gangs that can run, without the running one
  uint32_t live = 0;   // gangs that have not returned
  uint32_t wide = 0;   // gangs that wait at the barrier of a team or beyond the block, or spin
  // True if the masks of the warps differ from those at the block's begin when the gangs become ready. The masks occupy
  // many cache lines, and most blocks do not change them.
  bool warps_changed = true;
  bool lanes_returned = false;  // with warps_changed false: true if warp::live still differs from its value then
  uint32_t words = 0;           // how many 32-bit words the mask of a gang's lanes has, one for each warp
  engine::block* block = nullptr;
  std::unique_ptr<gang[]> gangs;
  uint32_t count = 0;
  uint32_t width = 0;

  // Gives the gangs the shape of `b` and the versions of `g`. Does nothing where they have both.
  void shape(engine::block& b, const grid& g);
  // Makes all gangs ready to start. pre: the block has begun
  void begin();
  // Makes the gangs and warps ready for another block in their storage. pre: all lanes of the block have returned
  void begin_again();
  // Resets the words of cohort_gang::looping.
  void begin_loops(gang& g) const;

  uint32_t warps_of(const gang& g) const;
  // Moves gangs whose lanes have become ready in their warps to `ready`.
  void collect_ready();
  // Takes the next gang to run, or null.
  gang* take_ready();
  // Makes the lanes of all gangs in `ready` ready in their warps.
  void give_back_ready();
  // Writes the waits of the gangs to the masks of their warps.
  void publish();

 private:
  uint32_t block_dim_[3] = {};
  uint8_t gang_of_warp_[32] = {};
  std::unique_ptr<uint32_t[]> index_memory_;
};

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counter of a cooperative grid's barrier: the word that the driver provides for each cooperative launch.
//
// Each block adds 1, except the first, whose addend makes the sum 2^31. When all blocks have arrived, bit 31 has
// changed and the other bits are zero again, so nothing needs a reset. NVIDIA's header follows the same rule, so code
// of both can use the word in one launch.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "../optimizer_barrier.hpp"
#include "arrival_share.hpp"
#if COHORT_CHECKS_CALLS
#include "../check/wait_limit.hpp"
#endif

namespace cohort {
namespace ptx {

struct grid_counter {
  /// Adds the arrival of the caller's block, share(). Called by thread (0, 0, 0) after the block's other threads have
  /// arrived.
  /// @return the counter after the addition: the token for wait()
  COHORT_FN static uint32_t arrive(uint32_t* word, uint32_t addend) { return add(word, addend) + addend; }

  /// Waits for the phase of an earlier arrival.
  COHORT_FN static void wait(const uint32_t* word, uint32_t arrived) {
    const uint32_t now = load(word);
    // The last arrival of a phase leaves the low bits zero, and has changed the phase bit itself.
    const uint32_t completed = (arrived & (phase_bit - 1u)) == 0 ? phase_bit : 0;
    poll(word, arrived ^ completed, now);
  }

  /// arrive() and wait() with fewer polls. All polls and arrivals are served one after another at one address, so polls
  /// delay arrivals. A block that arrives early therefore first pauses for as long as the missing blocks will take.
  COHORT_FN static void arrive_and_wait(uint32_t* word, uint32_t addend) {
    const uint32_t before = add(word, addend);
    poll(word, before, before + addend);
  }

  /// The addend of the caller's block. It is taken before the test of the word and pinned there, so the reads of the
  /// special registers overlap with the loads of the word's address.
  COHORT_FN static uint32_t share() {
    return pin_here(arrival_share(identity::is_first_block(), phase_bit, [] { return blocks(); }));
  }

 private:
  static constexpr uint32_t phase_bit = 0x80000000u;
  // Measured on sm_90: half cycles of one arrival, and cycles from the start of a poll until it reads the word.
  static constexpr uint32_t half_cycles_each = 3, cycles_to_read = 300;

  /// Address `word`, with `number` added to its low half. A 64-bit addition would keep two registers.
  COHORT_FN static uint32_t* low_plus(uint32_t* word, uint32_t number) {
    const uint64_t address = reinterpret_cast<uint64_t>(word);
    return reinterpret_cast<uint32_t*>((address >> 32) << 32 | (static_cast<uint32_t>(address) + number));
  }

  /// Adds to the counter, and returns its value before.
  //
  // The address depends on threadIdx only to keep ptxas from aggregating the additions of several lanes: only one lane
  // executes this, and the code that finds that out would take longer than the addition.
  COHORT_FN static uint32_t add(uint32_t* word, uint32_t addend) {
    uint32_t before;
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(low_plus(word, threadIdx.x))), "r"(addend)
                 : "memory");
    return before;
  }

  /// Polls until the phase in which the counter was `before` completes. Each poll follows a pause for the blocks that
  /// the reading before it missed. Polls are relaxed; one acquire at the end orders memory.
  /// @param now the latest reading of the counter
  COHORT_FN static void poll(const uint32_t* word, uint32_t before, uint32_t now) {
#if COHORT_CHECKS_CALLS
    wait_limit limit(2);  // longer than that of checked calls, whose report names a block
#endif
    while (((before ^ now) & phase_bit) == 0) {
#if COHORT_CHECKS_CALLS
      if (limit.is_over()) check_failure::report_wait({failure::absent_blocks, missing_blocks(now), {}});
#endif
      pause(missing_blocks(now));
      now = load(word);
    }
    acquire(word);
  }

  COHORT_FN static uint32_t load(const uint32_t* word) {
    uint32_t now;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(__cvta_generic_to_global(word)) : "memory");
    return now;
  }

  /// Number of blocks of the grid.
  COHORT_FN static uint32_t blocks() { return gridDim.x * gridDim.y * gridDim.z; }

  /// Number of blocks that have not arrived.
  COHORT_FN static uint32_t missing_blocks(uint32_t word) {
    const uint32_t missing = (0u - word) & (phase_bit - 1u);
    const uint32_t count = blocks();
    // With missing >= count, the first block, which adds phase_bit - (blocks - 1), has not arrived.
    return missing < count ? missing : count - (word & (phase_bit - 1u));
  }

  COHORT_FN static void acquire(const uint32_t* word) {
    [[maybe_unused]] uint32_t now;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(__cvta_generic_to_global(word)) : "memory");
  }

  /// Spins while `missing` blocks arrive, less the time that a poll takes to read the word.
  COHORT_FN static void pause(uint32_t missing) {
    const uint32_t cycles = missing * half_cycles_each / 2;
    if (cycles <= cycles_to_read) return;
    const uint32_t begin = clock();
    while (clock() - begin < cycles - cycles_to_read) {
    }
  }
  COHORT_FN static uint32_t clock() {
    uint32_t cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
  }
};

}  // namespace ptx
}  // namespace cohort

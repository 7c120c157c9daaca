// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cooperative grid, on the word that the driver gives to each cooperative launch.
//
// The workspace's address is in two special registers (PTX ISA, %envreg: "defined by the driver"); it holds its size
// and one word. Each block adds 1, and one block adds what makes the sum 2^31: when all have come, bit 31 has changed,
// and the other bits are zero again, so that nothing needs a reset. Any other code that uses the same word in the same
// launch (NVIDIA's own header) follows the same rule.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"

namespace cohort {
namespace ptx {

struct grid_word {
  // Null in a launch without a workspace.
  COHORT_FN static uint32_t* address() {
    uint32_t high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    const uint64_t workspace = static_cast<uint64_t>(high) << 32 | low;
    return workspace == 0 ? nullptr : reinterpret_cast<uint32_t*>(workspace) + 1;
  }

  // Called by thread (0, 0, 0) of each block, after the block's other threads have arrived. Returns the word as it is
  // then, which is what `wait` needs.
  //
  // The address depends on the thread only so that ptxas does not gather the lanes' additions into one: there is one
  // lane, and finding that out would take longer than the addition.
  COHORT_FN static uint32_t arrive(uint32_t* word) {
    uint32_t before;
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(word + threadIdx.x)), "r"(share())
                 : "memory");
    return before + share();
  }

  // Waits for a barrier at which the block has arrived before. The block that came last has nothing to wait for.
  COHORT_FN static void wait(const uint32_t* word, uint32_t arrived) {
    if (to_come(arrived) == 0) return order(word);
    poll(word, arrived);
  }

  // The word is in one place, which serves one request after another: polls stand in the way of those who are still to
  // arrive. So a block that comes early polls when the last one can be expected, and the block that comes last does not
  // poll at all.
  COHORT_FN static void arrive_and_wait(uint32_t* word) {
    const uint32_t arrived = arrive(word);
    const uint32_t missing = to_come(arrived);
    if (missing == 0) return order(word);
    pause(missing);
    poll(word, arrived);
  }

 private:
  static constexpr uint32_t phase_bit = 0x80000000u;
  // Measured on sm_90: cycles that an arrival takes, in halves, and those that a poll takes before it reads the word.
  static constexpr uint32_t half_cycles_each = 3, cycles_to_read = 300;

  // pre: the block did not come last. Polls have no order; what is ordered is ordered once, at the end.
  COHORT_FN static void poll(const uint32_t* word, uint32_t arrived) {
    for (;;) {
      uint32_t now;
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(__cvta_generic_to_global(word)) : "memory");
      if (((arrived ^ now) & phase_bit) != 0) break;
      pause(to_come(now));
    }
    order(word);
  }

  COHORT_FN static uint32_t blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  COHORT_FN static uint32_t share() {
    const bool first_block = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
    return first_block ? phase_bit - (blocks() - 1u) : 1u;
  }

  // Blocks that have not arrived.
  COHORT_FN static uint32_t to_come(uint32_t word) {
    const uint32_t missing = (0u - word) & (phase_bit - 1u);
    const uint32_t count = blocks();
    return missing < count ? missing : count - (word & (phase_bit - 1u));  // the first block has not arrived
  }

  COHORT_FN static void order(const uint32_t* word) {
    [[maybe_unused]] uint32_t now;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(__cvta_generic_to_global(word)) : "memory");
  }

  COHORT_FN static void pause(uint32_t blocks_to_come) {
    const uint32_t cycles = blocks_to_come * half_cycles_each / 2;
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

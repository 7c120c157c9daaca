// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cooperative grid, on the word that the driver gives to each cooperative launch.
//
// The workspace's address is in two special registers (PTX ISA, %envreg: "defined by the driver"); it holds its size and
// one word. Each block adds 1, and one block adds what makes the sum 2^31: when all have come, bit 31 has changed, and
// the other bits are zero again, so that nothing needs a reset. Any other code that uses the same word in the same
// launch (NVIDIA's own header) follows the same rule.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

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

  // Called by one thread of each block, after the block's other threads have arrived. Returns what `wait` needs.
  COHORT_FN static uint32_t arrive(uint32_t* word) {
    uint32_t before;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(share()) : "memory");
    return before;
  }

  // Polls without order, and orders once: what is ordered drops caches each time. A block that comes while many are
  // still to come does not poll at once, for it would be in their way.
  COHORT_FN static void wait(const uint32_t* word, uint32_t before) {
    const uint32_t to_come = (0u - (before + share())) & (phase_bit - 1u);  // very large until the first block has come
    if (to_come > many && to_come < 65536u) asm volatile("nanosleep.u32 %0;" ::"r"(to_come / 2));
    uint32_t now;
    do {
      asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    } while (((before ^ now) & phase_bit) == 0);
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
  }

 private:
  static constexpr uint32_t phase_bit = 0x80000000u;
  static constexpr uint32_t many = 200;

  COHORT_FN static uint32_t share() {
    const bool first_block = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
    const uint32_t blocks = gridDim.x * gridDim.y * gridDim.z;
    return first_block ? phase_bit - (blocks - 1u) : 1u;
  }
};

}  // namespace ptx
}  // namespace cohort

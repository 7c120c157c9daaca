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
    const bool first_block = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
    const uint32_t blocks = gridDim.x * gridDim.y * gridDim.z;
    const uint32_t share = first_block ? 0x80000000u - (blocks - 1u) : 1u;
    uint32_t before;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(share) : "memory");
    return before;
  }

  COHORT_FN static void wait(uint32_t* word, uint32_t before) {
    uint32_t now;
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    } while (((before ^ now) & 0x80000000u) == 0);
  }
};

}  // namespace ptx
}  // namespace cohort

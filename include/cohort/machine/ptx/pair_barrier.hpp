// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a tile of 64 threads in a block of more than 512, which has more tiles than hardware has barriers: the
// tile's two warps count their arrivals in shared memory (PTX ISA, mbarrier, from sm_80 on; before, an ordinary counter).
// What counts is made when the tiles are made.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
namespace cohort {
namespace ptx {

struct pair_barrier {
  // Called by one thread of each tile, between two barriers of the group that is cut.
  COHORT_FN static void begin(uint32_t tile) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(address(barriers() + tile)) : "memory");
#else
    *reinterpret_cast<volatile uint64_t*>(barriers() + tile) = 0;
#endif
  }

  // Called by all threads of the tile; `is_first` in one thread of each of its warps. A warp that is alone in its tile
  // waits for nobody else.
  COHORT_FN static void sync(uint32_t tile, bool is_first, bool is_alone) {
    sync_warp();
    if (is_alone) return;
    if (is_first) meet(tile);
    sync_warp();
  }

  // The sum of what both warps give.
  COHORT_FN static uint32_t sum(uint32_t tile, uint32_t warp, uint32_t value, bool is_first, bool is_alone) {
    if (is_alone) return value;
    __shared__ uint32_t values[32];
    if (is_first) values[2 * tile + warp] = value;
    sync(tile, is_first, is_alone);
    const uint32_t both = values[2 * tile] + values[2 * tile + 1];
    sync(tile, is_first, is_alone);
    return both;
  }

 private:
  COHORT_FN static uint64_t* barriers() {
    __shared__ uint64_t words[16];
    return words;
  }
  COHORT_FN static uint32_t address(const uint64_t* word) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
  }
  COHORT_FN static void sync_warp() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

  COHORT_FN static void meet(uint32_t tile) {
    const uint32_t word = address(barriers() + tile);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint64_t phase;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(word) : "memory");
    uint32_t done;
    do {
      asm volatile(
          "{\n\t.reg .pred p;\n\t"
          "mbarrier.test_wait.shared.b64 p, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, p;\n\t}"
          : "=r"(done)
          : "r"(word), "l"(phase)
          : "memory");
    } while (done == 0);
#else
    uint32_t before;
    asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], 1;" : "=r"(before) : "r"(word) : "memory");
    const uint32_t both = (before | 1u) + 1u;
    uint32_t now;
    do {
      asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(now) : "r"(word) : "memory");
    } while (static_cast<int32_t>(now - both) < 0);
#endif
  }
};

}  // namespace ptx
}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a tile of 64 threads in a block of more than 512, which has more tiles than hardware has barriers: the
// tile's threads count their arrivals in shared memory (PTX ISA, mbarrier, from sm_80 on; before, an ordinary counter).
// What counts is made when the tiles are made.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
namespace cohort {
namespace ptx {

struct pair_barrier {
  // Called by one thread of each tile, between two barriers of the group that is cut. threads: of the tile.
  COHORT_FN static void begin(uint32_t tile, [[maybe_unused]] uint32_t threads) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(tile)), "r"(threads) : "memory");
#else
    *reinterpret_cast<volatile uint64_t*>(words() + tile) = 0;
#endif
  }

  // Called by all threads of the tile. Each counts for itself: choosing one of a warp would take longer.
  COHORT_FN static void sync(uint32_t tile, [[maybe_unused]] uint32_t threads) {
    const uint32_t word = address(tile);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint64_t phase;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(word) : "memory");
    while (!is_over(word, phase)) {
    }
#else
    uint32_t before;
    asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], 1;" : "=r"(before) : "r"(word) : "memory");
    const uint32_t all = (before / threads + 1u) * threads;
    uint32_t now;
    do {
      asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(now) : "r"(word) : "memory");
    } while (static_cast<int32_t>(now - all) < 0);
#endif
  }

  // The sum of what both warps give; `speaks` in one thread of each.
  COHORT_FN static uint32_t sum(uint32_t tile, uint32_t threads, uint32_t warp, uint32_t value, bool speaks) {
    if (threads <= 32) return value;
    __shared__ uint32_t values[32];
    if (speaks) values[2 * tile + warp] = value;
    sync(tile, threads);
    const uint32_t both = values[2 * tile] + values[2 * tile + 1];
    sync(tile, threads);
    return both;
  }

 private:
  COHORT_FN static uint64_t* words() {
    __shared__ uint64_t words[16];
    return words;
  }
  COHORT_FN static uint32_t address(uint32_t tile) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(words() + tile));
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  COHORT_FN static bool is_over(uint32_t word, uint64_t phase) {
    uint32_t over;
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "mbarrier.try_wait.shared.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(over)
        : "r"(word), "l"(phase)
        : "memory");
#else
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "mbarrier.test_wait.shared.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(over)
        : "r"(word), "l"(phase)
        : "memory");
#endif
    return over != 0;
  }
#endif
};

}  // namespace ptx
}  // namespace cohort

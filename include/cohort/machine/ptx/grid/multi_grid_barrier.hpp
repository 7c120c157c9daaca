// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of the grids of a launch over several GPUs, in memory that all of them reach (PTX ISA, memory consistency
// model: scope .sys).
//
// A block arrives at its own GPU's counter of blocks. The last one arrives for the grid at all GPUs' counters of grids,
// and every block polls its own GPU's: one addition a GPU and barrier crosses each link. What the blocks of a GPU wrote
// is released with the last one's addition: order is cumulative over scopes.
//
// Where links have no atomics (PCIe), the last block writes a flag to each GPU instead, waits for the other grids'
// flags on its own, and moves its own GPU's counter by itself.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../port.hpp"

namespace cohort {
namespace ptx {

struct multi_grid_barrier {
  // Called by thread (0, 0, 0) of each block, after the block's other threads have arrived. The number of the barrier.
  //
  // The address depends on the thread only so that ptxas does not gather the lanes' additions: there is one lane.
  COHORT_FN static uint32_t arrive(const detail::multi_grid_descriptor& launch) {
    const bool first_block = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
    const uint32_t share = first_block ? one_barrier - (launch.blocks - 1u) : 1u;
    uint32_t before;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(global(&launch.words[launch.rank]->blocks + threadIdx.x)), "r"(share)
                 : "memory");
    const uint32_t number = before / one_barrier + 1u;
    if ((before + share) % one_barrier == 0) arrive_for_grid(launch, number);
    return number;
  }

  // False if the host ends the launch instead.
  COHORT_FN static bool wait(const detail::multi_grid_descriptor& launch, uint32_t number) {
    const uint32_t* const grids = &launch.words[launch.rank]->grids;
    for (uint32_t polls = 1; is_before(load(grids) / one_barrier, number); ++polls) {
      if (polls % polls_of_host == 0 && is_ended(launch)) return false;
    }
    acquire(grids);
    return true;
  }

 private:
  static constexpr uint32_t one_barrier = 1u << 16;
  static constexpr uint32_t polls_of_host = 1024;  // a look at the host's memory takes longer than a poll

  // A grid can be one barrier ahead. Numbers count modulo one_barrier.
  COHORT_FN static bool is_before(uint32_t seen, uint32_t number) { return ((seen - number) & one_barrier / 2) != 0; }

  COHORT_FN static void arrive_for_grid(const detail::multi_grid_descriptor& launch, uint32_t number) {
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    if (launch.links_add == 0) return write_flags(launch, number);
    const uint32_t share = launch.rank == 0 ? one_barrier - (launch.count - 1u) : 1u;
#pragma unroll 1
    for (uint32_t grid = 0; grid < launch.count; ++grid) add(&launch.words[grid]->grids + threadIdx.x, share);
  }

  COHORT_DEVICE static __attribute__((noinline)) void write_flags(const detail::multi_grid_descriptor& launch,
                                                                  uint32_t number) {
    for (uint32_t grid = 0; grid < launch.count; ++grid) {
      asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(global(&launch.words[grid]->flags[launch.rank])),
                   "r"(number)
                   : "memory");
    }
    detail::multi_grid_words* const mine = launch.words[launch.rank];
    for (uint32_t grid = 0; grid < launch.count; ++grid) {
      for (uint32_t polls = 1; is_before(load(&mine->flags[grid]), number); ++polls) {
        if (polls % polls_of_host == 0 && is_ended(launch)) return;
      }
    }
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    add(&mine->grids, one_barrier);
  }

  COHORT_FN static bool is_ended(const detail::multi_grid_descriptor& launch) {
    uint32_t number;
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(number) : "l"(launch.ended) : "memory");
    return number == launch.number;
  }

  COHORT_FN static uint64_t global(const void* address) { return __cvta_generic_to_global(address); }
  COHORT_FN static uint32_t load(const uint32_t* word) {
    uint32_t value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(global(word)) : "memory");
    return value;
  }
  COHORT_FN static void add(uint32_t* word, uint32_t share) {
    asm volatile("red.add.relaxed.sys.global.u32 [%0], %1;" ::"l"(global(word)), "r"(share) : "memory");
  }

  // After relaxed reads. The fence alone is enough, where there is one that only acquires.
  COHORT_FN static void acquire([[maybe_unused]] const uint32_t* word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208)
    asm volatile("fence.acquire.sys;" ::: "memory");
#else
    [[maybe_unused]] uint32_t value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(global(word)) : "memory");
#endif
  }
};

}  // namespace ptx
}  // namespace cohort

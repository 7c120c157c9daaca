// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of the barrier of all grids of a launch over several GPUs, in memory that all of them can access (PTX ISA,
// memory consistency model: scope .sys).
//
// A block arrives at the block counter of its own GPU. The last block of a GPU arrives for its grid at the grid counter
// of every GPU, and every block polls the grid counter of its own GPU. So each barrier sends one addition over each
// link. The last block's addition also releases the writes of the GPU's other blocks: order is cumulative over scopes.
//
// If links have no atomics (PCIe), the last block instead stores a flag on each GPU, polls the flags of the other grids
// on its own GPU, and then advances its own GPU's grid counter.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../identity.hpp"
#include "../memory.hpp"
#include "../port.hpp"
#include "arrival_share.hpp"
#include "poll_limit.hpp"

namespace cohort {
namespace ptx {

struct multi_grid_counter {
  /// An arrival under way.
  struct arrival {
    uint32_t before, share;
  };

  /// Adds the arrival of the caller's block, and does not wait for the counter. Called by one thread after the block's
  /// other threads have arrived. The addition only releases; the fence of the last block acquires.
  /// @param zero 0, computed from threadIdx to keep ptxas from aggregating the additions of several lanes
  COHORT_FN static arrival begin_arrival(const detail::multi_grid_descriptor& launch, uint32_t zero) {
    arrival begun;
    begun.share = arrival_share(identity::is_first_block(), one_barrier, [&] { return launch.blocks; });
    asm volatile("atom.add.release.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(begun.before)
                 : "l"(global(&launch.words[launch.rank]->blocks + zero)), "r"(begun.share)
                 : "memory");
    return begun;
  }
  /// Completes an arrival: the last block of a grid arrives for the grid.
  /// @return the number of the barrier: the token for wait()
  COHORT_FN static uint32_t end_arrival(const detail::multi_grid_descriptor& launch, const arrival& begun,
                                        uint32_t zero) {
    const uint32_t number = begun.before / one_barrier + 1u;
    if ((begun.before + begun.share) % one_barrier == 0) arrive_for_grid(launch, number, zero);
    return number;
  }
  /// begin_arrival() and end_arrival(), in thread (0, 0, 0).
  COHORT_FN static uint32_t arrive(const detail::multi_grid_descriptor& launch) {
    return end_arrival(launch, begin_arrival(launch, threadIdx.x), threadIdx.x);
  }

  /// Waits for barrier `number`. Returns false if the launch has ended instead: by the host, or at the limit of a wait.
  COHORT_FN static bool wait(const detail::multi_grid_descriptor& launch, uint32_t number) {
    const uint32_t* const grids = &launch.words[launch.rank]->grids;
    poll_limit limit;
    while (is_before(memory::load_system(grids) / one_barrier, number)) {
      if (limit.must_end(launch)) return false;
    }
    acquire(grids);
    return true;
  }

 private:
  static constexpr uint32_t one_barrier = 1u << 16;

  /// True if barrier `number` is not complete. Numbers count modulo one_barrier; a grid is at most one barrier ahead.
  COHORT_FN static bool is_before(uint32_t completed, uint32_t number) {
    return ((completed - number) & one_barrier / 2) != 0;
  }

  COHORT_FN static void arrive_for_grid(const detail::multi_grid_descriptor& launch, uint32_t number, uint32_t zero) {
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    if (launch.links_add == 0) return write_flags(launch, number);
    const uint32_t share = arrival_share(launch.rank == 0, one_barrier, [&] { return launch.count; });
#pragma unroll 1
    for (uint32_t grid = 0; grid < launch.count; ++grid) add(&launch.words[grid]->grids + zero, share);
  }

  COHORT_DEVICE static __attribute__((noinline)) void write_flags(const detail::multi_grid_descriptor& launch,
                                                                  uint32_t number) {
    for (uint32_t grid = 0; grid < launch.count; ++grid) {
      memory::store_system(&launch.words[grid]->flags[launch.rank], number);
    }
    detail::multi_grid_words* const mine = launch.words[launch.rank];
    poll_limit limit;
    for (uint32_t grid = 0; grid < launch.count; ++grid) {
      while (is_before(memory::load_system(&mine->flags[grid]), number)) {
        if (limit.must_end(launch)) return;
      }
    }
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    add(&mine->grids, one_barrier);
  }

  COHORT_FN static uint64_t global(const void* address) { return __cvta_generic_to_global(address); }
  COHORT_FN static void add(uint32_t* word, uint32_t share) {
    asm volatile("red.add.relaxed.sys.global.u32 [%0], %1;" ::"l"(global(word)), "r"(share) : "memory");
  }

  /// Orders memory after relaxed polls. Uses an acquire fence where the target and the compiler have one.
  COHORT_FN static void acquire([[maybe_unused]] const uint32_t* word) {
#if defined(COHORT_PTX_ONE_WAY_FENCES)
    memory::acquire(thread_scope_system);
#else
    [[maybe_unused]] uint32_t value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(global(word)) : "memory");
#endif
  }
};

}  // namespace ptx
}  // namespace cohort

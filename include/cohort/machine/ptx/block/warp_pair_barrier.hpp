// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a warp pair. Each warp publishes its arrival count in shared memory and polls its peer's.
//
// With many such warps in a block, the bottleneck is the multiprocessor's access to shared memory, which serves one
// warp after another. So accesses are few, all lanes poll by one instruction, and a vote keeps them converged.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../optimizer_barrier.hpp"
#include "warp_pair.hpp"

namespace cohort {
namespace ptx {

class warp_pair_barrier : public warp_pair {
 public:
  /// Barrier of both warps. All lanes add their arrival, each with release semantics: one instruction adds the ones of
  /// all lanes, and electing one lane would cost a branch.
  /// @pre the pair is full
  COHORT_FN void sync() const {
    arrive();
    warp_sync();  // a polling lane reads a count that includes all lanes of its own warp
    wait();
  }

  /// Barrier of a pair that may be partial: one elected lane adds the arrival of its warp.
  COHORT_FN void sync_partial() const {
    warp_sync();
    if (pin_here(lane_ == 0 && !is_alone_)) arrive();
    warp_sync();
    wait();
  }

 private:
  COHORT_FN void arrive() const {
    asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(address(&words().arrivals[warp_])) : "memory");
  }
  /// Polls until the peer's count reaches the caller's. The first two polls are unrolled: leaving a loop costs a jump.
  COHORT_FN void wait() const {
    if (!has_to_wait()) return;
    if (!has_to_wait()) return;
    while (has_to_wait()) {
    }
  }
  /// True while the caller's warp is ahead of its peer. Reads both counts by one load.
  COHORT_FN bool has_to_wait() const {
    const uint32_t upper = is_upper() ? ~0u : 0u;
    uint32_t waits;
    asm volatile(
        "{\n\t.reg .pred p;\n\t.reg .u32 ahead, other;\n\t"
        "ld.acquire.cta.shared.v2.u32 {ahead, other}, [%1];\n\t"
        "sub.u32 ahead, ahead, other;\n\t"
        "sub.u32 ahead, ahead, %2;\n\t"
        "xor.b32 ahead, ahead, %3;\n\t"
        "and.b32 ahead, ahead, 0x80000000;\n\t"
        "setp.eq.u32 p, ahead, 0;\n\t"
        "vote.sync.any.pred p, p, 0xffffffff;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(waits)
        : "r"(address(&words().arrivals[warp_ & ~1u])), "r"(upper + 1u), "r"(upper)
        : "memory");
    return waits != 0;
  }
};

}  // namespace ptx
}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by a group. They run as late as allowed: a read before the wait gives the old bytes, as it may on a GPU.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct copy {
  // Called by each thread of a group when it joins a copy of the group, with its rank in the group. Empty: under
  // --check the compiler's plugin inserts a call of the checker.
  COHORT_FN static void join(const void* /*to*/, const void* /*from*/, size_t /*bytes*/, uint32_t /*rank*/,
                             uint32_t /*threads*/) {}

  // Divides a copy into shares of whole cache lines: a long copy becomes a few long memcpys.
  COHORT_FN static void copy_share(void* to, const void* from, size_t bytes, size_t /*alignment*/, uint32_t rank,
                                   uint32_t count) {
    join(to, from, bytes, rank, count);
    constexpr size_t line = 64;
    const size_t lines = bytes / line + (bytes % line != 0 ? 1 : 0);
    const size_t share = (lines / count + (lines % count != 0 ? 1 : 0)) * line;
    const size_t begin = share * rank;
    if (begin >= bytes) return;
    const size_t length = bytes - begin < share ? bytes - begin : share;
    cohort_copy_later(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, length);
  }

  COHORT_FN static void copy_commit() { cohort_copy_commit(); }

  template <unsigned Stages>
  COHORT_FN static void copy_wait_prior() {
    cohort_wait_copies(Stages);
  }
};

}  // namespace cpu
}  // namespace cohort

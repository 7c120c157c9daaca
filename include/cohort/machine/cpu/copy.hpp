// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by a group. They are done when they are started; the stages exist for machines where they are not.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct copy {
  // Shares are whole cache lines where there are enough, so that a long copy is few long memcpys.
  COHORT_FN static void copy_share(void* to, const void* from, size_t bytes, size_t /*alignment*/, uint32_t rank,
                                   uint32_t count) {
    constexpr size_t line = 64;
    const size_t lines = bytes / line + (bytes % line != 0 ? 1 : 0);
    const size_t share = (lines / count + (lines % count != 0 ? 1 : 0)) * line;
    const size_t begin = share * rank;
    if (begin >= bytes) return;
    const size_t length = bytes - begin < share ? bytes - begin : share;
    __builtin_memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, length);
  }

  COHORT_FN static void copy_commit() {}

  template <unsigned Stages>
  COHORT_FN static void copy_wait_prior() {}
};

}  // namespace cpu
}  // namespace cohort

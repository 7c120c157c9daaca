// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limit of a wait for other grids: the host can end the launch, and the launch can have a longest wait.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../port.hpp"
#if COHORT_CHECKS_CALLS
#include "../check/wait_limit.hpp"
#endif

namespace cohort {
namespace ptx {

/// One wait for other grids. Host memory and the clock are read only once in polls_of_host polls, because that takes
/// longer than a poll.
class poll_limit {
 public:
  /// Called after each poll without success. True if the launch must end: the host has ended it, or this wait has
  /// lasted for longer than the launch permits. The host then finds the launch's number in `overdue`.
  COHORT_FN bool must_end(const detail::multi_grid_descriptor& launch) {
    return ++polls_ % polls_of_host == 0 && is_over(launch);
  }

 private:
  static constexpr uint32_t polls_of_host = 1024;

  COHORT_FN bool is_over(const detail::multi_grid_descriptor& launch) {
    uint32_t number;
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(number) : "l"(launch.ended) : "memory");
    if (number == launch.number) return true;
#if COHORT_CHECKS_CALLS
    if (limit_.is_over()) check_failure::report_wait({failure::absent_grids, launch.count, {}});
#endif
    if (launch.limit_ns == 0) return false;
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    if (begin_ == 0) begin_ = now;
    if (now - begin_ < launch.limit_ns) return false;
    asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(launch.overdue), "r"(launch.number) : "memory");
    return true;
  }

#if COHORT_CHECKS_CALLS
  wait_limit limit_;
#endif
  uint32_t polls_ = 0;
  uint64_t begin_ = 0;  // time of the first reading of the clock
};

}  // namespace ptx
}  // namespace cohort

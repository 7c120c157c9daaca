// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What barrier_arrive() gives to barrier_wait(): the phase of the barrier that the thread has arrived at.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {
namespace detail {

// The phase of a token that came from no arrival.
inline constexpr uint32_t no_arrival = 0xfffffffeu;

// One type for each kind of barrier, so that a token of another group does not compile. A token that came from no
// arrival may be declared and assigned to; waiting with it is reported.
template <barrier_kind Kind>
class arrival {
 public:
  arrival() = default;

  COHORT_FN static arrival arrive(const char* op_name) { return arrival(this_machine::arrive(Kind, op_name)); }
  COHORT_FN void wait(const char* op_name) const { this_machine::wait(Kind, phase_, op_name); }
  // With the token of the caller's arrival that no wait has used.
  COHORT_FN static void wait_newest(const char* op_name) { this_machine::wait(Kind, newest_arrival, op_name); }

 private:
  COHORT_FN explicit arrival(uint32_t phase) : phase_(phase) {}

  uint32_t phase_ = no_arrival;
};

}  // namespace detail
}  // namespace cohort

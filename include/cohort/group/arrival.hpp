// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The token of a split-phase barrier: barrier_arrive() returns it, barrier_wait() takes it. It holds the phase.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {
namespace detail {

// The phase of a token without an arrival.
inline constexpr uint32_t no_arrival = 0xfffffffeu;

// The token of one kind of barrier: a token of another kind of group does not compile. A token without an arrival may
// be declared and assigned to; the CPU reports a wait with it.
template <barrier_kind Kind>
class arrival {
 public:
  arrival() = default;

  COHORT_FN static arrival arrive(const char* op_name) { return arrival(this_machine::arrive(Kind, op_name)); }
  COHORT_FN void wait(const char* op_name) const { this_machine::wait(Kind, phase_, op_name); }
  // Waits with the token of the caller's latest arrival. pre: no wait has used this token
  COHORT_FN static void wait_newest(const char* op_name) { this_machine::wait(Kind, newest_arrival, op_name); }

 private:
  COHORT_FN explicit arrival(uint32_t phase) : phase_(phase) {}

  uint32_t phase_ = no_arrival;
};

}  // namespace detail
}  // namespace cohort

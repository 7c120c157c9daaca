// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: has_team_scan promises exclusive_scan_team, which is missing in this machine or has another type
#include <cohort/cohort.hpp>

struct machine : cohort::cpu::machine {
#if WRONG
  template <class T, class Op>
  static T exclusive_scan_team(uint32_t size, const T& value, Op& op, const char* op_name);
#endif
};

static_assert(sizeof(cohort::detail::complete_machine<machine>) != 0, "");

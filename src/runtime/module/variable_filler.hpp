// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filler bytes around device variables (COHORT_GUARD=strict): a write beyond a variable changes them. In a program with
// AddressSanitizer these bytes are red zones.
#pragma once

#include <cstddef>
#include <map>

#include <cohort/machine/cpu/port/module.hpp>

namespace cohort::runtime {

// The variables of a linked program or library, by their linked addresses. Each copy of them has the same layout.
class variable_filler {
 public:
  void add(const cohort_module& module);
  // Fills the gaps between and around the variables in [first, end), in the copy at distance `delta`.
  void fill(const char* first, const char* end, std::ptrdiff_t delta) const;
  // Turn the gaps that fill() fills into AddressSanitizer's red zones, and make them accessible again.
  void make_red_zones(const char* first, const char* end, std::ptrdiff_t delta) const;
  void end_red_zones(const char* first, const char* end, std::ptrdiff_t delta) const;
  // The first filler byte of the copy that was overwritten, or null.
  const char* find_damage(const char* first, const char* end, std::ptrdiff_t delta) const;
  // The variable that contains the linked address `at`, or the nearest one; false if there is none.
  bool find_nearest(const char* at, cohort_own_variable* found) const;

 private:
  // Calls visit(begin, end) for each range of filler, in linked addresses, until it returns false.
  template <class Visit>
  void visit_gaps(const char* first, const char* end, Visit visit) const;

  std::map<char*, uint64_t> variables_;  // address -> bytes
};

}  // namespace cohort::runtime

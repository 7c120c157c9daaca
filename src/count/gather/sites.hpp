// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sites that the program has reached, by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cohort/machine/cpu/port/count/counter.hpp>

namespace cohort::count {

// A copy of a site: its module may be unloaded before the report is written.
struct known_site {
  std::string file, function;  // empty if the compiler knows no source line
  uint32_t line = 0, column = 0;
  uint32_t bytes = 0;
  access_kind kind = access_kind::load;
  auto operator<=>(const known_site&) const = default;
};

// Returns the number of the site, which it gets at the first call.
uint32_t number_of(cohort_count_site& site);
// Element i is the site with number i; element 0 is no site.
std::vector<known_site> known_sites();

}  // namespace cohort::count

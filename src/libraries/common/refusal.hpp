// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence of a refused call, for calls whose status does not give the reason.
#pragma once

#include <cstdio>

namespace cohort::libraries {

inline void report_refusal(const char* name, const char* reason) {
  std::fprintf(stderr, "cohort: %s is refused: %s\n", name, reason);
}

}  // namespace cohort::libraries

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of functions that newer ones have replaced (older_forms.inc), for the search by version.
#pragma once

#include <span>

#include "cuda.h"

namespace cohort::runtime {

struct entry_point {
  const char* name;
  int version;
  void* function;
};

// The older forms. `of_thread`: stream 0 is the thread's default stream; false: the legacy default stream.
std::span<const entry_point> older_forms(bool of_thread);

}  // namespace cohort::runtime

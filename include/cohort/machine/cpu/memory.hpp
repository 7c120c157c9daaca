// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences, and the failure of a launch.
#pragma once

#include "../../base/config.hpp"
#include "../../base/cuda_error.hpp"
#include "../../base/scope.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct memory {
  // One fence serves all scopes: the threads of two blocks may run on one core or on two.
  COHORT_FN static void fence(thread_scope scope) {
    if (scope != thread_scope_thread) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }

  COHORT_FN static void fail(const char* message) { cohort_fail(error_launch_failure, "%s", message); }
};

}  // namespace cpu
}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a memory operation or a fence must be seen. Names and values are those of cuda::thread_scope.
#pragma once

namespace cohort {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 3,
};

}  // namespace cohort

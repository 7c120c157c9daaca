// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a block wait, and which arrivals no wait has followed yet: what --check=sync compares.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/check/checker.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace cohort::check {

struct thread_wait {
  uint64_t call = 0;            // number of the wait in the source and of the calls around it; 0: it does not wait
  const void* place = nullptr;  // return address
  wait_kind kind = wait_kind::warp;
  cohort_call_frame* frame = nullptr;  // the innermost call that the thread is in; null: it is in the kernel
  std::array<const void*, cohort_barriers> arrivals{};  // places of arrivals without a wait; null: none
};

using wait_table = std::vector<thread_wait>;  // by rank in the block

}  // namespace cohort::check

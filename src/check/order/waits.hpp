// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a block wait, and their arrivals without a wait yet: --check=sync compares both.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/check/checker.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace cohort::check {

struct thread_wait {
  uint64_t call = 0;            // identifies the wait in the source and the calls around it; 0: no wait
  const void* place = nullptr;  // return address of the wait
  wait_kind kind = wait_kind::warp;
  cohort_call_frame* frame = nullptr;  // the thread's innermost call; null: it is in the kernel
};

using thread_arrivals = std::array<const void*, cohort_barriers>;  // return addresses of arrivals without a wait

// Indexed by the rank in the block. Waits are frequent, arrivals rare: each has a table of its own.
using wait_table = std::vector<thread_wait>;
using arrival_table = std::vector<thread_arrivals>;

}  // namespace cohort::check

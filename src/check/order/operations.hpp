// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order of operations: launches, copies and fills, and what the host does between its calls of the runtime. Operations
// form chains, in each of which one follows the other. A vector with one position for each chain is what comes before.
//
// The host is one chain. All its threads count as one: how they wait for each other is not seen.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/memory/call_site.hpp"

namespace cohort::check {

enum class operation_sort : uint8_t { launch, copy, fill, release, host_function, host };

// Facts of an operation for reports.
struct operation_facts {
  operation_sort sort = operation_sort::launch;
  std::string kernel;
  const void* plain_kernel = nullptr;  // the code of a plain C++ kernel, from which facts_of() finds the name
  uint32_t grid[3] = {}, block[3] = {};
  const call_site* site = nullptr;  // where the host submitted it
};

// By chain: operations up to this position come before.
using operation_clock = std::vector<uint32_t>;

struct followed_operation {
  operation_clock before;
  uint32_t chain = 0;
  uint32_t position = 0;                // 0: a mark, or not submitted
  const call_site* site = nullptr;      // where the host submitted it
  bool host_waits = false;              // a launch in no stream: the call returns at its end
  uint32_t number = 0;                  // number in records of the operation's own accesses; 0: none yet
  uint32_t records_ordered_below = 0;   // records with earlier numbers come before; 0: unknown
  std::atomic<uint32_t> host_known{0};  // host chain position that the kernel acquired through flags
};

// Adds an edge: `op` waits for `earlier`.
void follow(followed_operation& op, const followed_operation& earlier);
// The host submits the operation, which has all its edges. `is_work`: false for a mark, which accesses nothing.
void submit(followed_operation& op, bool is_work);
// The runtime submits the operation as a part of the operation `running`. The host may have gone on since.
void submit_part(followed_operation& op, const followed_operation& running, bool is_work);
// The host has waited for the operation.
void wait_on_host(const followed_operation& op);

// A number for records of accesses by the operation or one of its grids, which begins to run.
uint32_t add_number(const followed_operation& op, operation_facts facts);
// The operation or grid with this number has ended.
void end_number(uint32_t number);
bool is_running(uint32_t number);
// The number for accesses of the host, until it submits the next operation.
uint32_t host_epoch();
// Grids of one launch.
bool in_one_launch(uint32_t a, uint32_t b);
operation_facts facts_of(uint32_t number);

// Whether the accesses with this number come before what `later` does. Null: before what the host does now.
bool comes_before(uint32_t earlier, const followed_operation* later);
// Whether they also come before all other operations that were submitted and have not ended. pre: they come before
// `later`
bool is_past(uint32_t earlier, const followed_operation* later);
// The operation has read a flag of the host, which orders it behind the host's access.
void acquire_host(followed_operation& op, uint32_t host_number);
// The host has read a flag of the operation with this number.
void host_acquires(uint32_t number);

}  // namespace cohort::check

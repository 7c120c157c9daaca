// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Happens-before of operations: launches, copies and fills, and what the host does between its calls of the runtime.
// Operations form chains; the operations of a chain are ordered. A vector clock has one position for each chain.
//
// The host is one chain. All its threads count as one: synchronisation between them is not observed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/memory/call_site.hpp"
#include "check/order/acquired_flags.hpp"

namespace cohort::check {

enum class operation_sort : uint8_t { launch, copy, fill, release, library, host_function, host };

// Facts of an operation for reports.
struct operation_facts {
  operation_sort sort = operation_sort::launch;
  std::string kernel;                  // name of the kernel, or of the library's function
  const void* plain_kernel = nullptr;  // code of a plain C++ kernel, for which facts_of() finds the name
  uint32_t grid[3] = {}, block[3] = {};
  const call_site* site = nullptr;  // where the host submitted it
};

// A vector clock: for each chain, the operations up to this position happen before.
using operation_clock = std::vector<uint32_t>;

struct followed_operation {
  operation_clock before;
  uint32_t chain = 0;
  uint32_t position = 0;               // 0: a mark, or not submitted
  const call_site* site = nullptr;     // where the host submitted it
  bool host_waits = false;             // a launch in no stream: the call returns after its end
  uint32_t number = 0;                 // identifies the operation in records of its own accesses; 0: none yet
  uint32_t records_ordered_below = 0;  // records with earlier numbers happen before; 0: unknown
  // For an operation that a kernel submits: the accesses that precede it, as flags have them, first those of the
  // launching thread, and the thread's launch, block and rank.
  acquired_flags launched_after;
  std::array<uint32_t, 3> launcher = {};
  std::atomic<uint32_t> host_known{0};  // position in the host's chain that the kernel acquired by flags
};

// Adds an edge: `op` begins after `earlier`.
void follow(followed_operation& op, const followed_operation& earlier);
// Submits the operation from the host. `is_work`: false for a mark, which accesses nothing. pre: all edges of the
// operation were added
void submit(followed_operation& op, bool is_work);
// Orders the operation, which a thread of `running` launches, after what precedes that grid. The accesses of the grid
// itself precede the operation only as far as `launched_after` has them.
void inherit_order(followed_operation& op, const followed_operation& running);
// Submits the operation as a part of the operation `running`. It does not follow what the host has done since.
void submit_part(followed_operation& op, const followed_operation& running, bool is_work);
// Orders the operation before what the host does next: the host has waited for it.
void wait_on_host(const followed_operation& op);

// Returns a number for records of accesses by the operation, or by one of its grids, which begins to run.
uint32_t add_number(const followed_operation& op, operation_facts facts);
// Marks the operation or grid with this number as ended.
void end_number(uint32_t number);
bool is_running(uint32_t number);
// Returns the number for accesses of the host until it submits the next operation.
uint32_t host_epoch();
// Whether two numbers belong to grids of one launch.
bool in_one_launch(uint32_t a, uint32_t b);
operation_facts facts_of(uint32_t number);

// Whether the accesses with this number happen before what `later` does. Null: before what the host does now.
bool comes_before(uint32_t earlier, const followed_operation* later);
// Whether these accesses also happen before all other submitted operations that have not ended. pre:
// comes_before(earlier, later)
bool is_past(uint32_t earlier, const followed_operation* later);
// Orders the host's accesses with `host_number` before what the operation does next: it has read a flag of the host.
void acquire_host(followed_operation& op, uint32_t host_number);
// Orders the accesses with this number before what the host does next: the host has read a flag of the operation.
void host_acquires(uint32_t number);

}  // namespace cohort::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrong uses of synchronisation that were found: each pair of source lines once for each launch, with a count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/memory/tool_ports.hpp"
#include "check/order/waits.hpp"
#include "check/report/report_text.hpp"

namespace cohort::check {

struct block_clock;

enum class sync_problem : uint8_t {
  divergent,          // the members of one barrier or collective waited at several places
  returned,           // a barrier of the grid completed without threads that had returned
  unwaited_copy,      // the thread of a copy returned without a wait for it
  unwaited_arrival,   // the thread of an arrival returned without its wait
  outlived_pointer,   // a pointer to shared or local memory is used outside of its block or thread
  constant_write,     // device code wrote a __constant__ variable
  partial_copy,       // a part of a group called its memcpy_async
  unfenced_product,   // a product of a warpgroup (wgmma) was started without wgmma.fence
  unfenced_write,     // a bulk copy or product reads what was written without fence.proxy.async after the write
  early_accumulator,  // an accumulator was accessed before the wait for its product
};

// Threads that do one thing at one place of the source.
struct sync_side {
  racing_access access;
  uint32_t threads = 1;
  std::vector<const void*> calls = {};  // the calls around the access, innermost first, without inlined ones
  std::string called_at = {};           // if both sides have one place: the call that tells them apart; empty: unknown
};
// One thread at a place of the source.
sync_side side_of(const block_clock& b, uint32_t thread, const void* place);

// Adds a finding. `second`: without code if the finding has one side.
void add_sync_problem(sync_problem problem, wait_kind kind, const sync_side& first, const sync_side& second);
// Adds a write of a constant. `memory` returns a phrase for the address, and is called for a new finding only.
void add_constant_write(const sync_side& writer, const void* address,
                        std::string (*memory)(const void* address, tools::block_view b), tools::block_view b);
// Adds a call of memcpy_async that not all threads of the group have made like `first`. `second`: threads with other
// arguments; without code if there are none.
void add_partial_copy(const sync_side& first, const sync_side& second, uint32_t threads_of_group);
// Adds a use of a pointer to `memory` of the thread or block `owner` by `user`.
void add_outlived_pointer(const sync_side& user, const sync_side& owner, const std::string& memory);

// Returns the findings since the last call, as text or JSON, and removes them.
std::string take_sync_findings(bool json);

}  // namespace cohort::check

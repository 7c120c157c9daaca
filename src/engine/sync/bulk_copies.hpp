// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies (cp.async.bulk): the rules that a kernel must keep when it starts one, and the moments at which copies
// are executed, which are the latest that PTX allows.
#pragma once

#include <cohort/machine/cpu/port/bulk_copy.hpp>
#include <cstdint>

#include "engine/state/block.hpp"

namespace cohort::engine {

// Starts a copy. Fails the launch if the copy breaks a rule. `place`: of the call, for reports.
void start_bulk_copy(const cohort_bulk_copy& copy, const void* place);

// Ends the newest bulk group of the current thread.
void commit_bulk_group();
// Executes the ended groups of the current thread but the latest `left`, or reads their sources only.
void wait_bulk_groups(uint32_t left, bool read);

// No lane of `b` can run: executes the copies for whose bytes one of them waits.
void make_awaited_copies(block& b);
// Lanes of `b` only spin, perhaps in loops around mbarrier.test_wait: executes all copies that an mbarrier counts.
void make_polled_copies(block& b);

// The current thread returns: executes its groups.
void end_bulk_groups(block& b, uint32_t thread_rank);

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for phases of mbarriers. Kernels initialise the word, arrive and test it themselves (port/mbarrier_state.hpp);
// the engine suspends the lanes that wait, and makes them ready when the phase is complete.
//
// A kernel reports each phase that it completes, so a lane misses none while phases follow each other. In addition, if
// no lane of a block can run, the engine tests the words again. A try_wait then returns false and its lane runs on; any
// other wait that remains is a deadlock.
#pragma once

#include <cohort/machine/cpu/port/mbarrier_state.hpp>

#include "engine/state/block.hpp"

namespace cohort::engine {

// Waits until phase `phase`, modulo 4, of the mbarrier is complete, and returns whether it is. With `forever` false the
// wait ends without success when no other lane can run.
bool wait_mbarrier(const uint64_t* word, uint32_t phase, bool forever, const void* place);

// The current lane has completed a phase of this mbarrier.
void mbarrier_completed(const uint64_t* word);

// Counts `bytes` bytes as complete, which a copy has moved: as mbarrier.complete_tx. True if they complete the phase.
// `name`: of the copy, for reports.
// pre: the mbarrier is in shared memory, which one worker uses
bool complete_bytes(uint64_t* word, uint64_t bytes, const char* name, const void* place);

// Makes ready the lanes of `b` whose phases are complete; true if there are any. `runs`: a lane of the block runs.
bool wake_mbarrier_waits(block& b, bool runs);
// Makes ready the lanes of `b` that only try to wait.
void end_mbarrier_tries(block& b);

}  // namespace cohort::engine

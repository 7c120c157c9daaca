// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a plain launch, one after another in the place of the first. The fiber of the gang that returned last stays
// on its stack: going home and back for each block took 100 ns, ten times as long as this.
#pragma once

#include <cstdint>

namespace cohort::engine {

struct block;
struct worker;

// Takes the next block, or cluster, of a plain launch for `w`: one that is left of those it has taken, or the first of
// `chunk` more. False if none is left to begin.
bool take_block(worker& w, uint32_t chunk, uint64_t& number);

// Makes all gangs of the launch's next block ready in the place of `b`. False if a lane of `b` has not returned, if no
// block is left, or if the home fiber must run first.
bool begin_next_block(worker& w, block& b);

}  // namespace cohort::engine

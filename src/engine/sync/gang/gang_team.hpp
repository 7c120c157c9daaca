// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, split-phase barriers and collectives of teams, for all lanes of a gang at once. A tile may hold several
// gangs, and a gang several tiles. A team whose threads are all in one gang needs no suspension: the gang runs the
// team's resolve function.
#pragma once

#include "engine/state/gang.hpp"

namespace cohort::engine {

// Implements cohort_gang_wait_team.
void gang_wait_team(uint32_t size, cohort_resolve_team resolve, void* const* operands, const uint32_t* lanes,
                    const char* op_name, const void* place);
// Arrives with the gang's live lanes at the split-phase barriers of their tiles.
void arrive_at_tiles(gang& g, int barrier, const char* op_name, const void* place);

// Implement cohort_gang_wait_arrive and cohort_gang_wait_token.
uint32_t gang_arrive(int barrier, const uint32_t* lanes, const char* op_name, const void* place);
void gang_wait_token(int barrier, const uint32_t* tokens, const uint32_t* lanes, const void* place);

// refuse_between_arrive_and_wait() for the live lanes of the gang's word `word`.
void refuse_gang_between_arrive_and_wait(gang& g, int barrier, uint32_t word, const void* place);

}  // namespace cohort::engine

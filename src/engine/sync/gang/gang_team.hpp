// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and collectives of teams, for all lanes of a gang at once. A tile may hold several gangs, and a gang several
// tiles. A team whose threads are all in one gang needs no suspension: the gang runs its resolve function.
#pragma once

#include "engine/state/gang.hpp"

namespace cohort::engine {

// See cohort_gang_wait_team.
void gang_wait_team(uint32_t size, cohort_resolve_team resolve, void* const* operands, const uint32_t* lanes,
                    const char* op_name, const void* place);
// The gang's live lanes arrive at the split-phase barriers of their tiles.
void arrive_at_tiles(gang& g, int barrier, const char* op_name, const void* place);

}  // namespace cohort::engine

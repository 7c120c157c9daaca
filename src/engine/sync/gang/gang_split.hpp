// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-phase barriers for all lanes of a gang at once. The lanes of a gang arrive and wait together, but may belong to
// several tiles.
#pragma once

#include "engine/state/gang.hpp"

namespace cohort::engine {

// See cohort_gang_wait_arrive and cohort_gang_wait_token.
uint32_t gang_arrive(int barrier, const uint32_t* lanes, const char* op_name, const void* place);
void gang_wait_token(int barrier, const uint32_t* tokens, const uint32_t* lanes, const void* place);

// refuse_between_arrive_and_wait() for the live lanes of the gang's word `word`.
void refuse_gang_between_arrive_and_wait(gang& g, int barrier, uint32_t word, const void* place);

}  // namespace cohort::engine

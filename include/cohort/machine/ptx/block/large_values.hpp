// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of values above 16 bytes, which have no slots in team_slots.hpp.
#pragma once

#include "../../contract/reference_team.hpp"
#include "../identity.hpp"
#include "../shuffle.hpp"
#include "../vote.hpp"
#include "../warp/lane_reduce.hpp"
#include "team_exchange.hpp"

namespace cohort {
namespace ptx {

struct exchange_primitives : identity, shuffles, vote, lane_reduce, team_exchange {};

/// The collectives that reference_team.hpp builds from warp reductions and exchange_warps(), in chunks of 128 bytes.
using large_values = detail::reference_team<exchange_primitives>;

}  // namespace ptx
}  // namespace cohort

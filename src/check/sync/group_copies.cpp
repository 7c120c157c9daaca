// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/group_copies.hpp"

#include <algorithm>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <string>

#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

using entry = group_copy_table::const_iterator;

// Whether no thread has made both calls.
bool are_disjoint(const group_copy_calls& a, const group_copy_calls& b) {
  for (size_t rank = 0; rank < a.by_rank.size(); ++rank) {
    if (a.by_rank[rank] != 0 && b.by_rank[rank] != 0) return false;
  }
  return true;
}

// Describes the threads that have made the call most often.
sync_side callers_of(const block_clock& b, const group_copy_calls& calls) {
  sync_side side = side_of(b, calls.thread, calls.place);
  side.threads = static_cast<uint32_t>(std::count(calls.by_rank.begin(), calls.by_rank.end(), calls.most));
  return side;
}

}  // namespace

void report_group_copies(const block_clock& b) {
  const group_copy_table& all = b.group_copies;
  std::vector<const group_copy_calls*> paired;
  for (entry at = all.begin(); at != all.end(); ++at) {
    const auto& [copy, calls] = *at;
    if (std::find(paired.begin(), paired.end(), &calls) != paired.end()) continue;
    // Calls of the same group by other threads with other arguments.
    const entry other = std::find_if(std::next(at), all.end(), [&](const auto& each) {
      return each.first.first == copy.first && each.first.threads == copy.threads && are_disjoint(calls, each.second);
    });
    const sync_side side = callers_of(b, calls);
    if (other == all.end()) {
      add_partial_copy(side, {}, copy.threads);
    } else {
      paired.push_back(&other->second);
      add_partial_copy(side, callers_of(b, other->second), copy.threads);
    }
  }
}

}  // namespace cohort::check

using namespace cohort::check;

extern "C" void cohort_check_group_copy(const void* to, const void* from, uint64_t bytes, uint32_t rank,
                                        uint32_t threads) {
  if (!checks_sync || rank >= threads || threads > lanes_per_warp * warps_per_block) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const uint32_t first = threads <= lanes_per_warp ? c.warp() * lanes_per_warp : c.thread - rank;
  const auto at = c.block->group_copies.try_emplace({first, threads, to, from, bytes}).first;
  group_copy_calls& calls = at->second;
  if (calls.total++ == 0) {
    calls.by_rank.resize(threads);
    calls.place = __builtin_return_address(0);
    calls.thread = c.thread;
  }
  calls.most = std::max(calls.most, ++calls.by_rank[rank]);
  if (calls.total == uint64_t{calls.most} * threads) c.block->group_copies.erase(at);
}

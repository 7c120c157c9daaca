// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that have returned from the kernel do not take part: no thread waits for them, and their values are not used.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::trace_op;

struct seen {
  unsigned int ballot, any_match, all_match, reduced, inclusive, exclusive;
  int from_returned, from_next, all, match_predicate;
};

COHORT_HOST_DEVICE bool returns_early(unsigned int thread) { return thread % 4 == 3 || thread % 32 == 8; }

COHORT_KERNEL void some_return(seen* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<32>(block);
  if (returns_early(me)) return;
  seen s;
  s.ballot = tile.ballot(1);
  s.all = tile.all(1);
  s.from_returned = tile.shfl(static_cast<int>(me) + 1, 3);
  s.from_next = tile.shfl_down(static_cast<int>(me) + 1, 1);
  s.any_match = tile.match_any(me % 2);
  s.all_match = tile.match_all(5, s.match_predicate);
  s.reduced = cg::reduce(tile, me, trace_op());
  s.inclusive = cg::inclusive_scan(tile, me, trace_op());
  s.exclusive = cg::exclusive_scan(tile, me, trace_op());
  tile.sync();
  block.sync();
  out[me] = s;
}

TEST(ReturnedLanes, TakeNoPart) {
  for (unsigned int threads : {2u, 10u, 32u, 50u}) {
    buffer<seen> out(threads);
    run({1, 1, 1}, {threads, 1, 1}, some_return, out.data());
    for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
      std::vector<unsigned int> present;
      unsigned int ballot = 0, parity[2] = {0, 0};
      for (unsigned int t : warp.members) {
        if (returns_early(t)) continue;
        present.push_back(t);
        ballot |= 1u << t % 32;
        parity[t % 2] |= 1u << t % 32;
      }
      const auto inclusive = model::inclusive(present, trace_op());
      const auto exclusive = model::exclusive(present, 0u, trace_op());
      for (std::size_t i = 0; i < present.size(); ++i) {
        const unsigned int t = present[i];
        SCOPED_TRACE(testing::Message() << "thread " << t << " of " << threads);
        const seen& s = out[t];
        EXPECT_EQ(s.ballot, ballot);
        EXPECT_EQ(s.all, 1);
        EXPECT_EQ(s.from_returned, 0);
        const bool next_is_there = t % 32 != 31 && t + 1 < threads && !returns_early(t + 1);
        EXPECT_EQ(s.from_next, next_is_there ? static_cast<int>(t) + 2 : 0);
        EXPECT_EQ(s.any_match, parity[t % 2]);
        EXPECT_EQ(s.all_match, ballot);
        EXPECT_EQ(s.match_predicate, 1);
        EXPECT_EQ(s.reduced, model::tree(present, trace_op()));
        EXPECT_EQ(s.inclusive, inclusive[i]);
        EXPECT_EQ(s.exclusive, exclusive[i]);
      }
    }
  }
}

// One thread waits first; the others return during its wait.
COHORT_KERNEL void others_return_later(unsigned int* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<8>(block);
  if (me % 8 == 0) out[me / 8] = cg::reduce(tile, me + 1, cg::plus<unsigned int>());
}

TEST(ReturnedLanes, AWaitingThreadGoesOnAlone) {
  buffer<unsigned int> out(4);
  run({1, 1, 1}, {32, 1, 1}, others_return_later, out.data());
  for (unsigned int i = 0; i < 4; ++i) EXPECT_EQ(out[i], 8 * i + 1);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_threads(): the lanes of a warp that reach the same call.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <random>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;

struct coalesced_values {
  unsigned int rank, size, meta_rank, meta_size, lanes;
};

COHORT_DEVICE coalesced_values look(const cg::coalesced_group& g) {
  const unsigned int bit = 1u << (cg::this_thread_block().thread_rank() % 32);
  coalesced_values s = {g.thread_rank(), g.num_threads(), g.meta_group_rank(), g.meta_group_size(), 0};
  for (unsigned int r = 0; r < g.size(); ++r) s.lanes |= g.shfl(bit, static_cast<int>(r));
  g.sync();
  return s;
}

// way[t] is the branch of thread t; the group is used again after the branches have converged.
COHORT_KERNEL void diverge(const unsigned char* way, coalesced_values* inside, coalesced_values* later,
                           coalesced_values* outside) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  coalesced_values again;
  if (way[me] == 0) {
    const auto g = cg::coalesced_threads();
    inside[me] = look(g);
    again = look(g);
  } else if (way[me] == 1) {
    const auto g = cg::coalesced_threads();
    inside[me] = look(g);
    again = look(g);
  } else {
    const auto g = cg::coalesced_threads();
    inside[me] = look(g);
    again = look(g);
  }
  later[me] = again;
  outside[me] = look(cg::coalesced_threads());
}

void check(unsigned int thread, const coalesced_values& s, const model::group& g) {
  unsigned int lanes = 0;
  for (unsigned int member : g.members) lanes |= 1u << member % 32;
  EXPECT_EQ(s.rank, g.rank_of(thread)) << thread;
  EXPECT_EQ(s.size, g.size()) << thread;
  EXPECT_EQ(s.meta_rank, 0u);
  EXPECT_EQ(s.meta_size, 1u);
  EXPECT_EQ(s.lanes, lanes) << thread;
}

// The group after the branches is not specified: it contains the caller, and all its members have the same group.
void check_consistent(unsigned int thread, const coalesced_values& s, const buffer<coalesced_values>& all,
                      const model::group& warp) {
  model::group g;
  for (unsigned int member : warp.members) {
    if (s.lanes >> member % 32 & 1) g.members.push_back(member);
  }
  EXPECT_TRUE(g.has(thread)) << thread;
  for (unsigned int member : g.members) EXPECT_EQ(all[member].lanes, s.lanes) << thread << " and " << member;
  check(thread, s, g);
}

TEST(Coalesced, HoldsTheThreadsOfABranch) {
  std::mt19937 random(3);
  for (const extent block : model::block_shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    buffer<unsigned char> way(threads);
    buffer<coalesced_values> inside(threads), later(threads), outside(threads);
    for (unsigned int t = 0; t < threads; ++t) way[t] = static_cast<unsigned char>(random() % 3);
    run({1, 1, 1}, block, diverge, way.data(), inside.data(), later.data(), outside.data());
    SCOPED_TRACE(testing::Message() << block.x << "x" << block.y << "x" << block.z);
    for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
      std::vector<unsigned char> ways;
      for (unsigned int t : warp.members) ways.push_back(way[t]);
      for (const auto& branch : model::by_label(warp, ways)) {
        for (unsigned int t : branch.members) {
          check(t, inside[t], model::group{branch.members, 0, 1});
          check(t, later[t], model::group{branch.members, 0, 1});
          check_consistent(t, outside[t], outside, warp);
        }
      }
    }
  }
}

// Threads 2, 4 and 8 of a warp form a group of three.
COHORT_KERNEL void three_threads(coalesced_values* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  if (me == 2 || me == 4 || me == 8) out[me] = look(cg::coalesced_threads());
}

TEST(Coalesced, ThreeThreads) {
  buffer<coalesced_values> out(32);
  run({1, 1, 1}, {32, 1, 1}, three_threads, out.data());
  const model::group g{{2, 4, 8}, 0, 1};
  for (unsigned int t : g.members) check(t, out[t], g);
}

// shfl_xor uses ranks; a thread without a partner keeps its own value.
COHORT_KERNEL void swap_ranks(const unsigned char* takes, unsigned int mask, unsigned int* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  out[me] = 0;
  if (takes[me]) {
    const auto g = cg::coalesced_threads();
    out[me] = g.shfl_xor(me + 1000, mask);
  }
}

TEST(Coalesced, ShuffleXorByRank) {
  std::mt19937 random(7);
  const unsigned int threads = 150;
  buffer<unsigned char> takes(threads);
  buffer<unsigned int> out(threads);
  for (const unsigned int mask : {0u, 1u, 2u, 5u, 16u, 31u, 32u, 0xffffffffu}) {
    for (unsigned int t = 0; t < threads; ++t) takes[t] = static_cast<unsigned char>(random() % 3 != 0);
    run({1, 1, 1}, {threads, 1, 1}, swap_ranks, takes.data(), mask, out.data());
    for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
      model::group g;
      for (unsigned int t : warp.members) {
        if (takes[t]) {
          g.members.push_back(t);
        } else {
          EXPECT_EQ(out[t], 0u) << t;
        }
      }
      for (unsigned int t : g.members) {
        const unsigned int other = g.rank_of(t) ^ mask;
        EXPECT_EQ(out[t], (other < g.size() ? g.members[other] : t) + 1000) << t << " mask " << mask;
      }
    }
  }
}

// Warp-aggregated increment: one thread of the group adds for all, and each thread gets its own slot.
COHORT_KERNEL void aggregate(const unsigned char* takes, int* counter, int* slot) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  slot[me] = -1;
  if (takes[me]) {
    const auto g = cg::coalesced_threads();
    int first = 0;
    if (g.thread_rank() == 0) first = __atomic_fetch_add(counter, static_cast<int>(g.size()), __ATOMIC_RELAXED);
    slot[me] = g.shfl(first, 0) + static_cast<int>(g.thread_rank());
  }
}

TEST(Coalesced, AggregatedIncrementGivesDistinctSlots) {
  std::mt19937 random(5);
  const unsigned int threads = 200;
  buffer<unsigned char> takes(threads);
  buffer<int> slot(threads), counter(1);
  int taken = 0;
  for (unsigned int t = 0; t < threads; ++t) taken += takes[t] = static_cast<unsigned char>(random() % 2);
  counter[0] = 0;
  run({1, 1, 1}, {threads, 1, 1}, aggregate, takes.data(), counter.data(), slot.data());
  EXPECT_EQ(counter[0], taken);
  std::vector<bool> used(static_cast<std::size_t>(taken));
  for (unsigned int t = 0; t < threads; ++t) {
    if (!takes[t]) {
      EXPECT_EQ(slot[t], -1);
      continue;
    }
    ASSERT_TRUE(slot[t] >= 0 && slot[t] < taken) << slot[t];
    EXPECT_FALSE(used[static_cast<std::size_t>(slot[t])]);
    used[static_cast<std::size_t>(slot[t])] = true;
  }
}

}  // namespace

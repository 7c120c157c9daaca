// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares every group with the model, for random blocks, nested random partitions and random values.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <random>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::trace_op;

constexpr int depth = 3;

struct input {
  unsigned int value;
  int label[depth];  // the cut of each level
  int source;
};

struct seen {
  unsigned int rank, size, meta_rank, meta_size, reduced, inclusive, exclusive, ballot, shuffled, match;
};

COHORT_DEVICE seen look(const cg::coalesced_group& g, const input& in) {
  seen s;
  s.rank = g.thread_rank();
  s.size = g.size();
  s.meta_rank = g.meta_group_rank();
  s.meta_size = g.meta_group_size();
  s.reduced = cg::reduce(g, in.value, trace_op());
  s.inclusive = cg::inclusive_scan(g, in.value, trace_op());
  s.exclusive = cg::exclusive_scan(g, in.value, trace_op());
  s.ballot = g.ballot(static_cast<int>(in.value & 1));
  s.shuffled = g.shfl(in.value, in.source);
  s.match = g.match_any(in.value % 3);
  return s;
}

// Level 0 partitions the warp by label, level 1 by predicate, level 2 into tiles of four ranks.
template <unsigned int Size>
COHORT_KERNEL void partition_again(const input* in, seen* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  const auto first = cg::labeled_partition(tile, in[me].label[0]);
  out[me * depth] = look(first, in[me]);
  const auto second = cg::binary_partition(first, in[me].label[1] % 2 == 1);
  out[me * depth + 1] = look(second, in[me]);
  out[me * depth + 2] = look(cg::tiled_partition(second, 4), in[me]);
}

void check(unsigned int thread, const seen& s, const model::group& g, const buffer<input>& in) {
  std::vector<unsigned int> values;
  unsigned int ballot = 0, match = 0;
  for (unsigned int r = 0; r < g.size(); ++r) {
    const unsigned int value = in[g.members[r]].value;
    values.push_back(value);
    ballot |= (value & 1) << r;
    match |= (value % 3 == in[thread].value % 3 ? 1u : 0u) << r;
  }
  const unsigned int rank = g.rank_of(thread);
  const int size = static_cast<int>(g.size());
  EXPECT_EQ(s.rank, rank);
  EXPECT_EQ(s.size, g.size());
  EXPECT_EQ(s.meta_rank, g.index);
  EXPECT_EQ(s.meta_size, g.count);
  EXPECT_EQ(s.reduced, model::tree(values, trace_op()));
  EXPECT_EQ(s.inclusive, model::inclusive(values, trace_op())[rank]);
  EXPECT_EQ(s.exclusive, model::exclusive(values, 0u, trace_op())[rank]);
  EXPECT_EQ(s.ballot, ballot);
  EXPECT_EQ(s.shuffled, values[static_cast<std::size_t>(((in[thread].source % size) + size) % size)]);
  EXPECT_EQ(s.match, match);
}

template <unsigned int Size>
void test_once(extent block, std::mt19937& random) {
  const unsigned int threads = static_cast<unsigned int>(block.count());
  SCOPED_TRACE(testing::Message() << "tile<" << Size << "> of " << block.x << "x" << block.y << "x" << block.z);
  buffer<input> in(threads);
  buffer<seen> out(threads * depth);
  const int labels = 1 + static_cast<int>(random() % 5);
  for (unsigned int t = 0; t < threads; ++t) {
    in[t].value = static_cast<unsigned int>(random());
    for (int& label : in[t].label) label = static_cast<int>(random()) % labels;
    in[t].source = static_cast<int>(random() % 80) - 40;
  }
  run({1, 1, 1}, block, partition_again<Size>, in.data(), out.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    std::vector<int> label;
    for (unsigned int t : tile.members) label.push_back(in[t].label[0]);
    for (const auto& first : model::by_label(tile, label)) {
      std::vector<bool> odd;
      for (unsigned int t : first.members) odd.push_back(in[t].label[1] % 2 == 1);
      for (const auto& second : model::by_predicate(first, odd)) {
        const auto thirds = model::tiles(second, 4);
        for (unsigned int t : second.members) {
          SCOPED_TRACE(testing::Message() << "thread " << t);
          check(t, out[t * depth], first, in);
          check(t, out[t * depth + 1], second, in);
          check(t, out[t * depth + 2], model::of(thirds, t), in);
        }
      }
    }
  }
}

TEST(Property, PartitionsOfPartitions) {
  std::mt19937 random(2026);
  for (int round = 0; round < 60; ++round) {
    const extent block{1 + static_cast<unsigned int>(random() % 20), 1 + static_cast<unsigned int>(random() % 5),
                       1 + static_cast<unsigned int>(random() % 3)};
    test_once<32>(block, random);
    test_once<16>(block, random);
    test_once<8>(block, random);
  }
}

}  // namespace

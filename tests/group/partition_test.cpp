// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiled_partition with a run-time size, labeled_partition, binary_partition: members, ranks and meta ranks.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <random>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;

struct partition_values {
  unsigned int rank, size, meta_rank, meta_size, lanes;
};

COHORT_DEVICE unsigned int lane_bit() { return 1u << (cg::this_thread_block().thread_rank() % 32); }

COHORT_DEVICE partition_values look_at_part(const cg::coalesced_group& g) {
  partition_values s;
  s.rank = g.thread_rank();
  s.size = g.num_threads();
  s.meta_rank = g.meta_group_rank();
  s.meta_size = g.meta_group_size();
  // A ring of shuffles collects the lanes of the group: each thread passes the set to the next member, which adds its
  // bit.
  s.lanes = 0;
  for (unsigned int r = 0; r < g.size(); ++r) s.lanes |= g.shfl(lane_bit(), static_cast<int>(r));
  return s;
}

void check_part(unsigned int thread, const partition_values& s, const model::group& g) {
  SCOPED_TRACE(testing::Message() << "thread " << thread);
  unsigned int lanes = 0;
  for (unsigned int member : g.members) lanes |= 1u << member % 32;
  EXPECT_EQ(s.rank, g.rank_of(thread));
  EXPECT_EQ(s.size, g.size());
  EXPECT_EQ(s.meta_rank, g.index);
  EXPECT_EQ(s.meta_size, g.count);
  EXPECT_EQ(s.lanes, lanes);
}

// -- Tiles with a run-time size --------------------------------------------------------------------------

struct seen_group {
  unsigned long long rank, size;
  unsigned int type;
  bool valid;
};

COHORT_DEVICE seen_group look_at_part(const cg::thread_group& g) {
  g.sync();
  return {g.thread_rank(), g.size(), g.get_type(), g.is_valid()};
}

COHORT_KERNEL void cut_at_run_time(unsigned int size, seen_group* of_block, seen_group* of_handle,
                                   seen_group* of_tile) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const cg::thread_group handle = block;
  of_block[me] = look_at_part(cg::tiled_partition(block, size));
  of_handle[me] = look_at_part(cg::tiled_partition(handle, size));
  of_tile[me] = look_at_part(cg::tiled_partition(cg::tiled_partition<16>(block), size));
}

void check_part(unsigned int thread, const seen_group& s, const model::group& g) {
  EXPECT_EQ(s.rank, g.rank_of(thread)) << thread;
  EXPECT_EQ(s.size, g.size()) << thread;
  EXPECT_EQ(s.type, 1u);
  EXPECT_TRUE(s.valid);
}

TEST(Partition, DynamicTilesOfBlocksAndTiles) {
  for (const extent block : model::block_shapes()) {
    for (unsigned int size : {1u, 2u, 4u, 8u, 16u, 32u}) {
      const unsigned int threads = static_cast<unsigned int>(block.count());
      SCOPED_TRACE(testing::Message() << block.x << "x" << block.y << "x" << block.z << " by " << size);
      buffer<seen_group> of_block(threads), of_handle(threads), of_tile(threads);
      run({1, 1, 1}, block, cut_at_run_time, size, of_block.data(), of_handle.data(), of_tile.data());
      const auto tiles = model::tiles(model::whole_block(threads), size);
      const auto tiles16 = model::tiles(model::whole_block(threads), 16);
      for (unsigned int t = 0; t < threads; ++t) {
        check_part(t, of_block[t], model::of(tiles, t));
        check_part(t, of_handle[t], model::of(tiles, t));
        check_part(t, of_tile[t], model::of(model::tiles(model::of(tiles16, t), size), t));
      }
    }
  }
}

// An irregular half of the threads: the ranks of a group are not adjacent lanes.
COHORT_HOST_DEVICE bool is_chosen(unsigned int thread) { return thread * 7 % 11 % 2 == 1; }

COHORT_KERNEL void cut_coalesced(unsigned int size, partition_values* out) {
  const auto block = cg::this_thread_block();
  const auto chosen = cg::binary_partition(cg::tiled_partition<32>(block), is_chosen(block.thread_rank()));
  out[block.thread_rank()] = look_at_part(cg::tiled_partition(chosen, size));
}

TEST(Partition, DynamicTilesOfACoalescedGroupGoByRank) {
  for (unsigned int threads : {2u, 11u, 20u, 32u, 50u, 64u}) {
    for (unsigned int size : {1u, 2u, 4u, 8u, 16u, 32u}) {
      SCOPED_TRACE(testing::Message() << threads << " by " << size);
      buffer<partition_values> out(threads);
      run({1, 1, 1}, {threads, 1, 1}, cut_coalesced, size, out.data());
      for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
        std::vector<bool> chosen;
        for (unsigned int t : warp.members) chosen.push_back(is_chosen(t));
        for (const auto& side : model::by_predicate(warp, chosen)) {
          for (const auto& tile : model::tiles(side, size)) {
            for (unsigned int t : tile.members) check_part(t, out[t], tile);
          }
        }
      }
    }
  }
}

// Tiles of 8 in 20 threads: the third tile has 4 threads and is number 2 of 3.
COHORT_KERNEL void cut_ragged(partition_values* out) {
  const auto block = cg::this_thread_block();
  const auto all = cg::binary_partition(cg::tiled_partition<32>(block), true);
  out[block.thread_rank()] = look_at_part(cg::tiled_partition(all, 8));
}

TEST(Partition, MetaRankOfARaggedTileIsBelowMetaSize) {
  buffer<partition_values> out(20);
  run({1, 1, 1}, {20, 1, 1}, cut_ragged, out.data());
  for (unsigned int t = 0; t < 20; ++t) {
    EXPECT_EQ(out[t].meta_rank, t / 8);
    EXPECT_EQ(out[t].meta_size, 3u);
    EXPECT_EQ(out[t].size, t < 16 ? 8u : 4u);
  }
}

COHORT_KERNEL void cut_by(unsigned int size) { cg::tiled_partition(cg::this_thread_block(), size).sync(); }

#if !COHORT_CUDA_SOURCE
TEST(Partition, BadDynamicSizeFailsTheLaunch) {
  for (unsigned int size : {0u, 3u, 33u, 64u, 0x80000000u}) {
    testing::internal::CaptureStderr();
    const cohort::error e = cohort::launch({1}, {32}, cut_by, size);
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_EQ(e.number(), 719) << size;
    EXPECT_NE(report.find("the size must be 1, 2, 4, 8, 16 or 32"), std::string::npos) << report;
  }
}

template <class Group>
void test_cannot_be_cut(const char* what, Group (*make)()) {
  testing::internal::CaptureStderr();
  const cohort::error e = cohort::launch_cooperative(1, 32, [=] {
    const cg::thread_group group = make();
    cg::tiled_partition(group, 8).sync();
  });
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_EQ(e.number(), 719);
  const std::string sentence = std::string("a ") + what + " cannot be cut into tiles: cut this_thread_block()";
  EXPECT_NE(report.find(sentence), std::string::npos) << report;
}

TEST(Partition, CuttingWhatSpansBlocksFailsTheLaunch) {
  test_cannot_be_cut("cluster", cg::this_cluster);
  test_cannot_be_cut("grid", +[] { return cg::this_grid(); });
  test_cannot_be_cut("multi-grid", cg::this_multi_grid);
}
#endif

// -- Labels and predicates -------------------------------------------------------------------------------

template <class Label, unsigned int Size>
COHORT_KERNEL void label_tile(const Label* labels, partition_values* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  out[block.thread_rank()] = look_at_part(cg::labeled_partition(tile, labels[block.thread_rank()]));
}

// Partitions by label each group of a binary partition, whose lanes are not adjacent.
template <class Label>
COHORT_KERNEL void label_coalesced(const Label* labels, partition_values* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto chosen = cg::binary_partition(cg::tiled_partition<32>(block), is_chosen(me));
  out[me] = look_at_part(cg::labeled_partition(chosen, labels[me]));
}

template <class Label>
std::vector<Label> of_members(const model::group& g, const buffer<Label>& labels) {
  std::vector<Label> list;
  for (unsigned int t : g.members) list.push_back(labels[t]);
  return list;
}

template <class Label, unsigned int Size, class Make>
void test_labels(unsigned int threads, Make make) {
  SCOPED_TRACE(testing::Message() << threads << " threads, tile<" << Size << ">");
  buffer<Label> labels(threads);
  for (unsigned int t = 0; t < threads; ++t) labels[t] = make(t);
  buffer<partition_values> of_tile(threads), of_coalesced(threads);
  run({1, 1, 1}, {threads, 1, 1}, label_tile<Label, Size>, labels.data(), of_tile.data());
  run({1, 1, 1}, {threads, 1, 1}, label_coalesced<Label>, labels.data(), of_coalesced.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    const auto groups = model::by_label(tile, of_members(tile, labels));
    for (unsigned int t : tile.members) check_part(t, of_tile[t], model::of(groups, t));
  }
  for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
    std::vector<bool> chosen;
    for (unsigned int t : warp.members) chosen.push_back(is_chosen(t));
    for (const auto& side : model::by_predicate(warp, chosen)) {
      const auto groups = model::by_label(side, of_members(side, labels));
      for (unsigned int t : side.members) check_part(t, of_coalesced[t], model::of(groups, t));
    }
  }
}

TEST(Partition, LabelsOfEveryType) {
  std::mt19937 random(7);
  static int storage[4];
  for (unsigned int threads : {1u, 7u, 31u, 32u, 33u, 64u, 90u}) {
    test_labels<int, 32>(threads, [&](unsigned int) { return static_cast<int>(random() % 5) - 2; });
    test_labels<char, 16>(threads, [&](unsigned int) { return static_cast<char>(random() % 3); });
    test_labels<unsigned short, 8>(threads, [&](unsigned int t) { return static_cast<unsigned short>(40000 + t); });
    test_labels<long long, 32>(threads, [&](unsigned int) { return (static_cast<long long>(random() % 3)) << 40; });
    test_labels<int*, 4>(threads, [&](unsigned int) { return storage + random() % 4; });
    test_labels<int, 32>(threads, [&](unsigned int) { return 9; });
  }
}

template <unsigned int Size>
COHORT_KERNEL void split(const unsigned char* predicates, partition_values* binary, partition_values* labeled,
                         partition_values* twice) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  const bool mine = predicates[me] % 2 == 1;
  const auto side = cg::binary_partition(tile, mine);
  binary[me] = look_at_part(side);
  labeled[me] = look_at_part(cg::labeled_partition(tile, mine));
  twice[me] = look_at_part(cg::binary_partition(side, predicates[me] > 1));
}

template <unsigned int Size>
void test_split(unsigned int threads, unsigned int seed) {
  SCOPED_TRACE(testing::Message() << threads << " threads, tile<" << Size << ">, seed " << seed);
  std::mt19937 random(seed);
  buffer<unsigned char> predicates(threads);
  for (unsigned int t = 0; t < threads; ++t) predicates[t] = static_cast<unsigned char>(random() % 4);
  buffer<partition_values> binary(threads), labeled(threads), twice(threads);
  run({1, 1, 1}, {threads, 1, 1}, split<Size>, predicates.data(), binary.data(), labeled.data(), twice.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    std::vector<bool> odd;
    for (unsigned int t : tile.members) odd.push_back(predicates[t] % 2 == 1);
    for (const auto& side : model::by_predicate(tile, odd)) {
      std::vector<bool> large;
      for (unsigned int t : side.members) large.push_back(predicates[t] > 1);
      const auto sides = model::by_predicate(side, large);
      for (unsigned int t : side.members) {
        check_part(t, binary[t], side);
        check_part(t, labeled[t], side);
        check_part(t, twice[t], model::of(sides, t));
      }
    }
  }
}

TEST(Partition, TwoSides) {
  for (unsigned int seed = 0; seed < 4; ++seed) {
    for (unsigned int threads : {1u, 2u, 19u, 32u, 47u, 64u}) {
      test_split<32>(threads, seed);
      test_split<8>(threads, seed);
      test_split<1>(threads, seed);
    }
  }
}

}  // namespace

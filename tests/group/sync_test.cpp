// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers: writes before a barrier are visible after it to the threads of the group.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <utility>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::run_cooperative;

constexpr unsigned int sync_rounds = 5;

// In each round a thread writes its number and reads that of the next thread of the group.
template <class Group>
COHORT_DEVICE unsigned int pass_around(const Group& g, unsigned int* box, unsigned int first, unsigned int members) {
  const unsigned int rank = static_cast<unsigned int>(g.thread_rank());
  unsigned int sum = 0;
  for (unsigned int round = 0; round < sync_rounds; ++round) {
    box[first + rank] = round * 1000 + rank;
    cg::sync(g);
    sum += box[first + (rank + 1) % members];
    g.sync();
  }
  return sum;
}

unsigned int expected_sum(unsigned int rank, unsigned int members) {
  unsigned int sum = 0;
  for (unsigned int round = 0; round < sync_rounds; ++round) sum += round * 1000 + (rank + 1) % members;
  return sum;
}

COHORT_KERNEL void in_block(unsigned int* box, unsigned int* out) {
  const auto block = cg::this_thread_block();
  const unsigned int first = block.group_index().x * block.size();
  out[first + block.thread_rank()] = pass_around(block, box, first, block.size());
}

TEST(Sync, Block) {
  for (const extent block : model::block_shapes()) {
    const unsigned int threads = static_cast<unsigned int>(block.count());
    buffer<unsigned int> box(2 * threads), out(2 * threads);
    run({2, 1, 1}, block, in_block, box.data(), out.data());
    for (unsigned int i = 0; i < 2 * threads; ++i) EXPECT_EQ(out[i], expected_sum(i % threads, threads));
  }
}

template <unsigned int Size>
COHORT_KERNEL void in_tile(unsigned int* box, unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned int me = block.thread_rank(), first = me / Size * Size;
  const unsigned int left = block.size() - first;
  // The tiles run independently: tile n runs n + 1 times.
  for (unsigned int i = 0; i <= me / Size; ++i) out[me] = pass_around(tile, box, first, left < Size ? left : Size);
}

template <unsigned int Size>
void test_tile() {
  for (unsigned int threads : {1u, 20u, 32u, 33u, 70u}) {
    buffer<unsigned int> box(threads), out(threads);
    run({1, 1, 1}, {threads, 1, 1}, in_tile<Size>, box.data(), out.data());
    for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
      for (unsigned int t : tile.members) {
        EXPECT_EQ(out[t], expected_sum(tile.rank_of(t), static_cast<unsigned int>(tile.size()))) << t;
      }
    }
  }
}

TEST(Sync, Tile) {
  test_tile<32>();
  test_tile<16>();
  test_tile<8>();
  test_tile<4>();
  test_tile<2>();
}

COHORT_KERNEL void in_coalesced(unsigned int* box, unsigned int* out) {
  const unsigned int me = cg::this_thread_block().thread_rank();
  if (me % 3 == 1) {
    const auto g = cg::coalesced_threads();
    out[me] = pass_around(g, box, me / 32 * 32, g.size());
  }
}

TEST(Sync, Coalesced) {
  const unsigned int threads = 75;
  buffer<unsigned int> box(96), out(threads);
  run({1, 1, 1}, {threads, 1, 1}, in_coalesced, box.data(), out.data());
  for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
    model::group g;
    for (unsigned int t : warp.members) {
      if (t % 3 == 1) g.members.push_back(t);
    }
    for (unsigned int t : g.members) {
      EXPECT_EQ(out[t], expected_sum(g.rank_of(t), static_cast<unsigned int>(g.size()))) << t;
    }
  }
}

COHORT_KERNEL void in_grid(unsigned int* box, unsigned int* out) {
  const auto grid = cg::this_grid();
  out[grid.thread_rank()] = pass_around(grid, box, 0, static_cast<unsigned int>(grid.size()));
}

TEST(Sync, Grid) {
  for (const extent grid : {extent{1, 1, 1}, extent{3, 1, 1}, extent{2, 2, 1}}) {
    for (const extent block : {extent{1, 1, 1}, extent{33, 1, 1}, extent{4, 4, 4}}) {
      const unsigned int threads = static_cast<unsigned int>(grid.count() * block.count());
      buffer<unsigned int> box(threads), out(threads);
      run_cooperative(grid, block, in_grid, box.data(), out.data());
      for (unsigned int i = 0; i < threads; ++i) EXPECT_EQ(out[i], expected_sum(i, threads)) << i;
    }
  }
}

// Each thread arrives, does other work and waits: no thread reads before all have written.
COHORT_KERNEL void arrive_and_wait(unsigned int* box, unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const unsigned int me = block.thread_rank(), size = block.size();
  unsigned int* const mine = box + block.group_index().x * size;
  unsigned int sum = 0;
  for (unsigned int round = 0; round < sync_rounds; ++round) {
    mine[me] = round + me;
    auto token = block.barrier_arrive();
    sum += round;
    block.barrier_wait(std::move(token));
    sum += mine[(me + 1) % size];
    auto grid_token = grid.barrier_arrive();
    grid.barrier_wait(std::move(grid_token));
  }
  out[grid.thread_rank()] = sum;
}

TEST(Sync, BarrierInTwoHalves) {
  const unsigned int threads = 40;
  buffer<unsigned int> box(2 * threads), out(2 * threads);
  run_cooperative({2, 1, 1}, {threads, 1, 1}, arrive_and_wait, box.data(), out.data());
  for (unsigned int i = 0; i < 2 * threads; ++i) {
    unsigned int expected = 0;
    for (unsigned int round = 0; round < sync_rounds; ++round) expected += 2 * round + (i % threads + 1) % threads;
    EXPECT_EQ(out[i], expected) << i;
  }
}

#if !COHORT_CUDA_SOURCE
COHORT_KERNEL void sync_grid() { cg::this_grid().sync(); }
COHORT_KERNEL void arrive_grid() { cg::this_grid().barrier_wait(cg::this_grid().barrier_arrive()); }
COHORT_KERNEL void sync_handle() {
  const cg::thread_group any = cg::this_grid();
  any.sync();
}

TEST(Sync, GridOfAPlainLaunchFails) {
  for (auto* kernel : {sync_grid, arrive_grid, sync_handle}) {
    testing::internal::CaptureStderr();
    const cohort::error e = cohort::launch({2}, {32}, kernel);
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_EQ(e.number(), 719);
    EXPECT_NE(report.find("cooperative"), std::string::npos) << report;
  }
}
#endif

}  // namespace

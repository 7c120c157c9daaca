// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// invoke_one, invoke_one_broadcast, broadcast: one thread calls, and all get the result.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;

enum { of_block, of_grid, of_handle, of_tile, of_coalesced, kinds };

COHORT_KERNEL void count_calls(int* calls, int* arguments) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const unsigned long long me = grid.thread_rank();
  const auto note = [&](int kind, int argument) {
    calls[me * kinds + static_cast<unsigned int>(kind)] += 1;
    arguments[me * kinds + static_cast<unsigned int>(kind)] = argument;
  };
  for (int kind = 0; kind < kinds; ++kind) calls[me * kinds + static_cast<unsigned int>(kind)] = 0;
  const auto tile = cg::tiled_partition<8>(block);
  const cg::thread_group handle = cg::tiled_partition(block, 4);
  //! [invoke_one]
  cg::invoke_one(block, note, of_block, 1);
  cg::invoke_one(grid, note, of_grid, 2);
  cg::invoke_one(handle, note, of_handle, 3);
  cg::invoke_one(tile, note, of_tile, 4);
  cg::invoke_one(cg::binary_partition(tile, block.thread_rank() % 2 == 1), note, of_coalesced, 5);
  //! [invoke_one]
}

TEST(Invoke, ExactlyOneThreadOfEachGroupCalls) {
  const unsigned int threads = 42, blocks = 3;
  buffer<int> calls(blocks * threads * kinds), arguments(blocks * threads * kinds);
  run({blocks, 1, 1}, {threads, 1, 1}, count_calls, calls.data(), arguments.data());
  const auto sum = [&](unsigned int block, const model::group& g, int kind) {
    int total = 0;
    for (unsigned int t : g.members) {
      const std::size_t at = (block * threads + t) * kinds + static_cast<std::size_t>(kind);
      total += calls[at];
      if (calls[at] != 0) {
        EXPECT_EQ(arguments[at], kind + 1);
      }
    }
    return total;
  };
  int in_grid = 0;
  for (unsigned int b = 0; b < blocks; ++b) {
    const auto block = model::whole_block(threads);
    EXPECT_EQ(sum(b, block, of_block), 1);
    in_grid += sum(b, block, of_grid);
    for (const auto& tile : model::tiles(block, 4)) EXPECT_EQ(sum(b, tile, of_handle), 1);
    for (const auto& tile : model::tiles(block, 8)) {
      EXPECT_EQ(sum(b, tile, of_tile), 1);
      std::vector<bool> odd;
      for (unsigned int t : tile.members) odd.push_back(t % 2 == 1);
      for (const auto& side : model::by_predicate(tile, odd)) EXPECT_EQ(sum(b, side, of_coalesced), 1);
    }
  }
  EXPECT_EQ(in_grid, 1);
}

struct large {
  int parts[20];
};
struct no_default {
  int value;
  COHORT_HOST_DEVICE explicit no_default(int v) : value(v) {}
};

COHORT_KERNEL void learn(int* calls, int* values, int* large_values, int* from_coalesced) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  calls[me] = 0;
  const auto tile = cg::tiled_partition<8>(block);
  int changed = 0;
  values[me] = cg::invoke_one_broadcast(
                   tile,
                   [&](int base) {
                     ++calls[me];
                     changed = 1;
                     return no_default(base + static_cast<int>(me));
                   },
                   1000)
                   .value;
  large_values[me] = cg::invoke_one_broadcast(tile, [&] {
                       large l{};
                       l.parts[19] = static_cast<int>(me) * 3;
                       return l;
                     }).parts[19];
  int number = static_cast<int>(me) + 7;
  const auto g = cg::binary_partition(tile, me % 2 == 1);
  from_coalesced[me] = cg::invoke_one_broadcast(g, [&]() -> int& { return number; });
  calls[me] += 10 * changed;
}

TEST(Invoke, BroadcastsTheResult) {
  const unsigned int threads = 29;
  buffer<int> calls(threads), values(threads), large_values(threads), from_coalesced(threads);
  run({1, 1, 1}, {threads, 1, 1}, learn, calls.data(), values.data(), large_values.data(), from_coalesced.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), 8)) {
    int total = 0;
    for (unsigned int t : tile.members) total += calls[t];
    EXPECT_EQ(total, 11);
    for (unsigned int t : tile.members) {
      // The thread that called belongs to the tile.
      const int caller = values[t] - 1000;
      EXPECT_TRUE(tile.has(static_cast<unsigned int>(caller)));
      EXPECT_EQ(calls[static_cast<std::size_t>(caller)], 11);
      EXPECT_EQ(large_values[t], caller * 3);
      EXPECT_EQ(from_coalesced[t], from_coalesced[tile.members[t % 2 == tile.members[0] % 2 ? 0 : 1]]);
      EXPECT_EQ((from_coalesced[t] - 7) % 2, static_cast<int>(t % 2));
    }
  }
}

COHORT_KERNEL void tell_all(int* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<4>(block);
  out[2 * me] = cohort::broadcast(tile, static_cast<int>(me));
  out[2 * me + 1] = cohort::broadcast(tile, static_cast<int>(me), 2);
}

TEST(Invoke, Broadcast) {
  buffer<int> out(32);
  run({1, 1, 1}, {16, 1, 1}, tell_all, out.data());
  for (int t = 0; t < 16; ++t) {
    EXPECT_EQ(out[static_cast<std::size_t>(2 * t)], t / 4 * 4);
    EXPECT_EQ(out[static_cast<std::size_t>(2 * t + 1)], t / 4 * 4 + 2);
  }
}

}  // namespace

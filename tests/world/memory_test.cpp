// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions in a world, its barriers, its symmetric memory and puts of odd sizes.
#include <gtest/gtest.h>

#include <cstdint>
#include <model/kernel_test.hpp>

#include "symmetric.hpp"
#include "the_world.hpp"

namespace {

using namespace testing_kernels;

void expect_success(cohort::error e) { ASSERT_FALSE(e) << cohort::message(e); }
bool is_own(const cohort::world& w, int rank) { return rank >= w.rank() && rank < w.rank() + w.local_size(); }

// Counts errors in the symmetric memory of each rank.
COHORT_DEVICE void check(bool right, int* errors) {
#if COHORT_ON_GPU
  if (!right) atomicAdd(errors, 1);
#else
  if (!right) __atomic_fetch_add(errors, 1, __ATOMIC_RELAXED);
#endif
}

COHORT_KERNEL void positions(int ranks, int* symmetric_errors) {
  const auto world = cohort::this_world();
  int* errors = world.on(symmetric_errors, world.rank());
  const auto grid = cohort::this_grid();
  check(world.is_valid() && cohort::is_group_v<cohort::world_group>, errors);
  check(static_cast<int>(world.num_ranks()) == ranks && world.rank() < world.num_ranks(), errors);
  check(world.num_threads() == grid.num_threads() * world.num_ranks() && world.size() == world.num_threads(), errors);
  check(world.thread_rank() == world.rank() * grid.num_threads() + grid.thread_rank(), errors);
  const cohort::thread_group& any = world;
  check(any.num_threads() == world.num_threads() && any.thread_rank() == world.thread_rank(), errors);
  any.sync();
}

TEST(World, Positions) {
  cohort::world& w = the_world();
  int* errors = nullptr;
  expect_success(w.allocate(errors, 1));
  expect_success(cohort::launch_world(w, cohort::config{{2, 2}, {5, 3, 2}}, positions, w.size(), errors));
  for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank) EXPECT_EQ(read_symmetric(w, errors, rank), 0);
  expect_success(w.free(errors));
}

// Each rank puts a number into every other rank's slot for it; both forms of the barrier order puts and reads.
COHORT_KERNEL void exchange(int rounds, unsigned long long* symmetric_slots, int* symmetric_errors) {
  const auto world = cohort::this_world();
  const auto grid = cohort::this_grid();
  int* errors = world.on(symmetric_errors, world.rank());
  unsigned long long* slots = world.on(symmetric_slots, world.rank());
  const unsigned int ranks = world.num_ranks();
  for (int round = 0; round < rounds; ++round) {
    const unsigned int parity = static_cast<unsigned int>(round % 2) * ranks;
    for (auto to = static_cast<unsigned int>(grid.thread_rank()); to < ranks;
         to += static_cast<unsigned int>(grid.num_threads())) {
      const unsigned long long value = (world.rank() * 1000ull + to) * 1000 + static_cast<unsigned int>(round);
      cohort::put(world, symmetric_slots + parity + world.rank(), &value, sizeof value, to);
    }
    if (round % 3 == 1) {
      auto token = world.barrier_arrive();
      grid.sync();
      world.barrier_wait(static_cast<decltype(token)&&>(token));
    } else {
      world.sync();
    }
    for (unsigned int from = 0; from < ranks; ++from) {
      const unsigned long long expected = (from * 1000ull + world.rank()) * 1000 + static_cast<unsigned int>(round);
      check(slots[parity + from] == expected, errors);
    }
  }
}

TEST(World, BarriersOrderPuts) {
  cohort::world& w = the_world();
  unsigned long long* slots = nullptr;
  int* errors = nullptr;
  expect_success(w.allocate(slots, 2 * static_cast<size_t>(w.size())));
  expect_success(w.allocate(errors, 1));
  for (const unsigned int blocks : {1u, 3u}) {
    for (const unsigned int threads : {1u, 2u, 37u}) {
      expect_success(cohort::launch_world(w, cohort::config{blocks, threads}, exchange, 25, slots, errors));
    }
  }
  for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank) EXPECT_EQ(read_symmetric(w, errors, rank), 0);
  expect_success(w.free(errors));
  expect_success(w.free(slots));
}

// Rank r puts `bytes` bytes at `offset` into the memory of rank r + 1. The source may change as soon as the put
// returns.
COHORT_KERNEL void shift(unsigned char* symmetric, size_t offset, size_t bytes) {
  const auto world = cohort::this_world();
  if (cohort::this_grid().thread_rank() == 0) {
    unsigned char chunk[100];
    for (size_t done = 0; done < bytes; done += sizeof chunk) {
      const size_t count = bytes - done < sizeof chunk ? bytes - done : sizeof chunk;
      for (size_t i = 0; i < count; ++i)
        chunk[i] = static_cast<unsigned char>(world.rank() * 31 + (done + i) * 7 + bytes);
      cohort::put(world, symmetric + offset + done, chunk, count, (world.rank() + 1) % world.num_ranks());
    }
  }
  world.sync();
}

TEST(World, PutsOfOddSizes) {
  cohort::world& w = the_world();
  constexpr size_t most = 200'001;
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{7}, size_t{64}, size_t{101}, size_t{4099}, most}) {
    const size_t offset = bytes % 5;
    unsigned char* memory = nullptr;
    expect_success(w.allocate(memory, most + 5));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
    expect_success(cohort::launch_world(w, cohort::config{2, 3}, shift, memory, offset, bytes));
    for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank) {
      const std::vector<unsigned char> mine = read_symmetric(w, memory, rank, most + 5);
      ASSERT_EQ(mine.size(), most + 5);
      const auto from = static_cast<size_t>((rank + w.size() - 1) % w.size());
      int wrong = 0;
      for (size_t i = 0; i < most + 5; ++i) {
        const bool written = i >= offset && i < offset + bytes;
        wrong += mine[i] != (written ? static_cast<unsigned char>(from * 31 + (i - offset) * 7 + bytes) : 0);
      }
      EXPECT_EQ(wrong, 0) << bytes << " bytes";
    }
    expect_success(w.free(memory));
  }
}

// Rank 0 stores through pointers to the ranks whose memory it can access, and puts into the others.
COHORT_KERNEL void reach(int* symmetric) {
  const auto world = cohort::this_world();
  if (world.thread_rank() == 0) {
    for (unsigned int rank = 0; rank < world.num_ranks(); ++rank) {
      const int value = 100 + static_cast<int>(rank);
      if (int* there = world.on(symmetric + 1, rank)) {
        *there = value;
      } else {
        cohort::put(world, symmetric + 1, &value, sizeof value, rank);
      }
    }
  }
  world.sync();
}

TEST(World, SymmetricMemory) {
  cohort::world& w = the_world();
  int *first = nullptr, *second = nullptr;
  expect_success(w.allocate(first, 3));
  expect_success(w.allocate(second, 17));
  for (int rank = 0; rank < w.size(); ++rank) {
    if (is_own(w, rank)) {
      for (const int element : read_symmetric(w, second, rank, 17)) EXPECT_EQ(element, 0);
    }
    // A pointer to the memory of any rank of the process names the same location.
    EXPECT_EQ(w.on(w.on(second + 5, w.rank() + w.local_size() - 1), rank), w.on(second + 5, rank));
  }
  int local = 0;
  EXPECT_EQ(w.on(&local, w.rank()), nullptr);
  EXPECT_EQ(w.on(first, w.size()), nullptr);
  EXPECT_EQ(w.on(first, -1), nullptr);
  expect_success(cohort::launch_world(w, cohort::config{1, 2}, reach, second));
  for (int rank = w.rank(); rank < w.rank() + w.local_size(); ++rank)
    EXPECT_EQ(read_symmetric(w, second + 1, rank), 100 + rank);
  expect_success(w.free(first));
  EXPECT_EQ(w.on(second, w.rank()), second);
  expect_success(w.free(second));
}

COHORT_KERNEL void count_blocks(unsigned long long* symmetric) {
  const auto world = cohort::this_world();
  world.sync();
  if (cohort::this_grid().thread_rank() == 0) {
    *world.on(symmetric, world.rank()) = cohort::this_grid().num_blocks();
  }
}

TEST(World, LargestGridIsEqualInAllProcesses) {
  cohort::world& w = the_world();
  unsigned long long* blocks = nullptr;
  expect_success(w.allocate(blocks, 1));
  expect_success(cohort::launch_world(w, cohort::config{cohort::largest_grid, 96}, count_blocks, blocks));
  EXPECT_GT(read_symmetric(w, blocks, w.rank()), 0u);
  expect_success(w.free(blocks));
}

TEST(World, Refusals) {
  cohort::world& w = the_world();
  cohort::world closed;
  EXPECT_EQ(closed.size(), 0);
  int* none = nullptr;
  EXPECT_EQ(closed.allocate(none, 1).number(), 1);
  EXPECT_EQ(cohort::launch_world(closed, cohort::config{1, 1}, reach, none).number(), 1);
  EXPECT_EQ(cohort::world::open(w).number(), 1) << "open twice";
  EXPECT_EQ(w.allocate(none, 0).number(), 1);
  int local = 0;
  int* foreign = &local;
  EXPECT_EQ(w.free(foreign).number(), 1);
  cohort::config of_device{1, 1};
  of_device.device = 0;
  EXPECT_EQ(cohort::launch_world(w, of_device, reach, none).number(), 101);
  const cohort::error large = cohort::launch_world(w, cohort::config{10'000'000, 64}, reach, none);
  EXPECT_EQ(large.number(), 720);
  EXPECT_EQ(large.blocks_asked(), 10'000'000u);
}

}  // namespace

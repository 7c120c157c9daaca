// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the shared variables of the blocks of a cluster: each arena lies within a 32-bit distance.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/state/cluster_arenas.hpp"

namespace cohort::engine {
namespace {

constexpr size_t page = 4096;

bool is_zero(const char* memory, size_t bytes) {
  return std::all_of(memory, memory + bytes, [](char each) { return each == 0; });
}

TEST(ClusterArenas, LieTogetherBesideLargeMappings) {
  constexpr size_t bytes = 61 * page, large = size_t{8} << 30;
  std::vector<char*> arenas;
  std::vector<std::pair<void*, size_t>> others;
  const auto map = [&](void* at, size_t size, int flags) {
    void* const made = mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (made != MAP_FAILED) others.emplace_back(made, size);
  };
  for (int i = 0; i < 17; ++i) {
    arenas.push_back(take_cluster_arena(bytes));
    EXPECT_TRUE(is_zero(arenas.back(), bytes));
    std::memset(arenas.back(), 1 + i, bytes);
    map(arenas.back() + bytes, page, MAP_FIXED_NOREPLACE);  // the addresses after the arena are in use
    map(nullptr, large, 0);
  }
  const auto [least, most] = std::minmax_element(arenas.begin(), arenas.end());
  EXPECT_LT(*most - *least, ptrdiff_t{1} << 31);
  for (int i = 0; i < 17; ++i) {
    EXPECT_EQ(arenas[i][0], 1 + i);
    EXPECT_EQ(arenas[i][bytes - 1], 1 + i);
    give_cluster_arena(arenas[i], bytes);
  }
  for (const auto& [at, size] : others) munmap(at, size);
}

TEST(ClusterArenas, AreZeroAgain) {
  char* const first = take_cluster_arena(3 * page);
  std::memset(first, 7, 3 * page);
  give_cluster_arena(first, 3 * page);
  char* const second = take_cluster_arena(5 * page);
  EXPECT_TRUE(is_zero(second, 5 * page));
  give_cluster_arena(second, 5 * page);
}

TEST(ClusterArenas, HaveAnySizeAndNumber) {
  constexpr size_t large = size_t{3} << 20;
  std::vector<char*> arenas;
  for (int i = 0; i < 2100; ++i) arenas.push_back(take_cluster_arena(page));  // more arenas than there are slots
  for (char* arena : arenas) arena[page - 1] = 1;
  char* const single = take_cluster_arena(large);
  single[large - 1] = 1;
  give_cluster_arena(single, large);
  for (char* arena : arenas) give_cluster_arena(arena, page);
}

}  // namespace
}  // namespace cohort::engine

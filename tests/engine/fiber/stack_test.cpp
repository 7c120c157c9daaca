// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: usable to both ends, with inaccessible pages below, as many as a large grid needs.
#include "engine/fiber/stack.hpp"

#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace cohort::engine;

TEST(StackPool, GivesDistinctColouredGuardedStacks) {
  stack_pool pool;
  pool.set_bytes(256 * 1024);
  std::vector<stack*> taken;
  std::set<size_t> colours;
  for (int i = 0; i < 130; ++i) {
    stack* s = pool.take();
    ASSERT_NE(s, nullptr);
    EXPECT_GE(s->top - s->low, 256 * 1024);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(s->top) % 16, 0u);
    EXPECT_TRUE(s->guards(s->low - 1));
    EXPECT_TRUE(s->guards(s->low - 64 * 1024));
    EXPECT_FALSE(s->guards(s->low));
    EXPECT_FALSE(s->guards(s->low - 64 * 1024 - 1));
    s->top[-1] = s->low[0] = 1;  // usable to both ends
    colours.insert(reinterpret_cast<uintptr_t>(s->top) % 4096);
    taken.push_back(s);
  }
  EXPECT_EQ(colours.size(), 64u);
  EXPECT_EQ(std::set<stack*>(taken.begin(), taken.end()).size(), taken.size());
  pool.give(taken[5]);
  EXPECT_EQ(pool.take(), taken[5]);  // the stack that was given back last is taken first
  const size_t made = pool.made();
  for (stack* s : taken) pool.give(s);
  EXPECT_TRUE(pool.reserve(made));
  EXPECT_EQ(pool.made(), made);
}

TEST(StackPool, RefusesWhatTheAddressSpaceCannotHold) {
  stack_pool pool;
  pool.set_bytes(size_t{1} << 47);
  EXPECT_EQ(pool.take(), nullptr);
  pool.set_bytes(256 * 1024);
  EXPECT_NE(pool.take(), nullptr);
}

// Stacks below which an access faults.
size_t count_guarded(const std::vector<stack*>& stacks) {
  return static_cast<size_t>(std::count_if(stacks.begin(), stacks.end(), [](const stack* s) {
    char byte;
    iovec to{&byte, 1}, from{s->low - 1, 1};
    const bool faults = process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1;
    EXPECT_EQ(faults, s->guards(s->low - 1));
    return faults;
  }));
}

size_t count_mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

std::vector<stack*> take_all(stack_pool& pool, size_t count) {
  std::vector<stack*> taken;
  for (size_t i = 0; i < count; ++i) taken.push_back(pool.take());
  return taken;
}

// Linux allows 65530 mappings. A grid of 28800 blocks with 32 threads needs 921600 stacks.
TEST(StackPool, HoldsMoreStacksThanTheSystemHoldsMappings) {
#if defined(COHORT_TSAN)
  GTEST_SKIP() << "ThreadSanitizer limits the number of fibers";
#endif
  const size_t before = count_mappings();
  {
    stack_pool few;
    few.set_bytes(256 * 1024);
    EXPECT_EQ(count_guarded(take_all(few, 6400)), 6400u);  // more stacks than have a guard in a mapping of its own
    EXPECT_LT(count_mappings(), before + 16000);
  }
  do_not_mark_guards();  // as on a system before Linux 6.13
  stack_pool many;
  many.set_bytes(256 * 1024);
  const std::vector<stack*> stacks = take_all(many, 921600);
  EXPECT_EQ(std::count(stacks.begin(), stacks.end(), nullptr), 0);
  EXPECT_LT(count_mappings(), 50000u);
  EXPECT_EQ(count_guarded({stacks.begin(), stacks.begin() + 15000}), 15000u);
  // Stacks beyond that limit share guards, one for each slab.
  EXPECT_GT(count_guarded({stacks.begin() + 40000, stacks.begin() + 41000}), 10u);
  stacks.back()->low[0] = stacks.back()->top[-1] = 1;
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free ranges, and memory files from which ranges are allocated.
#include "runtime/ipc/memory_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <vector>

#include "runtime/ipc/free_ranges.hpp"

namespace {

using cohort::runtime::free_ranges;
using cohort::runtime::memory_file;

TEST(FreeRanges, NeighboursJoin) {
  free_ranges ranges;
  ranges.add(100, 10);
  ranges.add(120, 10);
  EXPECT_FALSE(ranges.take(20, 1));
  ranges.add(110, 10);
  EXPECT_EQ(100u, ranges.take(30, 1));
  EXPECT_FALSE(ranges.take(1, 1));
}

TEST(FreeRanges, AlignmentAndMargin) {
  free_ranges ranges;
  ranges.add(1, 130);
  EXPECT_EQ(16u, ranges.take(10, 16));
  EXPECT_EQ(64u, ranges.take(10, 32, 30)) << "30 free numbers lie below";
  EXPECT_FALSE(ranges.take(40, 1, 10)) << "no free range has 60 numbers";
  EXPECT_FALSE(ranges.take(1, size_t{1} << 63));
}

TEST(FreeRanges, TakesWhatIsAskedFor) {
  free_ranges ranges;
  ranges.add(100, 50);
  EXPECT_FALSE(ranges.take_at(99, 2));
  EXPECT_FALSE(ranges.take_at(149, 2));
  EXPECT_TRUE(ranges.take_at(120, 10));
  EXPECT_FALSE(ranges.take_at(129, 2));
  EXPECT_TRUE(ranges.take_at(130, 20));
  EXPECT_TRUE(ranges.take_at(100, 20));
  EXPECT_FALSE(ranges.take(1, 1));
}

// The free ranges against a model with one flag for each number.
TEST(FreeRanges, RandomOrder) {
  constexpr size_t count = 500;
  std::mt19937 random(7);
  free_ranges ranges;
  ranges.add(0, count);
  std::vector<bool> used(count, false);
  std::map<size_t, size_t> taken;
  for (int turn = 0; turn < 20000; ++turn) {
    if (taken.empty() || random() % 2) {
      const size_t length = random() % 30 + 1, alignment = size_t{1} << random() % 5;
      size_t fits = count;  // the lowest free place, by the model
      for (size_t at = 0; at + length <= count && fits == count; at += alignment) {
        bool free = true;
        for (size_t i = 0; i < length && free; ++i) free = !used[at + i];
        if (free) fits = at;
      }
      const auto found = ranges.take(length, alignment);
      ASSERT_EQ(fits < count, found.has_value());
      if (!found) continue;
      ASSERT_EQ(fits, *found);
      for (size_t i = 0; i < length; ++i) used[*found + i] = true;
      taken[*found] = length;
    } else {
      const auto at = std::next(taken.begin(), static_cast<long>(random() % taken.size()));
      for (size_t i = 0; i < at->second; ++i) used[at->first + i] = false;
      ranges.add(at->first, at->second);
      taken.erase(at);
    }
  }
}

size_t resident_bytes(int file) {
  struct stat state{};
  EXPECT_EQ(0, fstat(file, &state));
  return static_cast<size_t>(state.st_blocks) * 512;
}

TEST(MemoryFile, GivesZerosAndMemoryBack) {
  constexpr size_t bytes = size_t{1} << 20;
  const auto file = memory_file::make(4096, 2 * bytes);
  ASSERT_TRUE(file);
  const auto first = file->take(bytes), second = file->take(bytes);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(4096u, *first);
  EXPECT_EQ(4096 + bytes, *second);
  EXPECT_FALSE(file->take(4096));
  const std::vector<char> ones(bytes, 1);
  ASSERT_EQ(static_cast<ssize_t>(bytes), pwrite(file->descriptor(), ones.data(), bytes, static_cast<off_t>(*first)));
  EXPECT_GE(resident_bytes(file->descriptor()), bytes);
  file->give_back(*first, bytes);
  EXPECT_LT(resident_bytes(file->descriptor()), bytes / 2);
  EXPECT_EQ(first, file->take(bytes));
  char byte = 1;
  EXPECT_EQ(1, pread(file->descriptor(), &byte, 1, static_cast<off_t>(*first + bytes / 2)));
  EXPECT_EQ(0, byte);
}

// A forked child may neither allocate from its parent's file nor free ranges that the parent uses.
TEST(MemoryFile, IsItsMakersAlone) {
  const auto file = memory_file::make(0, 8192);
  ASSERT_TRUE(file);
  ASSERT_EQ(0u, file->take(4096));
  ASSERT_EQ(1, pwrite(file->descriptor(), "x", 1, 10));
  const pid_t child = fork();
  if (child == 0) {
    file->give_back(0, 4096);
    _exit(file->take(4096) ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  char byte = 0;
  EXPECT_EQ(1, pread(file->descriptor(), &byte, 1, 10));
  EXPECT_EQ('x', byte);
}

}  // namespace

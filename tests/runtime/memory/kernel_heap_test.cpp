// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of malloc in kernels: alignment, reuse, and the errors that it finds.
#include "runtime/guard/kernel_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using cohort::runtime::device_heap;
using cohort::runtime::guard_mode;
using cohort::runtime::heap_misuse;
using cohort::runtime::kernel_heap;
using cohort::runtime::memory_range;

class KernelHeap : public testing::TestWithParam<guard_mode> {
 protected:
  char* allocate(size_t bytes, int device = 0) { return static_cast<char*>(heap.allocate(bytes, device)); }
  device_heap pages{GetParam(), size_t{1} << 32, 1000};
  kernel_heap heap{pages};
};
INSTANTIATE_TEST_SUITE_P(Modes, KernelHeap, testing::Values(guard_mode::off, guard_mode::page, guard_mode::strict));

TEST_P(KernelHeap, GivesAlignedMemoryThatDoesNotOverlap) {
  std::mt19937 random(3);
  std::vector<memory_range> all;
  for (int i = 0; i < 3000; ++i) {
    const size_t bytes = 1 + random() % (i % 50 == 0 ? 300000 : 700);
    char* const memory = allocate(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u);
    std::memset(memory, i, bytes);
    all.push_back({memory, bytes});
    if (i % 3 == 2) {  // frees an older block, so its place is used again
      const size_t old = random() % all.size();
      EXPECT_EQ(heap.release(all[old].base).what, heap_misuse::none);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(old));
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
  for (size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].base + all[i - 1].bytes, all[i].base);
  for (const memory_range& m : all) {
    EXPECT_TRUE(std::all_of(m.base, m.base + m.bytes, [&](char c) { return c == *m.base; }));
    EXPECT_EQ(heap.release(m.base).what, heap_misuse::none);
  }
}

TEST_P(KernelHeap, RefusesWhatItDidNotAllocate) {
  for (size_t bytes : {size_t{40}, size_t{200000}}) {
    char* const memory = allocate(bytes);
    char own = 0;
    EXPECT_EQ(heap.release(&own).what, heap_misuse::foreign);
    EXPECT_EQ(heap.release(memory + 16).what, heap_misuse::inside);
    EXPECT_EQ(heap.release(memory - 1).what, heap_misuse::inside);
    EXPECT_EQ(heap.release(memory).what, heap_misuse::none);
    EXPECT_EQ(heap.release(memory).what, heap_misuse::freed) << bytes;
  }
  EXPECT_EQ(heap.allocate(SIZE_MAX, 0), nullptr);
  EXPECT_EQ(heap.allocate(size_t{1} << 33, 0), nullptr);
}

TEST_P(KernelHeap, FindsEachOverwrittenByteBesideFreedMemory) {
  if (GetParam() == guard_mode::off) GTEST_SKIP() << "it has no filler";
  for (size_t bytes : {1, 15, 16, 100, 480, 5000, 70001}) {
    for (int distance = -16; distance < 16; ++distance) {
      char* const memory = allocate(bytes);
      memory[distance < 0 ? distance : static_cast<std::ptrdiff_t>(bytes) + distance] = 0;
      const auto found = heap.release(memory);
      EXPECT_EQ(found.what, distance < 0 ? heap_misuse::underrun : heap_misuse::overrun) << bytes << " " << distance;
      EXPECT_EQ(found.distance, static_cast<size_t>(std::abs(distance)));
      EXPECT_EQ(found.memory.base, memory);
      EXPECT_EQ(found.memory.bytes, bytes);
    }
  }
}

TEST_P(KernelHeap, LooksAtLiveAndFreedMemoryInStrictMode) {
  const bool strict = GetParam() == guard_mode::strict;
  char* const live = allocate(100, 1);
  char* const freed = allocate(100, 1);
  heap.release(freed);
  EXPECT_EQ(heap.find_damage(1).what, heap_misuse::none);
  live[100] = 1;
  EXPECT_EQ(heap.find_damage(0).what, heap_misuse::none) << "it is another device's";
  EXPECT_EQ(heap.find_damage(1).what, strict ? heap_misuse::overrun : heap_misuse::none);
  freed[7] = 1;
  const auto found = heap.find_damage(1);
  EXPECT_EQ(found.what, strict ? heap_misuse::used_after_free : heap_misuse::none);
  EXPECT_EQ(found.distance, strict ? 7u : 0u);
  EXPECT_EQ(heap.find_damage(1).what, heap_misuse::none) << "what was found is repaired";
}

TEST_P(KernelHeap, FreesAllMemoryOfADevice) {
  char* const first = allocate(100, 0);
  char* const second = allocate(100, 1);
  char* const large = allocate(100000, 1);
  heap.release_all(1);
  EXPECT_EQ(heap.release(second).what, heap_misuse::freed);
  EXPECT_EQ(heap.release(large).what, heap_misuse::freed);
  EXPECT_EQ(heap.release(first).what, heap_misuse::none);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of device memory: alignment, inaccessible pages, filler bytes, reuse, and how many mappings it makes.
#include "runtime/guard/device_heap.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

namespace {

using cohort::runtime::device_heap;
using cohort::runtime::guard_mode;
using cohort::runtime::memory_range;

constexpr size_t reserved = size_t{1} << 34;
const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));

char* obtain(device_heap& heap, size_t bytes) { return static_cast<char*>(heap.obtain(bytes)); }

// True if the kernel can read the byte: write() to a pipe accepts it.
bool accessible(const void* address) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const bool can = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return can;
}

size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
}

class Heap : public testing::TestWithParam<guard_mode> {};
INSTANTIATE_TEST_SUITE_P(Modes, Heap, testing::Values(guard_mode::off, guard_mode::page, guard_mode::strict));

TEST_P(Heap, GivesAlignedMemoryThatDoesNotOverlap) {
  device_heap heap(GetParam(), reserved, 64);
  std::vector<memory_range> all;
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const size_t bytes = i % 20 == 0 ? 1 + random() % (5u << 20) : 1 + random() % 9000;
    char* const base = obtain(heap, bytes);
    ASSERT_NE(base, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(base) % cohort::runtime::memory_alignment, 0u);
    std::memset(base, i, bytes);
    all.push_back({base, bytes});
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const auto is_own = [&](char c) { return c == static_cast<char>(i); };
    EXPECT_TRUE(std::all_of(all[i].base, all[i].base + all[i].bytes, is_own)) << i << ": " << all[i].bytes;
    EXPECT_EQ(heap.find_damage(all[i]), nullptr);
  }
  for (const memory_range& a : all) heap.release(a.base, a.bytes);
}

TEST_P(Heap, UsesReleasedMemoryAgain) {
  device_heap heap(GetParam(), size_t{1} << 30, 64);
  for (int i = 0; i < 5000; ++i) {  // 5000 times 3 MiB do not fit into 1 GiB at once
    const size_t bytes = (size_t{3} << 20) + static_cast<size_t>(i % 7) * 100;
    char* const base = obtain(heap, bytes);
    ASSERT_NE(base, nullptr) << i;
    base[0] = base[bytes - 1] = 1;
    heap.release(base, bytes);
  }
}

TEST_P(Heap, RefusesWhatItDoesNotHave) {
  device_heap heap(GetParam(), size_t{1} << 26, 64);
  EXPECT_EQ(heap.obtain(size_t{1} << 27), nullptr);
  EXPECT_EQ(heap.obtain(SIZE_MAX - 100), nullptr);
  char* const base = obtain(heap, size_t{1} << 25);
  ASSERT_NE(base, nullptr);
  EXPECT_EQ(heap.obtain(size_t{1} << 25), nullptr);
  heap.release(base, size_t{1} << 25);
  EXPECT_NE(heap.obtain(size_t{1} << 24), nullptr);
}

TEST_P(Heap, ManySmallAllocationsShareMappings) {
  device_heap heap(GetParam(), reserved, 1000);
  const size_t before = mappings();
  std::vector<char*> all;
  for (int i = 0; i < 100000; ++i) {
    all.push_back(obtain(heap, 256));
    ASSERT_NE(all.back(), nullptr) << i;
    all.back()[0] = all.back()[255] = 'x';
  }
  EXPECT_LE(mappings() - before, 3000u);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end(), [](char* a, char* b) { return b - a < 256; }), all.end());
  for (char* base : all) heap.release(base, 256);
}

TEST(HeapPage, InaccessiblePagesLieAroundAnAllocation) {
  device_heap heap(guard_mode::page, reserved, 64);
  for (size_t bytes : {size_t{1}, size_t{256}, page - 1, page, page + 1, 10 * page, size_t{5} << 20}) {
    char* const base = obtain(heap, bytes);
    char* const end = base + (bytes + page - 1) / page * page;
    EXPECT_TRUE(accessible(base)) << bytes;
    EXPECT_TRUE(accessible(end - 1)) << bytes;
    EXPECT_FALSE(accessible(end)) << bytes;
    EXPECT_FALSE(accessible(base - 1)) << bytes;
  }
}

TEST(HeapPage, ReleasedMemoryIsInaccessibleAndCanBeNamed) {
  device_heap heap(guard_mode::page, reserved, 64);
  char* const base = obtain(heap, 1000);
  heap.release(base, 1000);
  EXPECT_FALSE(accessible(base));
  memory_range freed;
  ASSERT_TRUE(heap.find_freed(base + 999, &freed));
  EXPECT_EQ(freed.base, base);
  EXPECT_EQ(freed.bytes, 1000u);
  EXPECT_FALSE(heap.find_freed(base + 1000, &freed));
  EXPECT_FALSE(heap.find_freed(base - 1, &freed));
}

// A freed range of 20 MiB is not reserved for that size: smaller allocations take its place.
TEST(HeapPage, MemoryThatIsUsedAgainIsNotCalledFreed) {
  constexpr size_t mib = size_t{1} << 20;
  device_heap heap(guard_mode::page, reserved, 64);
  char* const large = obtain(heap, 20 * mib);
  heap.release(large, 20 * mib);
  char* const used = obtain(heap, 4 * mib);
  ASSERT_EQ(used, large);
  memory_range freed;
  EXPECT_FALSE(heap.find_freed(used, &freed));
  EXPECT_FALSE(heap.find_freed(used + 5 * mib, &freed)) << "its overruns are not uses of freed memory";
  heap.release(used, 4 * mib);
  ASSERT_TRUE(heap.find_freed(used + 1, &freed));
  EXPECT_EQ(freed.bytes, 4 * mib);
  EXPECT_FALSE(heap.find_freed(used + 5 * mib, &freed));
}

TEST(HeapPage, KeptMemoryThatIsUsedAgainIsNotCalledFreed) {
  device_heap heap(guard_mode::page, reserved, 64);
  char* const first = obtain(heap, 3 * page);
  heap.release(first, 3 * page);
  char* const second = obtain(heap, 2 * page + 1);
  ASSERT_EQ(second, first);
  memory_range freed;
  EXPECT_FALSE(heap.find_freed(first, &freed));
}

// Under ulimit -v, the program's own memory needs room too.
TEST(HeapPage, LeavesRoomUnderALimitOfAddressSpace) {
  constexpr size_t room = size_t{2300} << 20;
  size_t mapped = 0;
  std::ifstream("/proc/self/statm") >> mapped;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = mapped * page + room;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  device_heap heap(guard_mode::page, reserved, 64);
  char* const device = obtain(heap, room / 4);
  void* const host = mmap(nullptr, room / 4, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  setrlimit(RLIMIT_AS, &before);
  EXPECT_NE(device, nullptr);
  EXPECT_NE(host, MAP_FAILED);
  if (host != MAP_FAILED) munmap(host, room / 4);
}

TEST(HeapStrict, AnAllocationEndsAtAnInaccessiblePage) {
  device_heap heap(guard_mode::strict, reserved, 64);
  for (size_t bytes : {size_t{256}, size_t{512}, page, 3 * page + 256, size_t{5} << 20}) {
    char* const base = obtain(heap, bytes);
    EXPECT_TRUE(accessible(base + bytes - 1)) << bytes;
    EXPECT_FALSE(accessible(base + bytes)) << bytes;
  }
}

TEST(HeapStrict, FindsEachOverwrittenByte) {
  device_heap heap(guard_mode::strict, reserved, 64);
  for (size_t bytes : {size_t{1}, size_t{100}, size_t{255}, page - 300, page + 44}) {
    char* const base = obtain(heap, bytes);
    const memory_range allocation{base, bytes};
    char* const end = base + (bytes + 255) / 256 * 256;
    for (char* at = base + bytes; at < end; ++at) {
      const char kept = *at;
      *at = 0;
      EXPECT_EQ(heap.find_damage(allocation), at) << bytes;
      *at = kept;
    }
    if (reinterpret_cast<uintptr_t>(base) % page != 0) {
      base[-1] = 0;
      EXPECT_EQ(heap.find_damage(allocation), base - 1) << bytes;
      base[-1] = static_cast<char>(0xfb);
    }
    EXPECT_EQ(heap.find_damage(allocation), nullptr) << bytes;
  }
}

TEST(HeapStrict, ReleasedMemoryIsNotUsedAgainAtOnce) {
  device_heap heap(guard_mode::strict, reserved, 64);
  char* const base = obtain(heap, 5000);
  heap.release(base, 5000);
  for (int i = 0; i < 100; ++i) {
    char* const other = obtain(heap, 5000);
    EXPECT_NE(other, base);
    EXPECT_FALSE(accessible(base));
    heap.release(other, 5000);
  }
}

}  // namespace

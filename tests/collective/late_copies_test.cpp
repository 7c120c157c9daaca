// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy_async: byte counts that other implementations truncate are copied in full, and a copy runs as late as allowed:
// a read before the wait returns the old bytes.
#include <cooperative_groups/memcpy_async.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;

struct alignas(16) four_ints {
  int x, y, z, w;
};
struct alignas(32) wide {
  char bytes[32];
};

// One row of the table: the copy, its offset, and the number of bytes that must arrive.
struct line {
  const char* name;
  std::size_t to, from, bytes;
};
constexpr line lines[] = {
    {"int, 7 bytes", 0, 0, 7},
    {"int4, 40 bytes", 0, 0, 40},
    {"double, 12 bytes", 0, 0, 12},
    {"int, 7 bytes, tile of 32", 0, 0, 7},
    {"aligned to 32, 40 bytes", 0, 0, 40},
    {"aligned to 32, 31 bytes", 0, 0, 31},
    {"char, aligned_size_t<16>(40)", 0, 0, 40},
    {"char, aligned_size_t<64>(100)", 0, 0, 100},
    {"layouts of int, 5 and 9", 0, 0, 20},
    {"layouts aligned to 32, 3 and 2", 0, 0, 64},
    {"layouts of char, aligned_size_t<32>, 64 and 96", 0, 0, 64},
    {"short, 7 bytes", 0, 0, 7},
    {"short, 35 bytes", 0, 0, 35},
    {"short, 35 bytes to +2", 2, 0, 35},
    {"char, 7 bytes", 0, 0, 7},
    {"char, 77 bytes from +3 to +3", 3, 3, 77},
    {"char, 77 bytes from +2 to +1", 1, 2, 77},
    {"char, 77 bytes from +2 to +0", 0, 2, 77},
    {"void, 33 bytes to +2", 2, 0, 33},
    {"char, 77 bytes from +5 to +3", 3, 5, 77},
    {"void, 33 bytes", 0, 0, 33},
};
constexpr int line_count = sizeof(lines) / sizeof(lines[0]);

template <class T>
COHORT_DEVICE T* as(char* place) {
  return reinterpret_cast<T*>(place);
}
template <class T>
COHORT_DEVICE const T* as(const char* place) {
  return reinterpret_cast<const T*>(place);
}

COHORT_KERNEL void copy_line(int number, char* to, const char* from) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  switch (number) {
    case 0:
      cg::memcpy_async(block, as<int>(to), as<int>(from), 7);
      break;
    case 1:
      cg::memcpy_async(block, as<four_ints>(to), as<four_ints>(from), 40);
      break;
    case 2:
      cg::memcpy_async(block, as<double>(to), as<double>(from), 12);
      break;
    case 3:
      if (tile.meta_group_rank() == 1) {
        cg::memcpy_async(tile, as<int>(to), as<int>(from), 7);
        cg::wait(tile);
      }
      break;
    case 4:
      cg::memcpy_async(block, as<wide>(to), as<wide>(from), 40);
      break;
    case 5:
      cg::memcpy_async(block, as<wide>(to), as<wide>(from), 31u);
      break;
    case 6:
      cg::memcpy_async(block, to, from, cuda::aligned_size_t<16>(40));
      break;
    case 7:
      cg::memcpy_async(block, to, from, cuda::aligned_size_t<64>(100));
      break;
    case 8:
      cg::memcpy_async(block, as<int>(to), 5, as<int>(from), 9);
      break;
    case 9:
      cg::memcpy_async(block, as<wide>(to), 3, as<wide>(from), 2);
      break;
    case 10:
      cg::memcpy_async(block, to, cuda::aligned_size_t<32>(64), from, cuda::aligned_size_t<32>(96));
      break;
    case 11:
      cg::memcpy_async(block, as<short>(to), as<short>(from), 7);
      break;
    case 12:
      cg::memcpy_async(block, as<short>(to), as<short>(from), 35);
      break;
    case 13:
      cg::memcpy_async(block, as<short>(to), as<short>(from), 35);
      break;
    case 14:
      cg::memcpy_async(block, to, from, 7);
      break;
    case 15:
    case 16:
    case 17:
    case 19:
      cg::memcpy_async(block, to, from, 77);
      break;
    default:
      cg::memcpy_async(block, static_cast<void*>(to), static_cast<const void*>(from), 33);
      break;
  }
  cg::wait(block);
}

TEST(LateCopies, NothingIsLost) {
  constexpr std::size_t room = 160;
  for (unsigned int threads : {64u, 37u}) {
    for (int number = 0; number < line_count; ++number) {
      buffer<char> to(room), from(room);
      for (std::size_t i = 0; i < room; ++i) {
        from[i] = static_cast<char>(i * 5 + 3);
        to[i] = 111;
      }
      const line& l = lines[number];
      run({1, 1, 1}, {threads, 1, 1}, copy_line, number, to.data() + l.to, from.data() + l.from);
      for (std::size_t i = 0; i < room; ++i) {
        const bool inside = i >= l.to && i < l.to + l.bytes;
        ASSERT_EQ(to[i], inside ? from[i - l.to + l.from] : 111)
            << l.name << ", byte " << i << ", " << threads << " threads";
      }
    }
  }
}

// The values that each thread reads before and after the wait, for two stages with a wait for each.
template <class Group>
COHORT_DEVICE void look(const Group& group, int* to, const int* from, unsigned int count, int* seen) {
  const unsigned int rank = group.thread_rank();
  const volatile int* const first = to + rank;
  const volatile int* const second = to + count + rank;
  cg::memcpy_async(group, to, from, count * sizeof(int));
  cg::memcpy_async(group, to + count, from + count, count * sizeof(int));
  group.sync();
  seen[6 * rank] = *first;
  seen[6 * rank + 1] = *second;
  group.sync();  // the first thread that waits copies its share, so no thread waits before all have read
  cg::wait_prior<1>(group);
  seen[6 * rank + 2] = *first;
  seen[6 * rank + 3] = *second;
  group.sync();
  cg::wait(group);
  seen[6 * rank + 4] = *first;
  seen[6 * rank + 5] = *second;
}

enum { by_block, by_tile_128, by_tile_16, by_coalesced, kinds };

COHORT_KERNEL void look_by(int kind, int* to, const int* from, int* seen) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  switch (kind) {
    case by_block:
      return look(block, to, from, block.size(), seen);
    case by_tile_128: {
      const auto tile = cg::tiled_partition<128>(block);
      if (tile.meta_group_rank() == 1) look(tile, to, from, block.size() - 128, seen);
      return;
    }
    case by_tile_16: {
      const auto tile = cg::tiled_partition<16>(block);
      if (tile.meta_group_rank() == 3) look(tile, to, from, 16, seen);
      return;
    }
    default:
      if (me < 32 && me % 3 == 0) look(cg::coalesced_threads(), to, from, 11, seen);
  }
}

TEST(LateCopies, ReadingBeforeTheWaitShows) {
  const unsigned int threads = 200;
  const unsigned int counts[kinds] = {200, 72, 16, 11};
  for (int kind = 0; kind < kinds; ++kind) {
    const unsigned int count = counts[kind];
    buffer<int> to(2 * count), from(2 * count), seen(6 * threads);
    for (unsigned int i = 0; i < 2 * count; ++i) {
      to[i] = -1;
      from[i] = static_cast<int>(i) + 1;
    }
    run({1, 1, 1}, {threads, 1, 1}, look_by, kind, to.data(), from.data(), seen.data());
    for (unsigned int i = 0; i < count; ++i) {
      SCOPED_TRACE(testing::Message() << "group " << kind << ", rank " << i);
      const int first = static_cast<int>(i) + 1, second = static_cast<int>(i + count) + 1;
      EXPECT_EQ(seen[6 * i], -1);
      EXPECT_EQ(seen[6 * i + 1], -1);
      EXPECT_EQ(seen[6 * i + 2], first);
      EXPECT_EQ(seen[6 * i + 3], -1);
      EXPECT_EQ(seen[6 * i + 4], first);
      EXPECT_EQ(seen[6 * i + 5], second);
    }
  }
}

}  // namespace

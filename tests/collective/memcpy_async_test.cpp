// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy_async with every byte count, alignment and group: all bytes arrive, and no byte beyond them changes.
#include <cooperative_groups/memcpy_async.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;

enum class by { block, tile32, tile8, coalesced, thread };

// Copies and waits as one group of `kind`.
template <class T, class Size>
COHORT_DEVICE void copy_by(by kind, T* to, const T* from, Size bytes) {
  const auto block = cg::this_thread_block();
  const auto tile32 = cg::tiled_partition<32>(block);
  const auto tile8 = cg::tiled_partition<8>(block);
  if (kind == by::block) {
    cg::memcpy_async(block, to, from, bytes);
    cg::wait(block);
  } else if (kind == by::tile32 && tile32.meta_group_rank() == 0) {
    cg::memcpy_async(tile32, to, from, bytes);
    cg::wait(tile32);
  } else if (kind == by::tile8 && tile8.meta_group_rank() == 0) {
    cg::memcpy_async(tile8, to, from, bytes);
    cg::wait_prior<0>(tile8);
  } else if (kind == by::coalesced && block.thread_rank() % 3 == 0 && block.thread_rank() < 32) {
    const auto g = cg::coalesced_threads();
    cg::memcpy_async(g, to, from, bytes);
    cg::wait(g);
  } else if (kind == by::thread && block.thread_rank() == 0) {
    cg::memcpy_async(cg::this_thread(), to, from, bytes);
    cg::wait(cg::this_thread());
  }
}

template <class T>
COHORT_KERNEL void copy_bytes(by kind, T* to, const T* from, unsigned int bytes) {
  copy_by(kind, to, from, bytes);
}
COHORT_KERNEL void copy_void(by kind, char* to, const char* from, unsigned int bytes) {
  copy_by(kind, static_cast<void*>(to), static_cast<const void*>(from), static_cast<std::size_t>(bytes));
}

constexpr std::size_t room = 512;

// Copies `bytes` bytes with `kernel` and checks every byte of the buffer.
template <class Kernel, class T>
void check(Kernel kernel, T*, by kind, unsigned int threads, std::size_t to_offset, std::size_t from_offset,
           unsigned int bytes) {
  buffer<char> to(room), from(room);
  for (std::size_t i = 0; i < room; ++i) {
    from[i] = static_cast<char>(i * 7 + 1);
    to[i] = 99;
  }
  run({1, 1, 1}, {threads, 1, 1}, kernel, kind, reinterpret_cast<T*>(to.data() + to_offset),
      reinterpret_cast<const T*>(from.data() + from_offset), bytes);
  for (std::size_t i = 0; i < room; ++i) {
    const bool inside = i >= to_offset && i < to_offset + bytes;
    ASSERT_EQ(to[i], inside ? from[i - to_offset + from_offset] : 99)
        << "byte " << i << ": " << bytes << " bytes from +" << from_offset << " to +" << to_offset << " by group "
        << static_cast<int>(kind) << " of " << threads << " threads";
  }
}

constexpr by all_groups[] = {by::block, by::tile32, by::tile8, by::coalesced, by::thread};

TEST(MemcpyAsync, EveryByteCountAndMisalignment) {
  for (by kind : all_groups) {
    for (unsigned int threads : {5u, 33u, 64u}) {
      for (unsigned int bytes : {0u, 1u, 2u, 3u, 7u, 15u, 16u, 31u, 33u, 63u, 64u, 65u, 77u, 128u, 200u, 333u}) {
        for (std::size_t to : {0u, 1u, 2u, 3u, 8u}) {
          for (std::size_t from : {0u, 1u, 2u, 5u})
            check(copy_bytes<char>, static_cast<char*>(nullptr), kind, threads, to, from, bytes);
        }
        check(copy_void, static_cast<char*>(nullptr), kind, threads, 2, 0, bytes);
      }
    }
  }
}

struct alignas(32) wide {
  char bytes[32];
};

TEST(MemcpyAsync, TypedPointersLoseNoBytes) {
  for (by kind : all_groups) {
    for (unsigned int bytes : {1u, 6u, 7u, 12u, 31u, 35u, 40u, 130u}) {
      check(copy_bytes<int>, static_cast<int*>(nullptr), kind, 40, 4, 8, bytes);
      check(copy_bytes<double>, static_cast<double*>(nullptr), kind, 40, 8, 0, bytes);
      check(copy_bytes<short>, static_cast<short*>(nullptr), kind, 40, 2, 0, bytes);
      check(copy_bytes<wide>, static_cast<wide*>(nullptr), kind, 40, 32, 64, bytes);
    }
  }
}

COHORT_KERNEL void copy_aligned(int* to, const int* from, char* chars, const char* from_chars) {
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, to, from, cuda::aligned_size_t<16>(64));
  cg::memcpy_async(block, chars, from_chars, cuda::aligned_size_t<64>(100));
  cg::wait(block);
}

TEST(MemcpyAsync, AlignedSizes) {
  buffer<int> to(32), from(32);
  buffer<char> chars(128), from_chars(128);
  for (int i = 0; i < 32; ++i) {
    from[static_cast<std::size_t>(i)] = i * i;
    to[static_cast<std::size_t>(i)] = -1;
  }
  for (int i = 0; i < 128; ++i) {
    from_chars[static_cast<std::size_t>(i)] = static_cast<char>(i);
    chars[static_cast<std::size_t>(i)] = 99;
  }
  run({1, 1, 1}, {48, 1, 1}, copy_aligned, to.data(), from.data(), chars.data(), from_chars.data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(to[static_cast<std::size_t>(i)], i < 16 ? i * i : -1) << i;
  for (int i = 0; i < 128; ++i) EXPECT_EQ(chars[static_cast<std::size_t>(i)], i < 100 ? i : 99) << i;
}

// The form with layouts copies the smaller number of elements.
template <class T>
COHORT_KERNEL void copy_elements(T* to, unsigned int to_count, const T* from, std::size_t from_count, T* aligned_to) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::memcpy_async(tile, to, to_count, from, from_count);
  cg::memcpy_async(tile, aligned_to, cuda::aligned_size_t<4>(to_count), from, cuda::aligned_size_t<4>(from_count));
  cg::wait(tile);
}

template <class T>
void test_elements(unsigned int to_count, unsigned int from_count) {
  buffer<T> to(16), from(16), aligned_to(16);
  for (unsigned int i = 0; i < 16; ++i) {
    std::memset(&from[i], static_cast<int>(i) + 1, sizeof(T));
    std::memset(&to[i], 99, sizeof(T));
    std::memset(&aligned_to[i], 99, sizeof(T));
  }
  run({1, 1, 1}, {16, 1, 1}, copy_elements<T>, to.data(), to_count, from.data(), from_count, aligned_to.data());
  T untouched;
  std::memset(&untouched, 99, sizeof(T));
  for (unsigned int i = 0; i < 16; ++i) {
    const T& expected = i < to_count && i < from_count ? from[i] : untouched;
    EXPECT_EQ(std::memcmp(&to[i], &expected, sizeof(T)), 0) << i;
    EXPECT_EQ(std::memcmp(&aligned_to[i], &expected, sizeof(T)), 0) << i;
  }
}

TEST(MemcpyAsync, LayoutsCountElements) {
  test_elements<int>(5, 9);
  test_elements<int>(9, 5);
  test_elements<char>(16, 12);
  test_elements<wide>(3, 2);
  test_elements<double>(0, 7);
}

// Copies 16 * 1024 ints through a buffer of 128 ints, round after round.
COHORT_KERNEL void stream(const int* from, int* scratch, int* to, unsigned int count) {
  const auto block = cg::this_thread_block();
  unsigned int at = 0;
  while (at < count) {
    const unsigned int now = count - at < 128 ? count - at : 128;
    cg::memcpy_async(block, scratch, 128u, from + at, count - at);
    cg::wait(block);
    for (unsigned int i = block.thread_rank(); i < now; i += block.size()) to[at + i] = scratch[i] + 1;
    block.sync();
    at += now;
  }
}

// Two stages: the copy of the next chunk starts before the wait for the last one.
COHORT_KERNEL void pipeline(const int* from, int* scratch, int* to, unsigned int count) {
  const auto block = cg::this_thread_block();
  constexpr unsigned int chunk = 128;
  const unsigned int chunks = (count + chunk - 1) / chunk;
  const auto length = [&](unsigned int c) { return count - c * chunk < chunk ? count - c * chunk : chunk; };
  const auto consume = [&](unsigned int c) {
    for (unsigned int i = block.thread_rank(); i < length(c); i += block.size()) {
      to[c * chunk + i] = scratch[c % 2 * chunk + i] + 1;
    }
    block.sync();
  };
  cg::memcpy_async(block, scratch, from, sizeof(int) * length(0));
  for (unsigned int c = 1; c < chunks; ++c) {
    cg::memcpy_async(block, scratch + c % 2 * chunk, from + c * chunk, sizeof(int) * length(c));
    cg::wait_prior<1>(block);
    consume(c - 1);
  }
  cg::wait(block);
  consume(chunks - 1);
}

TEST(MemcpyAsync, StreamsAndPipelines) {
  for (unsigned int count : {1u, 127u, 128u, 16u * 1024, 16u * 1024 + 64}) {
    for (auto* kernel : {stream, pipeline}) {
      buffer<int> from(count), scratch(256), to(count);
      for (unsigned int i = 0; i < count; ++i) from[i] = static_cast<int>(i * 3);
      run({1, 1, 1}, {96, 1, 1}, kernel, from.data(), scratch.data(), to.data(), count);
      for (unsigned int i = 0; i < count; ++i) ASSERT_EQ(to[i], static_cast<int>(i * 3) + 1) << i << " of " << count;
    }
  }
}

}  // namespace

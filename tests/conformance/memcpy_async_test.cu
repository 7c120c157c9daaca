// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy_async, wait and wait_prior: section C.6.2 of the guide. The tests compare every byte of the destination.
#include <cooperative_groups/memcpy_async.h>
#if __has_include(<cuda/barrier>)
#include <cuda/barrier>  // cuda::aligned_size_t, which some versions of memcpy_async.h do not include
#endif

#include "conformance.hpp"

namespace {

using namespace conformance;

enum class way { global_to_shared, shared_to_global, global_to_global, shared_to_shared };

constexpr std::size_t room = 512;

__device__ void touch(unsigned char* bytes, unsigned char value) {
  for (std::size_t i = threadIdx.x; i < room; i += blockDim.x) bytes[i] = value;
}
__device__ void copy_plainly(unsigned char* to, const unsigned char* from) {
  for (std::size_t i = threadIdx.x; i < room; i += blockDim.x) to[i] = from[i];
}

enum class group { block, tile, coalesced };

// Copies `bytes` bytes as T*, from `from` + from_offset to `to` + to_offset, between the memories that `which` names.
template <class T>
__global__ void copy(way which, group by, const unsigned char* from, unsigned char* to, std::size_t from_offset,
                     std::size_t to_offset, std::size_t bytes) {
  alignas(64) __shared__ unsigned char source[room];
  alignas(64) __shared__ unsigned char target[room];
  cg::thread_block block = cg::this_thread_block();
  const bool shared_source = which == way::shared_to_global || which == way::shared_to_shared;
  const bool shared_target = which == way::global_to_shared || which == way::shared_to_shared;
  copy_plainly(source, from);
  touch(target, 0xee);
  block.sync();
  T* t = reinterpret_cast<T*>((shared_target ? target : to) + to_offset);
  const T* f = reinterpret_cast<const T*>((shared_source ? source : from) + from_offset);
  if (by == group::block) {
    cg::memcpy_async(block, t, f, bytes);
    cg::wait(block);
  } else if (threadIdx.x < 32) {
    auto tile = cg::tiled_partition<32>(block);
    if (by == group::tile) {
      cg::memcpy_async(tile, t, f, bytes);
      cg::wait(tile);
    } else if (threadIdx.x % 3 == 1) {
      cg::coalesced_group some = cg::coalesced_threads();
      cg::memcpy_async(some, t, f, bytes);
      cg::wait(some);
    }
  }
  block.sync();
  if (shared_target) copy_plainly(to, target);
}

template <class T>
void check_copy(way which, group by, std::size_t from_offset, std::size_t to_offset, std::size_t bytes) {
  static memory<unsigned char> from(room), to(room);
  for (std::size_t i = 0; i < room; ++i) from[i] = static_cast<unsigned char>(i * 7 + bytes);
  to.fill(0xee);
  run({1}, {64}, copy<T>, which, by, static_cast<const unsigned char*>(from.data()), to.data(), from_offset, to_offset,
      bytes);
  for (std::size_t i = 0; i < room; ++i) {
    const bool inside = i >= to_offset && i < to_offset + bytes;
    const unsigned char expected =
        inside ? static_cast<unsigned char>((i - to_offset + from_offset) * 7 + bytes) : 0xee;
    ASSERT_EQ(int{to[i]}, int{expected}) << "byte " << i << " of " << bytes << " from +" << from_offset << " to +"
                                         << to_offset << ", way " << static_cast<int>(which) << ", group "
                                         << static_cast<int>(by) << ", type of " << sizeof(T) << " bytes";
  }
}

const way ways[] = {way::global_to_shared, way::shared_to_global, way::global_to_global, way::shared_to_shared};
const group groups[] = {group::block, group::tile, group::coalesced};

TEST(MemcpyAsync, BytesOfTypedPointers) {
  CONFORMS("C.2.6", "C.6.2.1.1", "C.6.2.1.3");
  for (way which : ways) {
    for (group by : groups) {
      for (std::size_t count : {0u, 1u, 3u, 16u}) {
        check_copy<int>(which, by, 0, 0, count * 4);
        check_copy<int>(which, by, 4, 20, count * 4);
        check_copy<int4>(which, by, 16, 32, count * 16);
        check_copy<double>(which, by, 8, 40, count * 8);
        check_copy<char>(which, by, 3, 3, count * 5);
        check_copy<char>(which, by, 1, 2, count * 4 + 1);
      }
    }
  }
}

struct alignas(32) wide {
  int words[8];
};

// The form with two element counts copies the smaller count; also void* and aligned_size_t.
__global__ void copy_elements(const int* from, int* to, const wide* wide_from, wide* wide_to) {
  __shared__ int shared[64];
  cg::thread_block block = cg::this_thread_block();
  for (unsigned int i = threadIdx.x; i < 64; i += blockDim.x) shared[i] = -1;
  block.sync();
  cg::memcpy_async(block, shared, 9, from, 5);
  cg::memcpy_async(block, shared + 16, 4, from + 16, std::size_t{100});
  cg::memcpy_async(block, shared + 32, cuda::aligned_size_t<16>(8), from + 32, cuda::aligned_size_t<16>(12));
  cg::memcpy_async(block, wide_to, 3, wide_from, 2);
  cg::memcpy_async(block, shared + 48, from + 48, cuda::aligned_size_t<16>(32));
  cg::memcpy_async(block, static_cast<void*>(shared + 60), static_cast<const void*>(from + 60), sizeof(int) * 2);
  cg::wait(block);
  for (unsigned int i = threadIdx.x; i < 64; i += blockDim.x) to[i] = shared[i];
}

TEST(MemcpyAsync, ElementsAndAlignedCounts) {
  CONFORMS("C.6.2.1.1", "C.6.2.1.7", "C.6.2.1.9");
  memory<int> from(64), to(64);
  memory<wide> wide_from(3), wide_to(3);
  for (int i = 0; i < 64; ++i) from[i] = i + 500;
  for (int i = 0; i < 24; ++i) wide_from[i / 8].words[i % 8] = i, wide_to[i / 8].words[i % 8] = -1;
  run({1}, {48}, copy_elements, static_cast<const int*>(from.data()), to.data(),
      static_cast<const wide*>(wide_from.data()), wide_to.data());
  for (int i = 0; i < 64; ++i) {
    const bool copied =
        i < 5 || (i >= 16 && i < 20) || (i >= 32 && i < 40) || (i >= 48 && i < 56) || i == 60 || i == 61;
    ASSERT_EQ(to[i], copied ? i + 500 : -1) << i;
  }
  for (int i = 0; i < 24; ++i) ASSERT_EQ(wide_to[i / 8].words[i % 8], i < 16 ? i : -1) << i;
}

// Each thread copies one int by this_thread(), a group of one.
__global__ void copy_alone(const int* from, int* to) {
  __shared__ int shared[96];
  const unsigned int me = threadIdx.x;
  if (me % 5 != 2) {
    cg::memcpy_async(cg::this_thread(), shared + me, from + me, sizeof(int));
    cg::wait(cg::this_thread());
  } else {
    shared[me] = -1;
  }
  to[me] = shared[me];
}

TEST(MemcpyAsync, ThisThreadCopiesForItself) {
  CONFORMS("C.4.2.1.2.2");
  memory<int> from(96), to(96);
  for (int i = 0; i < 96; ++i) from[i] = i * i;
  run({1}, {96}, copy_alone, static_cast<const int*>(from.data()), to.data());
  for (int i = 0; i < 96; ++i) ASSERT_EQ(to[i], i % 5 == 2 ? -1 : i * i);
}

// Each call is a stage: with N stages in flight, wait_prior<N - k> completes the first k.
template <unsigned int Left>
__device__ void check_stages(const cg::thread_block& block, const int* shared, int* mistakes, unsigned int stages) {
  cg::wait_prior<Left>(block);
  for (unsigned int i = threadIdx.x; i < (stages - Left) * 64; i += blockDim.x) {
    if (shared[i] != static_cast<int>(i) * 3) atomicAdd(mistakes, 1);
  }
  block.sync();
}
__global__ void stages(const int* from, int* mistakes) {
  __shared__ int shared[4 * 64];
  cg::thread_block block = cg::this_thread_block();
  for (unsigned int stage = 0; stage < 4; ++stage) {
    cg::memcpy_async(block, shared + 64 * stage, from + 64 * stage, 64 * sizeof(int));
  }
  check_stages<3>(block, shared, mistakes, 4);
  check_stages<2>(block, shared, mistakes, 4);
  check_stages<1>(block, shared, mistakes, 4);
  check_stages<0>(block, shared, mistakes, 4);
}

TEST(MemcpyAsync, StagesCompleteInOrder) {
  CONFORMS("C.6.2.1.2", "C.6.2.1.5", "C.6.2.1.6", "C.6.2.2.2");
  memory<int> from(4 * 64), mistakes(1);
  for (int i = 0; i < 4 * 64; ++i) from[i] = 3 * i;
  mistakes[0] = 0;
  run({1}, {96}, stages, static_cast<const int*>(from.data()), mistakes.data());
  EXPECT_EQ(mistakes[0], 0);
}

// wait() is also a barrier: values that other threads wrote before it are visible after it.
__global__ void wait_synchronises(const int* from, int* out) {
  __shared__ int copied[100];
  __shared__ int written[100];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, copied, 100, from, 100);
  written[threadIdx.x] = static_cast<int>(threadIdx.x) * 2;
  cg::wait(block);
  out[threadIdx.x] = copied[99 - threadIdx.x] + written[(threadIdx.x + 1) % 100];
}

TEST(MemcpyAsync, WaitSynchronisesTheGroup) {
  CONFORMS("C.6.2.2.1", "C.6.2.1.5");
  memory<int> from(100), out(100);
  for (int i = 0; i < 100; ++i) from[i] = 1000 * i;
  run({1}, {100}, wait_synchronises, static_cast<const int*>(from.data()), out.data());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(out[i], 1000 * (99 - i) + (i + 1) % 100 * 2);
}

// The guide's two examples: an array passes through a small shared buffer, then through a ring of two stages.
template <int Size>
__global__ void pass_through(const int* from, int* to, std::size_t count) {
  __shared__ int local[Size];
  cg::thread_block block = cg::this_thread_block();
  std::size_t index = 0;
  while (index < count) {
    cg::memcpy_async(block, local, Size, from + index, count - index);
    const std::size_t copied = count - index < Size ? count - index : Size;
    cg::wait(block);
    for (std::size_t i = block.thread_rank(); i < copied; i += block.num_threads()) to[index + i] = local[i] + 1;
    block.sync();
    index += copied;
  }
}

TEST(MemcpyAsync, ArrayPassesASharedBuffer) {
  CONFORMS("C.6.2.1.11");
  for (std::size_t count : {16u * 1024, 16u * 1024 + 37}) {
    memory<int> from(count), to(count);
    for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<int>(i);
    run({1}, {128}, pass_through<128>, static_cast<const int*>(from.data()), to.data(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(to[i], static_cast<int>(i) + 1);
  }
}

template <int Size>
__global__ void ring_of_two(const int* from, int* to, std::size_t count) {
  __shared__ int local[2][Size];
  cg::thread_block block = cg::this_thread_block();
  unsigned int stage = 0;
  std::size_t requested = count < Size ? count : Size, index = requested;
  cg::memcpy_async(block, local[0], Size, from, requested);
  std::size_t done = 0;
  while (requested != 0) {
    const std::size_t next = count - index < Size ? count - index : Size;
    if (next != 0) {
      cg::memcpy_async(block, local[stage ^ 1], Size, from + index, next);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (std::size_t i = block.thread_rank(); i < requested; i += block.num_threads()) {
      to[done + i] = local[stage][i] * 2;
    }
    block.sync();
    done += requested;
    index += next;
    requested = next;
    stage ^= 1;
  }
}

TEST(MemcpyAsync, RingOfTwoStages) {
  CONFORMS("C.6.2.2.4", "C.6.2.1.6", "C.6.2.2.2");
  const std::size_t count = 16 * 1024 + 64;
  memory<int> from(count), to(count);
  for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<int>(i) - 77;
  run({1}, {128}, ring_of_two<128>, static_cast<const int*>(from.data()), to.data(), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(to[i], 2 * (static_cast<int>(i) - 77));
}

// Bytes that the headers of CUDA 13.0 fail to copy. These tests are last: with those headers, the second one breaks the
// context.
TEST(MemcpyAsyncHeaderDefects, NothingOfTypedPointersIsLost) {
  CONFORMS("D.5", "C.6.2.1.1");
  for (way which : ways) {
    for (group by : groups) {
      check_copy<int>(which, by, 0, 0, 7);
      check_copy<int4>(which, by, 0, 16, 40);
      check_copy<double>(which, by, 8, 0, 12);
      check_copy<short>(which, by, 0, 0, 7);
      check_copy<short>(which, by, 0, 0, 35);
      check_copy<short>(which, by, 0, 2, 35);
    }
  }
}

// The byte count is not a multiple of the promised alignment.
template <std::size_t Alignment>
__global__ void copy_aligned(const char* from, char* to, std::size_t bytes) {
  alignas(64) __shared__ char shared[256];
  cg::thread_block block = cg::this_thread_block();
  for (unsigned int i = threadIdx.x; i < 256; i += blockDim.x) shared[i] = 'x';
  block.sync();
  cg::memcpy_async(block, shared, from, cuda::aligned_size_t<Alignment>(bytes));
  cg::wait(block);
  for (unsigned int i = threadIdx.x; i < 256; i += blockDim.x) to[i] = shared[i];
}
template <std::size_t Alignment>
void check_aligned(std::size_t bytes) {
  memory<char> from(256), to(256);
  for (std::size_t i = 0; i < 256; ++i) from[i] = static_cast<char>('a' + i % 20);
  run({1}, {64}, copy_aligned<Alignment>, static_cast<const char*>(from.data()), to.data(), bytes);
  for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(to[i], i < bytes ? from[i] : 'x') << i << " of " << bytes;
}

TEST(MemcpyAsyncHeaderDefects, NothingOfAlignedCountsIsLost) {
  CONFORMS("D.5", "C.6.2.1.9");
  check_aligned<16>(40);
  check_aligned<16>(41);
  check_aligned<64>(100);
  check_aligned<4>(7);
  for (way which : ways) {
    check_copy<wide>(which, group::block, 0, 0, 40);
    check_copy<wide>(which, group::block, 32, 64, 31);
  }
}

TEST(MemcpyAsyncHeaderDefects, BytesOfEveryAlignment) {
  CONFORMS("D.4", "C.6.2.1.3");
  for (way which : ways) {
    for (std::size_t from = 0; from < 9; ++from) {
      for (std::size_t to = 0; to < 9; ++to) {
        for (std::size_t bytes : {1u, 31u, 33u, 77u}) check_copy<char>(which, group::block, from, to, bytes);
      }
    }
    for (group by : groups) {
      check_copy<unsigned char>(which, by, 5, 3, 77);
      check_copy<char>(which, by, 2, 0, 77);
    }
  }
}

}  // namespace

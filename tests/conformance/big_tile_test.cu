// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 64 to 1024 threads: section C.4.2.1.3 of the guide. Sources for CUDA 11 define the two macros below; Cohort
// ignores them.
#define _CG_ABI_EXPERIMENTAL
#define _CG_USER_PROVIDED_SHARED_MEMORY
#include <algorithm>

#include "conformance.hpp"

namespace {

using namespace conformance;

struct seen {
  unsigned int rank, num_threads, size, meta_rank, meta_size;
  int any_none, any_one, all_all, all_but_one;
  unsigned int shuffled;
  unsigned long long shuffled_long;
  int neighbours;
};

template <class Tile>
__device__ seen look(const Tile& tile, int* shared, unsigned int me) {
  seen s;
  s.rank = tile.thread_rank();
  s.num_threads = tile.num_threads();
  s.size = tile.size();
  s.meta_rank = tile.meta_group_rank();
  s.meta_size = tile.meta_group_size();
  s.any_none = tile.any(0);
  s.any_one = tile.any(tile.thread_rank() == tile.size() / 2);
  s.all_all = tile.all(7);
  s.all_but_one = tile.all(tile.thread_rank() != tile.size() - 1);
  s.shuffled = tile.shfl(me * 3, 37);
  s.shuffled_long = tile.shfl(static_cast<unsigned long long>(me) << 33, tile.size() - 1);
  s.neighbours = 0;
  for (int round = 0; round < 6; ++round) {
    shared[me] = static_cast<int>(tile.thread_rank()) * round;
    tile.sync();
    s.neighbours += shared[me - tile.thread_rank() + (tile.thread_rank() + 33) % tile.size()];
    cg::sync(tile);
  }
  return s;
}

template <unsigned int Size>
__global__ void look_typed(seen* out) {
  __shared__ int shared[1024];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  static_assert(same_type<decltype(tile), cg::thread_block_tile<Size, cg::thread_block>>);
  out[block.thread_rank()] = look(tile, shared, block.thread_rank());
}
template <unsigned int Size>
__global__ void look_untyped(seen* out) {
  __shared__ int shared[1024];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  out[block.thread_rank()] = look(tile, shared, block.thread_rank());
}

template <unsigned int Size>
void check(extent block, void (*kernel)(seen*)) {
  SCOPED_TRACE("tile<" + std::to_string(Size) + "> in " + text(block));
  const unsigned int n = static_cast<unsigned int>(block.count());
  memory<seen> out(n);
  run({1}, block, kernel, out.data());
  for (unsigned int t = 0; t < n; ++t) {
    const seen& s = out[t];
    const unsigned int first = t - t % Size;
    ASSERT_EQ(s.rank, t % Size);
    ASSERT_EQ(s.num_threads, Size);
    ASSERT_EQ(s.size, Size);
    ASSERT_EQ(s.meta_rank, t / Size);
    ASSERT_EQ(s.meta_size, n / Size);
    ASSERT_EQ(s.any_none, 0);
    ASSERT_NE(s.any_one, 0);
    ASSERT_NE(s.all_all, 0);
    ASSERT_EQ(s.all_but_one, 0);
    ASSERT_EQ(s.shuffled, (first + 37) * 3);
    ASSERT_EQ(s.shuffled_long, static_cast<unsigned long long>(first + Size - 1) << 33);
    ASSERT_EQ(s.neighbours, static_cast<int>((t % Size + 33) % Size) * 15);
  }
}

template <unsigned int Size>
void check_all(std::initializer_list<extent> blocks) {
  for (extent block : blocks) {
    check<Size>(block, look_typed<Size>);
    check<Size>(block, look_untyped<Size>);
  }
}

TEST(BigTile, MembersMatchTheModel) {
  CONFORMS("C.4.2.1.2", "C.4.2.1.3.8", "C.4.2.1.3.9", "C.4.2.1.3.10", "C.5.1.6", "C.6.1.1", "R1.8", "D.16");
  check_all<64>({{64}, {256}, {16, 8, 4}, {1024}});
  check_all<128>({{128}, {256}, {32, 24, 1}});
  check_all<256>({{256}, {1024}, {16, 16, 2}});
  check_all<512>({{512}, {1024}});
  check_all<1024>({{1024}});
}

// Passes block_tile_memory to this_thread_block(), in both spellings, in shared and in global memory.
__device__ unsigned int sum_of_tile(const cg::thread_block_tile<128>& tile, unsigned int* shared, unsigned int value) {
  unsigned int sum = value;
  for (unsigned int half = tile.size() / 2; half > 0; half /= 2) {
    shared[tile.thread_rank()] = sum;
    tile.sync();
    if (tile.thread_rank() < half) sum += shared[tile.thread_rank() + half];
    tile.sync();
  }
  return tile.shfl(sum, 0);
}

__global__ void with_shared_memory(unsigned int* out) {
  __shared__ unsigned int shared[256];
  __shared__ cg::block_tile_memory<256> memory_of_tiles;
  cg::thread_block block = cg::this_thread_block(memory_of_tiles);
  auto tile = cg::tiled_partition<128>(block);
  out[block.thread_rank()] = sum_of_tile(tile, shared + 128 * tile.meta_group_rank(), block.thread_rank());
}
__global__ void with_global_memory(unsigned int* out, cg::block_tile_memory<256>* memory_of_tiles) {
  __shared__ unsigned int shared[256];
  cg::thread_block block = cg::this_thread_block(*memory_of_tiles);
  auto tile = cg::tiled_partition<128>(block);
  out[block.thread_rank()] = sum_of_tile(tile, shared + 128 * tile.meta_group_rank(), block.thread_rank());
}

void check_sums(const memory<unsigned int>& out) {
  for (unsigned int t = 0; t < 256; ++t) ASSERT_EQ(out[t], t < 128 ? 127u * 64 : 383u * 64) << t;
}

TEST(BigTile, MemoryMayLieInSharedOrGlobalMemory) {
  CONFORMS("C.4.2.1.3.3", "C.4.2.1.3.6", "C.4.2.1.3.8", "R1.1");
  memory<unsigned int> out(256);
  run({1}, {256}, with_shared_memory, out.data());
  check_sums(out);
  out.fill(0);
  memory<cg::block_tile_memory<256>> global(1);
  run({1}, {256}, with_global_memory, out.data(), global.data());
  check_sums(out);
}

TEST(BigTile, SmallerBlocksNeedNoMoreMemory) {
  CONFORMS("C.4.2.1.3.5");
  EXPECT_LE(sizeof(cg::block_tile_memory<64>), sizeof(cg::block_tile_memory<256>));
  EXPECT_LE(sizeof(cg::block_tile_memory<256>), sizeof(cg::block_tile_memory<1024>));
}

// Each tile passes its own barriers; their number differs from tile to tile.
__global__ void barriers_apart(int* out) {
  __shared__ int shared[256];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  const unsigned int me = block.thread_rank();
  int sum = 0;
  for (unsigned int round = 0; round < 3 + 2 * tile.meta_group_rank(); ++round) {
    shared[me] = static_cast<int>(tile.thread_rank() + round);
    tile.sync();
    sum += shared[me - tile.thread_rank() + 63 - tile.thread_rank()];
    tile.sync();
  }
  out[me] = sum;
}

TEST(BigTile, TilesDoNotWaitForEachOther) {
  CONFORMS("W4.4", "C.4.2.1.3.9", "C.4.2.1.1.1");
  memory<int> out(256);
  run({1}, {256}, barriers_apart, out.data());
  for (int t = 0; t < 256; ++t) {
    const int rounds = 3 + 2 * (t / 64);
    ASSERT_EQ(out[t], rounds * (63 - t % 64) + rounds * (rounds - 1) / 2) << t;
  }
}

// Partitions the block into tiles of 256, those into tiles of 64, and those into warps.
__global__ void nested(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto big = cg::tiled_partition<256>(block);
  auto middle = cg::tiled_partition<64>(big);
  auto warp = cg::tiled_partition<32>(middle);
  unsigned int* mine = out + 3 * block.thread_rank();
  mine[0] = big.shfl(block.thread_rank(), 255) * 10 + big.meta_group_rank();
  mine[1] = middle.shfl(block.thread_rank(), 63) * 10 + middle.meta_group_rank();
  mine[2] = warp.shfl(block.thread_rank(), 31) * 10 + warp.meta_group_rank();
}

TEST(BigTile, SeveralSizesAtOnce) {
  CONFORMS("C.4.2.1.3.9", "C.5.1.2");
  memory<unsigned int> out(3 * 512);
  run({1}, {512}, nested, out.data());
  for (unsigned int t = 0; t < 512; ++t) {
    ASSERT_EQ(out[3 * t], (t / 256 * 256 + 255) * 10 + t / 256);
    ASSERT_EQ(out[3 * t + 1], (t / 64 * 64 + 63) * 10 + t % 256 / 64);
    ASSERT_EQ(out[3 * t + 2], (t / 32 * 32 + 31) * 10 + t % 64 / 32);
  }
}

std::size_t shared_bytes(const void* kernel) {
  cudaFuncAttributes attributes = {};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  return attributes.sharedSizeBytes;
}
__global__ void make_tiles(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto big = cg::tiled_partition<256>(block);
  auto small = cg::tiled_partition<128>(big);
  out[block.thread_rank()] = small.thread_rank() + 1000 * big.meta_group_rank();
}

TEST(BigTile, KernelsReserveNoMemoryThatTheyDoNotUse) {
  CONFORMS("D.15", "D.16");
  NEEDS(reserves_what_is_used);
  const auto bytes_of = [](auto* kernel) { return shared_bytes(reinterpret_cast<const void*>(kernel)); };
  EXPECT_EQ(bytes_of(make_tiles), 0u);
  EXPECT_LE(bytes_of(barriers_apart), 256 * sizeof(int) + barrier_bytes());
  EXPECT_LE(bytes_of(nested), exchange_bytes());
  // block_tile_memory adds at most 16 bytes.
  EXPECT_LE(bytes_of(with_shared_memory), 256 * sizeof(unsigned int) + 16 + exchange_bytes());
}

// Shuffles from one common source, from a different source for each thread, and from ranks beyond the tile, which are
// taken modulo its size.
struct shuffled {
  unsigned int same, other;
  unsigned long long other_long;
  unsigned int beyond;
};
template <unsigned int Size>
__global__ void shuffle(unsigned int same, shuffled* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned int me = block.thread_rank(), rank = tile.thread_rank(), mine = me + 1;
  const unsigned int threads = static_cast<unsigned int>(block.size()) - (me - rank);
  const unsigned int existing = threads < Size ? threads : Size;
  shuffled s{};
  s.same = tile.shfl(mine, static_cast<int>(same % existing));
  s.other = tile.shfl(mine, static_cast<int>((rank * 7 + 3) % existing));
  s.other_long = tile.shfl(static_cast<unsigned long long>(mine) << 32, static_cast<int>((rank / 2) % existing));
  s.beyond = tile.shfl(mine, static_cast<int>(2 * Size + rank % 2));
  out[me] = s;
}
template <unsigned int Size>
void check_shuffles() {
  for (unsigned int threads : {64u, 512u, 544u, 640u, 1000u, 1024u}) {
    for (unsigned int same : {0u, 31u, 32u, Size - 1}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, tiles of " + std::to_string(Size));
      memory<shuffled> out(threads);
      run({1}, {threads}, shuffle<Size>, same, out.data());
      for (unsigned int t = 0; t < threads; ++t) {
        const unsigned int rank = t % Size, first = t - rank, existing = std::min(Size, threads - first);
        ASSERT_EQ(out[t].same, first + same % existing + 1) << t;
        ASSERT_EQ(out[t].other, first + (rank * 7 + 3) % existing + 1) << t;
        ASSERT_EQ(out[t].other_long, static_cast<unsigned long long>(first + rank / 2 % existing + 1) << 32) << t;
        ASSERT_EQ(out[t].beyond, first + rank % 2 + 1) << t;
      }
    }
  }
}
TEST(BigTile, ShufflesFromAnywhere) {
  CONFORMS("C.4.2.1.3.10");
  check_shuffles<64>();
  check_shuffles<128>();
  check_shuffles<512>();
}

// Only one thread passes its tile by value: the conversion must not wait for other threads.
template <unsigned int Size>
__device__ unsigned int by_value(cg::thread_block_tile<Size> tile) {
  return tile.thread_rank() + 10000 * tile.meta_group_rank();
}
__global__ void convert_alone(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<128>(block);
  unsigned int seen = 0;
  if (block.thread_rank() % 50 == 7) seen = by_value<128>(tile);
  out[block.thread_rank()] = seen;
}

TEST(BigTile, ConversionWaitsForNobody) {
  CONFORMS("D.16");
  memory<unsigned int> out(384);
  run({1}, {384}, convert_alone, out.data());
  for (unsigned int t = 0; t < 384; ++t) ASSERT_EQ(out[t], t % 50 == 7 ? t % 128 + 10000 * (t / 128) : 0u) << t;
}

}  // namespace

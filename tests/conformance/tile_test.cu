// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile up to 32 threads and tiled_partition: sections C.4.2.1 and C.5.1 of the guide.
#include <cuda_fp16.h>

#include "conformance.hpp"

namespace {

using namespace conformance;

// Block shapes with a multiple of 32 threads: tiles of all sizes are full.
const extent blocks[] = {{32}, {64}, {96}, {8, 4, 1}, {4, 4, 6}, {16, 16, 1}, {1, 32, 2}, {1024}};

struct input {
  unsigned int value;
  int source;          // argument of shfl: any int
  unsigned int delta;  // argument of shfl_up and shfl_down
  unsigned int flip;   // argument of shfl_xor, equal in all threads
  int predicate;
  int mostly;  // true for most threads
  int small;   // few different values
};

struct seen {
  unsigned int rank, num_threads, size, meta_rank, meta_size;
  unsigned int shfl, up, down, xor_;
  int any, all, any_mostly, all_mostly;
  unsigned int ballot, match_any, match_all, match_all_equal;
  int match_predicate, match_predicate_equal;
};

template <class Tile>
__device__ seen look(const Tile& tile, const input& in) {
  seen s;
  s.rank = tile.thread_rank();
  s.num_threads = tile.num_threads();
  s.size = tile.size();
  s.meta_rank = tile.meta_group_rank();
  s.meta_size = tile.meta_group_size();
  s.shfl = tile.shfl(in.value, in.source);
  s.up = tile.shfl_up(in.value, in.delta);
  s.down = tile.shfl_down(in.value, in.delta);
  s.xor_ = tile.shfl_xor(in.value, in.flip);
  s.any = tile.any(in.predicate);
  s.all = tile.all(in.predicate);
  s.any_mostly = tile.any(in.mostly);
  s.all_mostly = tile.all(in.mostly);
  s.ballot = tile.ballot(in.predicate);
  s.match_any = tile.match_any(in.small);
  s.match_all = tile.match_all(in.small, s.match_predicate);
  s.match_all_equal = tile.match_all(17.5, s.match_predicate_equal);
  tile.sync();
  return s;
}

template <unsigned int Size>
__global__ void look_typed(const input* in, seen* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  auto tile = cg::tiled_partition<Size>(block);
  static_assert(same_type<decltype(tile), cg::thread_block_tile<Size, cg::thread_block>>);
  static_assert(decltype(tile)::num_threads() == Size && decltype(tile)::size() == Size);
  static_assert(same_type<decltype(tile.thread_rank()), unsigned int>);
  static_assert(same_type<decltype(tile.num_threads()), unsigned int>);
  static_assert(same_type<decltype(tile.meta_group_rank()), unsigned int>);
  static_assert(same_type<decltype(tile.meta_group_size()), unsigned int>);
  out[me] = look(tile, in[me]);
}
template <unsigned int Size>
__global__ void look_untyped(const input* in, seen* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  static_assert(same_type<cg::thread_block_tile<Size>, cg::thread_block_tile<Size, void>>);
  out[me] = look(tile, in[me]);
}

std::vector<input> inputs(std::size_t threads) {
  std::vector<input> all(threads);
  unsigned int state = static_cast<unsigned int>(threads) * 2654435761u + 12345u;
  auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (input& in : all)
    in = {next(), static_cast<int>(next() % 100) - 50, 0, 0, next() % 3 ? 0 : 5, next() % 50 != 0, 0};
  for (input& in : all) in.small = static_cast<int>(next() % 3) - 1;
  return all;
}

template <unsigned int Size>
void check(extent block, bool typed) {
  SCOPED_TRACE("tiles of " + std::to_string(Size) + " in " + text(block));
  const unsigned int threads = static_cast<unsigned int>(block.count());
  const std::vector<input> values = inputs(threads);
  for (unsigned int delta : {0u, 1u, 3u, Size - 1, Size}) {
    if (delta > 31) continue;  // extended_test.cu tests larger distances
    memory<input> in(threads);
    memory<seen> out(threads);
    for (unsigned int t = 0; t < threads; ++t) {
      in[t] = values[t];
      in[t].delta = delta;
      in[t].flip = delta % Size;
    }
    run({1}, block, typed ? look_typed<Size> : look_untyped<Size>, static_cast<const input*>(in.data()), out.data());
    for (const model::group& tile : model::tiles(model::whole_block(threads), Size)) {
      auto value = [&](unsigned int rank) -> const input& { return in[tile.members[rank]]; };
      unsigned int ballot = 0, alike = 0, mostly = 0;
      for (unsigned int r = 0; r < Size; ++r) {
        ballot |= (value(r).predicate != 0 ? 1u : 0u) << r;
        mostly += value(r).mostly != 0;
        alike += value(r).small == value(0).small;
      }
      const unsigned int full = Size == 32 ? ~0u : (1u << Size) - 1;
      for (unsigned int r = 0; r < Size; ++r) {
        const seen& s = out[tile.members[r]];
        const input& mine = value(r);
        unsigned int match = 0;
        for (unsigned int q = 0; q < Size; ++q) match |= (value(q).small == mine.small ? 1u : 0u) << q;
        const int size = static_cast<int>(Size);
        ASSERT_EQ(s.rank, r);
        ASSERT_EQ(s.num_threads, Size);
        ASSERT_EQ(s.size, Size);
        ASSERT_EQ(s.meta_rank, tile.index);
        ASSERT_EQ(s.meta_size, threads / Size);
        ASSERT_EQ(s.shfl, value(static_cast<unsigned int>((mine.source % size + size) % size)).value);
        ASSERT_EQ(s.up, value(r >= delta ? r - delta : r).value);
        ASSERT_EQ(s.down, value(r + delta < Size ? r + delta : r).value);
        ASSERT_EQ(s.xor_, value(r ^ mine.flip).value);
        ASSERT_EQ(s.any != 0, ballot != 0);
        ASSERT_EQ(s.all != 0, ballot == full);
        ASSERT_EQ(s.any_mostly != 0, mostly != 0);
        ASSERT_EQ(s.all_mostly != 0, mostly == Size);
        ASSERT_EQ(s.ballot, ballot);
        ASSERT_EQ(s.match_any, match);
        ASSERT_EQ(s.match_all, alike == Size ? full : 0u);
        ASSERT_EQ(s.match_predicate, alike == Size);
        ASSERT_EQ(s.match_all_equal, full);
        ASSERT_EQ(s.match_predicate_equal, 1);
      }
    }
  }
}

template <unsigned int Size>
void check_all() {
  for (extent block : blocks) {
    check<Size>(block, true);
    check<Size>(block, false);
  }
}

TEST(Tile, MembersMatchTheModel) {
  CONFORMS("C.4.2.1.1", "C.4.2.1.3", "C.4.2.1.4", "C.4.2.1.5", "C.4.2.1.6", "C.4.2.1.7", "C.4.2.1.8", "C.4.2.1.9",
           "C.4.2.1.10", "C.4.2.1.11", "C.4.2.1.12", "C.4.2.1.13", "C.4.2.1.14", "C.4.2.1.15", "C.4.2.1.1.2", "C.2.8",
           "C.5.1.1", "C.5.1.2", "N3.2", "W4.3", "E2.2");
  check_all<1>();
  check_all<2>();
  check_all<4>();
  check_all<8>();
  check_all<16>();
  check_all<32>();
}

// Makes the values of a type that is shuffled.
template <class T>
struct maker {
  __host__ __device__ static T make(unsigned int number) { return T(number); }
};
template <std::size_t Bytes>
struct maker<sized<Bytes>> {
  __host__ __device__ static sized<Bytes> make(unsigned int number) { return sized<Bytes>::of(number); }
};
template <>
struct maker<__half> {
  __host__ __device__ static __half make(unsigned int number) { return __float2half(float(number) * 0.5f); }
};

template <class T>
__global__ void shuffle_all(T* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned int me = threadIdx.x;
  const T mine = maker<T>::make(me);
  out[4 * me] = tile.shfl(mine, static_cast<int>(15 - tile.thread_rank()));
  out[4 * me + 1] = tile.shfl_up(mine, 2);
  out[4 * me + 2] = tile.shfl_down(mine, 5);
  out[4 * me + 3] = tile.shfl_xor(maker<T>::make(me), 9);
}

template <class T>
void check_type(const char* name) {
  SCOPED_TRACE(name);
  memory<T> out(4 * 64);
  run({1}, {64}, shuffle_all<T>, out.data());
  for (unsigned int me = 0; me < 64; ++me) {
    const unsigned int rank = me % 16, first = me - rank;
    const unsigned int from[] = {first + 15 - rank, rank >= 2 ? me - 2 : me, rank + 5 < 16 ? me + 5 : me,
                                 first + (rank ^ 9)};
    for (unsigned int k = 0; k < 4; ++k) {
      const T expected = maker<T>::make(from[k]);
      ASSERT_EQ(std::memcmp(&out[4 * me + k], &expected, sizeof(T)), 0) << "thread " << me << ", shuffle " << k;
    }
  }
}

TEST(Tile, ShufflesOfEveryType) {
  CONFORMS("C.4.2.1.16");
  check_type<sized<1>>("1 byte");
  check_type<sized<2>>("2 bytes");
  check_type<sized<3>>("3 bytes");
  check_type<sized<4>>("4 bytes");
  check_type<sized<8>>("8 bytes");
  check_type<sized<12>>("12 bytes");
  check_type<sized<16>>("16 bytes");
  check_type<sized<31>>("31 bytes");
  check_type<sized<32>>("32 bytes");
  check_type<char>("char");
  check_type<short>("short");
  check_type<long long>("long long");
  check_type<unsigned long long>("unsigned long long");
  check_type<float>("float");
  check_type<double>("double");
  check_type<__half>("__half");
}

// The guide's example: tiles of two sizes side by side, and tiles of tiles in both spellings.
__global__ void nested(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(block);
  cg::thread_block_tile<4, cg::thread_block> tile4 = cg::tiled_partition<4>(block);
  auto of_tile = cg::tiled_partition<4>(cg::tiled_partition<32>(block));
  static_assert(same_type<decltype(of_tile), cg::thread_block_tile<4, cg::thread_block_tile<32, cg::thread_block>>>);
  cg::thread_group dynamic32 = cg::tiled_partition(block, 32);
  cg::thread_group dynamic4 = cg::tiled_partition(dynamic32, 4);
  cg::thread_group of_static = cg::tiled_partition(tile32, 4);
  static_assert(same_type<decltype(cg::tiled_partition(block, 4)), cg::thread_group>);
  dynamic4.sync();
  of_static.sync();
  unsigned int* mine = out + 10 * block.thread_rank();
  mine[0] = tile32.thread_rank() + 100 * tile32.meta_group_rank() + 10000 * tile32.meta_group_size();
  mine[1] = tile4.thread_rank() + 100 * tile4.meta_group_rank() + 10000 * tile4.meta_group_size();
  mine[2] = of_tile.thread_rank() + 100 * of_tile.meta_group_rank() + 10000 * of_tile.meta_group_size();
  mine[3] = static_cast<unsigned int>(dynamic4.thread_rank());
  mine[4] = static_cast<unsigned int>(dynamic4.size());
  mine[5] = static_cast<unsigned int>(of_static.thread_rank());
  mine[6] = static_cast<unsigned int>(of_static.size());
  mine[7] = of_tile.thread_rank() == 0;
  mine[8] = dynamic4.thread_rank() == 0;
  mine[9] = of_tile.shfl(block.thread_rank(), 3);
}

TEST(Tile, TilesSideBySideAndTilesOfTiles) {
  CONFORMS("C.2.9", "C.4.2.1.18", "C.5.1.1", "C.5.1.2", "C.5.1.9", "C.2.8");
  for (extent block : blocks) {
    const unsigned int n = static_cast<unsigned int>(block.count());
    memory<unsigned int> out(10 * n);
    run({1}, block, nested, out.data());
    for (unsigned int t = 0; t < n; ++t) {
      const unsigned int expected[] = {t % 32 + 100 * (t / 32) + 10000 * (n / 32),
                                       t % 4 + 100 * (t / 4) + 10000 * (n / 4),
                                       t % 4 + 100 * (t % 32 / 4) + 10000 * 8,
                                       t % 4,
                                       4,
                                       t % 4,
                                       4,
                                       t % 4 == 0,
                                       t % 4 == 0,
                                       t - t % 4 + 3};
      for (int k = 0; k < 10; ++k) ASSERT_EQ(out[10 * t + k], expected[k]) << "thread " << t << ", value " << k;
    }
  }
}

// Only the first tile of each block passes barriers: they must not wait for other tiles.
template <unsigned int Size>
__global__ void first_tile_only(int* out) {
  __shared__ int shared[32];
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int sum = 0;
  if (tile.meta_group_rank() == 0) {
    for (int round = 0; round < 10; ++round) {
      shared[tile.thread_rank()] = static_cast<int>(tile.thread_rank()) + round;
      tile.sync();
      sum += shared[(tile.thread_rank() + 1) % Size];
      tile.sync();
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <unsigned int Size>
void check_first_tile() {
  memory<int> out(3 * 96);
  run({3}, {96}, first_tile_only<Size>, out.data());
  for (unsigned int i = 0; i < 3 * 96; ++i) {
    const unsigned int t = i % 96;
    ASSERT_EQ(out[i], t < Size ? static_cast<int>(10 * ((t + 1) % Size) + 45) : 0) << Size << ", thread " << i;
  }
}

TEST(Tile, OneTileSynchronisesAlone) {
  CONFORMS("C.4.2.1.4", "C.4.2.1.1.1", "N3.2");
  check_first_tile<2>();
  check_first_tile<8>();
  check_first_tile<32>();
}

__global__ void alone(unsigned int* out) {
  cg::thread_block_tile<1> me = cg::this_thread();
  unsigned int* mine = out + 7 * threadIdx.x;
  if (threadIdx.x % 3 == 0) me.sync();  // returns at once: the group has one thread
  mine[0] = me.num_threads();
  mine[1] = me.size();
  mine[2] = me.thread_rank();
  mine[3] = me.meta_group_rank();
  mine[4] = me.meta_group_size();
  mine[5] = me.shfl(threadIdx.x, 0);
  mine[6] = me.ballot(1);
}

TEST(Tile, ThisThreadIsATileOfOne) {
  CONFORMS("C.4.2.1.2.1");
  memory<unsigned int> out(7 * 70);
  run({1}, {70}, alone, out.data());
  for (unsigned int t = 0; t < 70; ++t) {
    const unsigned int expected[] = {1, 1, 0, 0, 1, t, 1};
    for (int k = 0; k < 7; ++k) ASSERT_EQ(out[7 * t + k], expected[k]) << "thread " << t << ", value " << k;
  }
}

// The threads of a block call the partition at different times.
__global__ void partition_late(unsigned int* out) {
  cg::thread_block block = cg::this_thread_block();
  unsigned int waste = 0;
  for (unsigned int i = 0; i < block.thread_rank() * 3; ++i) waste += atomicAdd(out + blockDim.x, 1);
  auto tile = cg::tiled_partition<16>(block);
  cg::thread_group dynamic = cg::tiled_partition(block, 8);
  out[block.thread_rank()] = tile.shfl(block.thread_rank(), 5) +
                             1000 * static_cast<unsigned int>(dynamic.thread_rank()) + (waste == ~0u ? 1 : 0);
}

TEST(Tile, PartitionByThreadsThatComeAtDifferentTimes) {
  CONFORMS("C.5.1.5");
  memory<unsigned int> out(65);
  run({1}, {64}, partition_late, out.data());
  for (unsigned int t = 0; t < 64; ++t) ASSERT_EQ(out[t], t - t % 16 + 5 + 1000 * (t % 8)) << t;
}

}  // namespace

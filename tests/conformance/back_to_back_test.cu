// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a block and of its tiles of 64 threads and more, back to back without a barrier in between. Group
// sizes differ and some warps arrive late: the staging buffers of one collective must be free again before the next
// uses them.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "conformance.hpp"
#include "operators.hpp"

namespace {

using namespace conformance;

constexpr unsigned int sizes[] = {64, 128, 0, 256, 512, 1024};  // 0: the block
constexpr unsigned int group_count = 6;

__host__ __device__ unsigned int scatter(unsigned int x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// The values of a type and their operator. Integer sums are exact in any order; `affine::then` is associative only.
template <class T>
struct sample {
  using op = cg::plus<T>;
  static T combine(T a, T b) { return a + b; }
  __host__ __device__ static T of(unsigned int number) {
    return static_cast<T>(static_cast<int>(scatter(number) % 31) - 15);
  }
};
template <>
struct sample<affine> {
  using op = affine::then;
  static affine combine(const affine& a, const affine& b) { return op()(a, b); }
  __host__ __device__ static affine of(unsigned int number) { return affine::of(scatter(number)); }
};

template <class T>
struct results {
  T reduced, inclusive, exclusive;
};

// Delays one warp in four by up to 600 cycles.
__device__ void hesitate(unsigned int number, bool may_be_late) {
  const unsigned int which = scatter(number + threadIdx.x / 32 * 977);
  if (!may_be_late || which % 4 != 0) return;
  const long long begin = clock64();
  while (clock64() - begin < (which >> 8) % 600) {
  }
}

template <class T, class Group>
__device__ void combine(const Group& group, const T& mine, unsigned int number, bool late, results<T>* out) {
  typename sample<T>::op op;
  hesitate(number, late);
  out->reduced = cg::reduce(group, mine, op);
  hesitate(number + 1, late);
  out->inclusive = cg::inclusive_scan(group, mine, op);
  hesitate(number + 2, late);
  out->exclusive = cg::exclusive_scan(group, mine, op);
  hesitate(number + 3, late);
  group.sync();
}

// Every fourth round runs all groups; the other rounds repeat one group.
__host__ __device__ bool takes_part(unsigned int round, unsigned int group) {
  return round % 4 == 0 || round % group_count == group;
}
template <class T>
__global__ void combine_in_a_row(results<T>* out, unsigned int rounds, bool late) {
  __shared__ cg::block_tile_memory<1024> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile64 = cg::tiled_partition<64>(block);
  const auto tile128 = cg::tiled_partition<128>(block);
  const auto tile256 = cg::tiled_partition<256>(block);
  const auto tile512 = cg::tiled_partition<512>(block);
  const auto tile1024 = cg::tiled_partition<1024>(block);
  for (unsigned int round = 0; round < rounds; ++round) {
    const T mine = sample<T>::of(round * 4096 + threadIdx.x);
    results<T>* to = out + (round * blockDim.x + threadIdx.x) * group_count;
    const unsigned int number = round * 999;
    if (takes_part(round, 0)) combine(tile64, mine, number, late, to);
    if (takes_part(round, 1)) combine(tile128, mine, number + 10, late, to + 1);
    if (takes_part(round, 2)) combine(block, mine, number + 20, late, to + 2);
    if (takes_part(round, 3)) combine(tile256, mine, number + 30, late, to + 3);
    if (takes_part(round, 4)) combine(tile512, mine, number + 40, late, to + 4);
    if (takes_part(round, 5)) combine(tile1024, mine, number + 50, late, to + 5);
  }
}

template <class T>
void check_group(unsigned int round, unsigned int threads, unsigned int group, const memory<results<T>>& out) {
  const unsigned int size = sizes[group] == 0 ? threads : sizes[group];
  for (unsigned int first = 0; first < threads; first += size) {
    const unsigned int end = std::min(first + size, threads);
    std::vector<T> through;
    for (unsigned int i = first; i < end; ++i) {
      const T mine = sample<T>::of(round * 4096 + i);
      through.push_back(i == first ? mine : sample<T>::combine(through.back(), mine));
    }
    for (unsigned int i = first; i < end; ++i) {
      const results<T>& seen = out[(round * threads + i) * group_count + group];
      ASSERT_TRUE(seen.reduced == through.back()) << "reduce, round " << round << ", thread " << i;
      ASSERT_TRUE(seen.inclusive == through[i - first]) << "inclusive_scan, round " << round << ", thread " << i;
      if (i == first) continue;
      ASSERT_TRUE(seen.exclusive == through[i - first - 1]) << "exclusive_scan, round " << round << ", thread " << i;
    }
  }
}

template <class T>
void check() {
  // The engine's order of threads does not depend on time, so delays would test nothing there.
  const bool late = !on_engine();
  const unsigned int rounds = late ? 24 : 6;
  for (unsigned int threads :
       {31u, 33u, 64u, 96u, 128u, 200u, 256u, 320u, 385u, 512u, 544u, 545u, 577u, 640u, 768u, 991u, 993u, 1024u}) {
    memory<results<T>> out(rounds * threads * group_count);
    run({1}, {threads}, combine_in_a_row<T>, out.data(), rounds, late);
    for (unsigned int round = 0; round < rounds; ++round) {
      for (unsigned int group = 0; group < group_count; ++group) {
        if (!takes_part(round, group)) continue;
        SCOPED_TRACE(std::to_string(threads) + " threads, tiles of " + std::to_string(sizes[group]));
        check_group(round, threads, group, out);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// A value of 16 bytes whose operator sleeps when the second operand is marked slow.
struct slow_affine {
  affine function;
  unsigned int slow, unused;
};
struct slowly_then {
  __device__ slow_affine operator()(const slow_affine& first, const slow_affine& second) const {
    for (unsigned int i = 0; i < 10 * second.slow; ++i) __nanosleep(20000);
    return {affine::then()(first.function, second.function), second.slow, 0};
  }
};

// Even and odd lanes call from two places in the source, and the even lanes of each second warp are slow. Lanes of one
// warp are in different collectives for a while.
__global__ void scan_apart(affine* out, unsigned int rounds, bool late) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned int slow = late && threadIdx.x % 64 >= 32 && threadIdx.x % 2 == 0;
  for (unsigned int round = 0; round < rounds; ++round) {
    slow_affine mine = {affine::of(round * 4096 + threadIdx.x), slow, 0};
    if (threadIdx.x % 2 == 0) {
      mine = cg::inclusive_scan(tile, mine, slowly_then());
      mine.function.offset += 1;
    } else {
      mine = cg::inclusive_scan(tile, mine, slowly_then());
      mine.function.slope += 2;
    }
    out[round * blockDim.x + threadIdx.x] = mine.function;
  }
}

TEST(BackToBack, LanesFromTwoPlaces) {
  CONFORMS("C.6.3.3.3");
  const unsigned int rounds = 4;
  for (unsigned int threads : {64u, 512u, 640u, 1024u}) {
    memory<affine> out(rounds * threads);
    run({1}, {threads}, scan_apart, out.data(), rounds, !on_engine());
    for (unsigned int round = 0; round < rounds; ++round) {
      affine through{};
      for (unsigned int i = 0; i < threads; ++i) {
        const affine mine = affine::of(round * 4096 + i);
        through = i % 64 == 0 ? mine : affine::then()(through, mine);
        affine seen = out[round * threads + i];
        (i % 2 == 0 ? seen.offset : seen.slope) -= i % 2 + 1;
        ASSERT_TRUE(seen == through) << threads << " threads, round " << round << ", thread " << i;
      }
    }
  }
}

// Shuffles of tiles of 64, one after the other: by lane, from one source, by lane in one warp only, and of values of 1,
// 2 and 4 words. Sums and a shuffle of a larger tile come in between.
__host__ __device__ unsigned int source_of(unsigned int kind, unsigned int round, unsigned int rank) {
  if (kind == 0) return (rank * 5 + round) % 64;
  if (kind == 1) return scatter(round) % 64;
  return rank < 32 ? (rank + round) % 64 : round % 64;
}
__host__ __device__ unsigned int kind_of(unsigned int round) { return scatter(round * 3 + 1) % 4 % 3; }
__global__ void shuffle_in_a_row(unsigned int* wrong, unsigned int rounds, bool late) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  const auto large = cg::tiled_partition<128>(block);
  const unsigned int me = block.thread_rank(), rank = tile.thread_rank(), first = me - rank;
  const unsigned int existing = static_cast<unsigned int>(block.size()) - first;
  unsigned int errors = 0;
  for (unsigned int round = 0; round < rounds; ++round) {
    unsigned int from = source_of(kind_of(round), round, rank);
    if (from >= existing) from %= existing;
    const int source = static_cast<int>(from);
    const unsigned int mine = me + round * 1024, expected = first + from + round * 1024;
    const unsigned int chosen = scatter(round + 77) % 6;
    hesitate(round, late);
    if (chosen < 2) errors += tile.shfl(mine, source) != expected;
    if (chosen == 2) errors += !(tile.shfl(sized<8>::of(mine), source) == sized<8>::of(expected));
    if (chosen == 3) errors += !(tile.shfl(sized<13>::of(mine), source) == sized<13>::of(expected));
    if (chosen == 4) errors += cg::reduce(tile, 1u, cg::plus<unsigned int>()) != (existing < 64 ? existing : 64);
    if (chosen == 5) errors += large.shfl(mine, 0) != me / 128 * 128 + round * 1024;
  }
  wrong[me] = errors;
}
TEST(BackToBack, ShufflesByLane) {
  CONFORMS("C.4.2.1.3.10");
  const bool late = !on_engine();
  for (unsigned int threads : {64u, 100u, 512u, 576u, 1000u, 1024u}) {
    memory<unsigned int> wrong(threads);
    run({1}, {threads}, shuffle_in_a_row, wrong.data(), late ? 400u : 60u, late);
    for (unsigned int t = 0; t < threads; ++t) ASSERT_EQ(wrong[t], 0u) << threads << " threads, thread " << t;
  }
}

TEST(BackToBack, SumsOfIntegers) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  check<int>();
}
TEST(BackToBack, SumsOfFloats) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  check<float>();
}
TEST(BackToBack, OperatorsThatDoNotCommute) {
  CONFORMS("C.6.3.1.2", "C.6.3.3.3");
  check<affine>();
}

}  // namespace

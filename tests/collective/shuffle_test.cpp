// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shfl, shfl_up, shfl_down, shfl_xor with every rank and distance, every tile size and values of every size.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <model/kernel_test.hpp>
#include <random>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::sized;

template <class T>
struct results {
  T shfl, up, down, exchanged;
};

template <class T, unsigned int Size>
COHORT_KERNEL void shuffle_tile(const T* in, int argument, results<T>* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned int me = block.thread_rank();
  const unsigned int distance = static_cast<unsigned int>(argument);
  out[me] = {tile.shfl(in[me], argument), tile.shfl_up(in[me], distance), tile.shfl_down(in[me], distance),
             tile.shfl_xor(in[me], distance)};
}

template <class T>
COHORT_KERNEL void shuffle_coalesced(const T* in, const unsigned char* side, int argument, results<T>* out) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto g = cg::binary_partition(cg::tiled_partition<32>(block), side[me] != 0);
  const unsigned int distance = static_cast<unsigned int>(argument);
  out[me] = {g.shfl(in[me], argument), g.shfl_up(in[me], distance), g.shfl_down(in[me], distance), in[me]};
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// The value of rank `rank` of the group; zero bytes where a partial tile has no such thread.
template <class T>
T value_of(const model::group& g, const buffer<T>& in, unsigned int rank) {
  T zero;
  std::memset(&zero, 0, sizeof(T));
  return rank < g.size() ? in[g.members[rank]] : zero;
}

// `size` is the num_threads() of the group `g`; `argument` is the source rank, the distance and the xor mask.
template <class T>
void check(unsigned int thread, const results<T>& got, const model::group& g, const buffer<T>& in, int size,
           int argument, bool has_xor) {
  const int rank = static_cast<int>(g.rank_of(thread));
  const auto at = [&](int r) { return value_of(g, in, static_cast<unsigned int>(r)); };
  const bool negative = argument < 0;  // converted to an unsigned distance, it exceeds every size
  const int source = ((argument % size) + size) % size;
  EXPECT_TRUE(same(got.shfl, at(source))) << "shfl";
  EXPECT_TRUE(same(got.up, negative || argument > rank ? at(rank) : at(rank - argument))) << "shfl_up";
  EXPECT_TRUE(same(got.down, negative || rank + argument >= size ? at(rank) : at(rank + argument))) << "shfl_down";
  if (has_xor) {
    EXPECT_TRUE(same(got.exchanged, negative || (rank ^ argument) >= size ? at(rank) : at(rank ^ argument)))
        << "shfl_xor";
  }
}

template <class T, unsigned int Size>
void test_tile(unsigned int threads, const buffer<T>& in) {
  buffer<results<T>> out(threads);
  const auto tiles = model::tiles(model::whole_block(threads), Size);
  for (int argument : {-33, -1, 0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 30, 31, 32, 33, 1000}) {
    run({1, 1, 1}, {threads, 1, 1}, shuffle_tile<T, Size>, in.data(), argument, out.data());
    for (unsigned int t = 0; t < threads; ++t) {
      SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes, tile<" << Size << "> of " << threads << ", thread " << t
                                      << ", argument " << argument);
      check(t, out[t], model::of(tiles, t), in, Size, argument, true);
    }
  }
}

template <class T>
void test_coalesced(unsigned int threads, const buffer<T>& in, unsigned int seed) {
  std::mt19937 random(seed);
  buffer<results<T>> out(threads);
  buffer<unsigned char> side(threads);
  for (unsigned int t = 0; t < threads; ++t) side[t] = random() % 3 == 0;
  for (int argument : {-7, -1, 0, 1, 2, 3, 5, 8, 13, 31, 32, 33, 1000}) {
    run({1, 1, 1}, {threads, 1, 1}, shuffle_coalesced<T>, in.data(), side.data(), argument, out.data());
    for (const auto& warp : model::tiles(model::whole_block(threads), 32)) {
      std::vector<bool> sides;
      for (unsigned int t : warp.members) sides.push_back(side[t] != 0);
      for (const auto& g : model::by_predicate(warp, sides)) {
        for (unsigned int t : g.members) {
          SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes, thread " << t << ", argument " << argument);
          check(t, out[t], g, in, static_cast<int>(g.size()), argument, false);
        }
      }
    }
  }
}

template <class T>
class Shuffle : public testing::Test {
 public:
  static T make(unsigned int number) {
    T value;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(number * 37u + i * 11u + 1u);
    }
    return value;
  }
};

struct two_parts {
  double a;
  short b[4];
};

using shuffled_types = testing::Types<sized<1>, sized<2>, sized<3>, sized<4>, sized<8>, sized<12>, sized<16>, sized<31>,
                                      sized<32>, sized<64>, sized<200>, short, long long, double, two_parts>;
TYPED_TEST_SUITE(Shuffle, shuffled_types);

TYPED_TEST(Shuffle, EveryTile) {
  for (unsigned int threads : {1u, 13u, 32u, 45u}) {
    buffer<TypeParam> in(threads);
    for (unsigned int t = 0; t < threads; ++t) in[t] = this->make(t);
    test_tile<TypeParam, 1>(threads, in);
    test_tile<TypeParam, 4>(threads, in);
    test_tile<TypeParam, 16>(threads, in);
    test_tile<TypeParam, 32>(threads, in);
  }
}

TYPED_TEST(Shuffle, Coalesced) {
  for (unsigned int threads : {1u, 13u, 32u, 45u}) {
    buffer<TypeParam> in(threads);
    for (unsigned int t = 0; t < threads; ++t) in[t] = this->make(t);
    test_coalesced(threads, in, threads);
  }
}

TEST(ShuffleSizes, TwoAndEight) {
  for (unsigned int threads : {2u, 9u, 32u, 61u}) {
    buffer<int> in(threads);
    for (unsigned int t = 0; t < threads; ++t) in[t] = static_cast<int>(t * t) - 7;
    test_tile<int, 2>(threads, in);
    test_tile<int, 8>(threads, in);
  }
}

// A type without a default constructor, and a volatile variable.
struct no_default {
  int value;
  COHORT_HOST_DEVICE explicit no_default(int v) : value(v) {}
};

COHORT_KERNEL void shuffle_odd_types(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  volatile int changing = rank * 10;
  out[cg::this_thread_block().thread_rank()] = tile.shfl(no_default(rank), 5).value * 100 + tile.shfl(changing, 3);
}

TEST(ShuffleTypes, NoDefaultConstructorAndVolatile) {
  buffer<int> out(16);
  run({1, 1, 1}, {16, 1, 1}, shuffle_odd_types, out.data());
  for (int i = 0; i < 16; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 530);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// any, all, ballot, count, match_any, match_all over tiles and coalesced groups.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <cmath>
#include <model/kernel_test.hpp>
#include <random>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;

struct votes {
  int any, all;
  unsigned int ballot, count;
  bool free_any, free_all;
};

template <class Group>
COHORT_DEVICE votes ask(const Group& g, int predicate) {
  return {g.any(predicate),
          g.all(predicate),
          g.ballot(predicate),
          cohort::count(g, predicate != 0),
          cohort::any(g, predicate != 0),
          cohort::all(g, predicate != 0)};
}

template <unsigned int Size>
COHORT_KERNEL void vote(const int* predicates, const unsigned char* side, votes* of_tile, votes* of_side) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  of_tile[me] = ask(tile, predicates[me]);
  of_side[me] = ask(cg::binary_partition(tile, side[me] != 0), predicates[me]);
}

void check(const votes& got, const model::group& g, const buffer<int>& predicates) {
  unsigned int ballot = 0, count = 0;
  for (unsigned int r = 0; r < g.size(); ++r) {
    if (predicates[g.members[r]] == 0) continue;
    ballot |= 1u << r;
    ++count;
  }
  EXPECT_EQ(got.any, count > 0 ? 1 : 0);
  EXPECT_EQ(got.all, count == g.size() ? 1 : 0);
  EXPECT_EQ(got.ballot, ballot);
  EXPECT_EQ(got.count, count);
  EXPECT_EQ(got.free_any, count > 0);
  EXPECT_EQ(got.free_all, count == g.size());
}

std::vector<model::group> sides_of(const model::group& parent, const buffer<unsigned char>& side) {
  std::vector<bool> list;
  for (unsigned int t : parent.members) list.push_back(side[t] != 0);
  return model::by_predicate(parent, list);
}

template <unsigned int Size>
void test_votes(unsigned int threads, unsigned int seed) {
  std::mt19937 random(seed);
  buffer<int> predicates(threads);
  buffer<unsigned char> side(threads);
  buffer<votes> of_tile(threads), of_side(threads);
  const unsigned int rare = seed % 3;  // mostly false, mixed, mostly true
  for (unsigned int t = 0; t < threads; ++t) {
    const int yes = random() % 2 == 0 ? 1 << random() % 31 : -5;
    const bool mixed = random() % 2 == 0, seldom = random() % 20 == 0;
    predicates[t] = (rare == 0 ? seldom : rare == 1 ? mixed : !seldom) ? yes : 0;
    side[t] = random() % 2;
  }
  run({1, 1, 1}, {threads, 1, 1}, vote<Size>, predicates.data(), side.data(), of_tile.data(), of_side.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    for (unsigned int t : tile.members) {
      SCOPED_TRACE(testing::Message() << "tile<" << Size << "> of " << threads << ", thread " << t << ", seed "
                                      << seed);
      check(of_tile[t], tile, predicates);
      check(of_side[t], model::of(sides_of(tile, side), t), predicates);
    }
  }
}

TEST(Vote, EveryTileAndBothSides) {
  for (unsigned int seed = 0; seed < 6; ++seed) {
    for (unsigned int threads : {1u, 3u, 8u, 20u, 31u, 32u, 33u, 63u, 70u}) {
      test_votes<1>(threads, seed);
      test_votes<2>(threads, seed);
      test_votes<4>(threads, seed);
      test_votes<8>(threads, seed);
      test_votes<16>(threads, seed);
      test_votes<32>(threads, seed);
    }
  }
}

struct matches {
  unsigned int any, all;
  int predicate;
};

template <class Group, class T>
COHORT_DEVICE matches compare(const Group& g, T value) {
  matches m = {g.match_any(value), 0, 77};
  m.all = g.match_all(value, m.predicate);
  return m;
}

template <class T, unsigned int Size>
COHORT_KERNEL void match(const T* values, const unsigned char* side, matches* of_tile, matches* of_side) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  of_tile[me] = compare(tile, values[me]);
  of_side[me] = compare(cg::binary_partition(tile, side[me] != 0), values[me]);
}

template <class T>
void check(const matches& got, unsigned int thread, const model::group& g, const buffer<T>& values) {
  unsigned int any = 0, everybody = 0;
  bool all = true;
  for (unsigned int r = 0; r < g.size(); ++r) {
    everybody |= 1u << r;
    const bool equal = std::memcmp(&values[g.members[r]], &values[thread], sizeof(T)) == 0;
    if (equal) any |= 1u << r;
    all = all && equal;
  }
  EXPECT_EQ(got.any, any);
  EXPECT_EQ(got.all, all ? everybody : 0u);
  EXPECT_EQ(got.predicate, all ? 1 : 0);
}

template <class T, unsigned int Size>
void test_match(unsigned int threads, const std::vector<T>& choices, unsigned int seed) {
  std::mt19937 random(seed);
  buffer<T> values(threads);
  buffer<unsigned char> side(threads);
  buffer<matches> of_tile(threads), of_side(threads);
  for (unsigned int t = 0; t < threads; ++t) {
    values[t] = choices[random() % choices.size()];
    side[t] = random() % 2;
  }
  run({1, 1, 1}, {threads, 1, 1}, match<T, Size>, values.data(), side.data(), of_tile.data(), of_side.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    for (unsigned int t : tile.members) {
      SCOPED_TRACE(testing::Message() << "tile<" << Size << "> of " << threads << ", thread " << t << ", seed "
                                      << seed);
      check(of_tile[t], t, tile, values);
      check(of_side[t], t, model::of(sides_of(tile, side), t), values);
    }
  }
}

TEST(Match, EveryType) {
  for (unsigned int seed = 0; seed < 3; ++seed) {
    for (unsigned int threads : {1u, 8u, 20u, 32u, 50u}) {
      test_match<int, 32>(threads, {-1, 0, 1, 1 << 30}, seed);
      test_match<int, 8>(threads, {5}, seed);
      test_match<int, 1>(threads, {5, 6}, seed);
      test_match<char, 16>(threads, {'a', 'b', static_cast<char>(-3)}, seed);
      test_match<unsigned short, 4>(threads, {1, 65535}, seed);
      test_match<long long, 32>(threads, {0, 1ll << 40, -1}, seed);
      test_match<float, 32>(threads, {0.0f, -0.0f, 1.5f, std::nanf("")}, seed);
      test_match<double, 2>(threads, {1.0, 2.0, std::nan("")}, seed);
      test_match<bool, 32>(threads, {false, true}, seed);
    }
  }
}

TEST(Match, AllDifferent) {
  std::vector<unsigned int> many;
  for (unsigned int i = 0; i < 10000; ++i) many.push_back(i);
  test_match<unsigned int, 32>(64, many, 9);
}

}  // namespace

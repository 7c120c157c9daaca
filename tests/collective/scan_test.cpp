// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inclusive_scan and exclusive_scan have the bits of the written order; the result of rank 0.
#include <cooperative_groups/scan.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <model/kernel_test.hpp>
#include <random>
#include <type_traits>

namespace cg = cooperative_groups;

namespace {

using testing_kernels::buffer;
using testing_kernels::run;
using testing_kernels::sized;
using testing_kernels::trace_op;

template <class T>
struct scans {
  T inclusive, exclusive;
};

template <class T, class Op, unsigned int Size>
COHORT_KERNEL void scan_both(const T* in, const unsigned char* side, scans<T>* of_tile, scans<T>* of_side) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  of_tile[me] = {cg::inclusive_scan(tile, in[me], Op()), cg::exclusive_scan(tile, in[me], Op())};
  const auto g = cg::binary_partition(tile, side[me] != 0);
  const Op op{};
  of_side[me] = {cg::inclusive_scan(g, in[me], op), cg::exclusive_scan(g, in[me], op)};
}

template <class T>
std::vector<T> values_of(const model::group& g, const buffer<T>& in) {
  std::vector<T> list;
  for (unsigned int t : g.members) list.push_back(in[t]);
  return list;
}

template <class T, class Oracle>
void check(unsigned int thread, const scans<T>& got, const model::group& g, const buffer<T>& in, T first,
           Oracle oracle) {
  const auto values = values_of(g, in);
  const unsigned int rank = g.rank_of(thread);
  const T inclusive = model::inclusive(values, oracle)[rank];
  const T exclusive = model::exclusive(values, first, oracle)[rank];
  EXPECT_EQ(std::memcmp(&got.inclusive, &inclusive, sizeof(T)), 0) << "inclusive";
  EXPECT_EQ(std::memcmp(&got.exclusive, &exclusive, sizeof(T)), 0) << "exclusive";
}

template <class T, class Op, unsigned int Size, class Oracle, class Make>
void test_size(unsigned int threads, T first, Oracle oracle, Make make) {
  std::mt19937 random(threads * 64 + Size);
  buffer<T> in(threads);
  buffer<scans<T>> of_tile(threads), of_side(threads);
  buffer<unsigned char> side(threads);
  for (unsigned int t = 0; t < threads; ++t) {
    in[t] = make(random);
    side[t] = random() % 2;
  }
  run({1, 1, 1}, {threads, 1, 1}, scan_both<T, Op, Size>, in.data(), side.data(), of_tile.data(), of_side.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    std::vector<bool> sides;
    for (unsigned int t : tile.members) sides.push_back(side[t] != 0);
    const auto groups = model::by_predicate(tile, sides);
    for (unsigned int t : tile.members) {
      SCOPED_TRACE(testing::Message() << "tile<" << Size << "> of " << threads << ", thread " << t);
      check(t, of_tile[t], tile, in, first, oracle);
      check(t, of_side[t], model::of(groups, t), in, first, oracle);
    }
  }
}

template <class T, class Op, class Oracle, class Make>
void test_op(T first, Oracle oracle, Make make) {
  for (unsigned int threads : {1u, 7u, 31u, 32u, 64u, 77u}) {
    test_size<T, Op, 32>(threads, first, oracle, make);
    test_size<T, Op, 4>(threads, first, oracle, make);
  }
}

TEST(Scan, TheOrderIsWritten) {
  const auto make = [](std::mt19937& random) { return static_cast<unsigned int>(random()); };
  for (unsigned int threads = 1; threads <= 70; ++threads) {
    test_size<unsigned int, trace_op, 1>(threads, 0u, trace_op(), make);
    test_size<unsigned int, trace_op, 2>(threads, 0u, trace_op(), make);
    test_size<unsigned int, trace_op, 8>(threads, 0u, trace_op(), make);
    test_size<unsigned int, trace_op, 16>(threads, 0u, trace_op(), make);
    test_size<unsigned int, trace_op, 32>(threads, 0u, trace_op(), make);
  }
}

template <class T>
void test_known_ops() {
  using limits = std::numeric_limits<T>;
  const auto make = [](std::mt19937& random) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 40) - 40));
    } else {
      return static_cast<T>((static_cast<unsigned long long>(random()) << 32) | random());
    }
  };
  // Sums of signed integers must not overflow.
  constexpr bool may_overflow = std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) >= sizeof(int);
  const auto make_summand = [&](std::mt19937& random) {
    return static_cast<T>(make(random) / (may_overflow ? 128 : 1));
  };
  test_op<T, cg::plus<T>>(T(0), [](T a, T b) { return static_cast<T>(a + b); }, make_summand);
  test_op<T, cg::less<T>>(limits::max(), [](T a, T b) { return std::min(a, b); }, make);
  test_op<T, cg::greater<T>>(limits::lowest(), [](T a, T b) { return std::max(a, b); }, make);
  if constexpr (std::is_integral_v<T>) {
    test_op<T, cg::bit_and<T>>(static_cast<T>(~T(0)), [](T a, T b) { return static_cast<T>(a & b); }, make);
    test_op<T, cg::bit_or<T>>(T(0), [](T a, T b) { return static_cast<T>(a | b); }, make);
    test_op<T, cg::bit_xor<T>>(T(0), [](T a, T b) { return static_cast<T>(a ^ b); }, make);
  }
}

TEST(Scan, SixOperatorsOfBytes) { test_known_ops<signed char>(); }
TEST(Scan, SixOperatorsOfShorts) { test_known_ops<unsigned short>(); }
TEST(Scan, SixOperatorsOfInts) { test_known_ops<int>(); }
TEST(Scan, SixOperatorsOfLongs) { test_known_ops<unsigned long long>(); }
TEST(Scan, ThreeOperatorsOfFloats) { test_known_ops<float>(); }
TEST(Scan, ThreeOperatorsOfDoubles) { test_known_ops<double>(); }

template <std::size_t Bytes>
struct bytes_op {
  COHORT_HOST_DEVICE sized<Bytes> operator()(const sized<Bytes>& a, const sized<Bytes>& b) const {
    sized<Bytes> result;
    for (std::size_t i = 0; i < Bytes; ++i) {
      result.bytes[i] = static_cast<unsigned char>(a.bytes[i] * 3u + (b.bytes[Bytes - 1 - i] ^ 0x5au) * 7u);
    }
    return result;
  }
};

template <std::size_t Bytes>
void test_bytes() {
  test_op<sized<Bytes>, bytes_op<Bytes>>(sized<Bytes>{}, bytes_op<Bytes>(), [](std::mt19937& random) {
    return sized<Bytes>::of(static_cast<unsigned int>(random()));
  });
}

TEST(Scan, ValuesOfEverySize) {
  test_bytes<1>();
  test_bytes<3>();
  test_bytes<4>();
  test_bytes<8>();
  test_bytes<12>();
  test_bytes<16>();
  test_bytes<31>();
  test_bytes<32>();
  test_bytes<64>();
  test_bytes<1000>();
}

COHORT_KERNEL void default_operator(unsigned int* inclusive, unsigned int* exclusive) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  inclusive[block.thread_rank()] = cg::inclusive_scan(tile, tile.thread_rank());
  exclusive[block.thread_rank()] = cg::exclusive_scan(tile, tile.thread_rank());
}

TEST(Scan, WithoutAnOperatorItAdds) {
  buffer<unsigned int> inclusive(32), exclusive(32);
  run({1, 1, 1}, {32, 1, 1}, default_operator, inclusive.data(), exclusive.data());
  const unsigned int sums[] = {0, 1, 3, 6, 10, 15, 21, 28};
  for (unsigned int t = 0; t < 32; ++t) {
    EXPECT_EQ(inclusive[t], sums[t % 8]);
    EXPECT_EQ(exclusive[t], t % 8 == 0 ? 0u : sums[t % 8 - 1]);
  }
}

// With an operator that the library does not recognize, rank 0 gets T{}, which is not zero for this type.
struct starts_at_nine {
  int value = 9;
};
struct keep_first {
  COHORT_HOST_DEVICE starts_at_nine operator()(starts_at_nine a, starts_at_nine) const { return a; }
};

COHORT_KERNEL void unknown_operator(int* out) {
  const auto block = cg::this_thread_block();
  starts_at_nine mine;
  mine.value = static_cast<int>(block.thread_rank()) + 100;
  out[block.thread_rank()] = cg::exclusive_scan(cg::tiled_partition<4>(block), mine, keep_first()).value;
}

TEST(Scan, RankZeroOfAnUnknownOperatorHasTheDefaultValue) {
  buffer<int> out(8);
  run({1, 1, 1}, {8, 1, 1}, unknown_operator, out.data());
  for (int t = 0; t < 8; ++t) EXPECT_EQ(out[static_cast<std::size_t>(t)], t % 4 == 0 ? 9 : 100 + t / 4 * 4);
}

// Each thread requests one or two slots; the last thread allocates for all, and each gets its first slot.
COHORT_KERNEL void allocate(int* next, int* buffer_of_all) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int count = static_cast<int>(tile.thread_rank() % 2) + 1;
  const int offset = cg::exclusive_scan(tile, count);
  int start = 0;
  if (tile.thread_rank() == 31) start = __atomic_fetch_add(next, offset + count, __ATOMIC_RELAXED);
  start = tile.shfl(start, 31);
  for (int i = 0; i < count; ++i) buffer_of_all[start + offset + i] = static_cast<int>(tile.thread_rank());
}

TEST(Scan, AllocatesABuffer) {
  buffer<int> next(1), all(96);
  next[0] = 0;
  run({1, 1, 1}, {64, 1, 1}, allocate, next.data(), all.data());
  EXPECT_EQ(next[0], 96);
  for (std::size_t i = 0; i < 96; ++i) {
    const int in_tile = static_cast<int>(i % 48);
    EXPECT_EQ(all[i], in_tile / 3 * 2 + (in_tile % 3 == 0 ? 0 : 1)) << i;
  }
}

}  // namespace

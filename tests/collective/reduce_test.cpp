// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce has the bits of the written order, for every group, operator and value size.
#include <cooperative_groups/reduce.h>
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

template <class T, class Op, unsigned int Size>
COHORT_KERNEL void reduce_both(const T* in, const unsigned char* side, T* of_tile, T* of_side) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  const auto tile = cg::tiled_partition<Size>(block);
  of_tile[me] = cg::reduce(tile, in[me], Op());
  const auto g = cg::binary_partition(tile, side[me] != 0);
  const Op op{};
  of_side[me] = cg::reduce(g, in[me], op);
}

template <class T>
std::vector<T> values_of(const model::group& g, const buffer<T>& in) {
  std::vector<T> list;
  for (unsigned int t : g.members) list.push_back(in[t]);
  return list;
}

template <class T>
void expect_bits(const T& got, const T& expected) {
  EXPECT_EQ(std::memcmp(&got, &expected, sizeof(T)), 0);
}

template <class T, class Op, unsigned int Size, class Oracle, class Make>
void test_size(unsigned int threads, Oracle oracle, Make make) {
  std::mt19937 random(threads * 64 + Size);
  buffer<T> in(threads), of_tile(threads), of_side(threads);
  buffer<unsigned char> side(threads);
  for (unsigned int t = 0; t < threads; ++t) {
    in[t] = make(random);
    side[t] = random() % 2;
  }
  run({1, 1, 1}, {threads, 1, 1}, reduce_both<T, Op, Size>, in.data(), side.data(), of_tile.data(), of_side.data());
  for (const auto& tile : model::tiles(model::whole_block(threads), Size)) {
    std::vector<bool> sides;
    for (unsigned int t : tile.members) sides.push_back(side[t] != 0);
    const auto groups = model::by_predicate(tile, sides);
    for (unsigned int t : tile.members) {
      SCOPED_TRACE(testing::Message() << "tile<" << Size << "> of " << threads << ", thread " << t);
      expect_bits(of_tile[t], model::tree(values_of(tile, in), oracle));
      expect_bits(of_side[t], model::tree(values_of(model::of(groups, t), in), oracle));
    }
  }
}

template <class T, class Op, class Oracle, class Make>
void test_op(Oracle oracle, Make make) {
  for (unsigned int threads : {1u, 7u, 31u, 32u, 64u, 77u}) {
    test_size<T, Op, 32>(threads, oracle, make);
    test_size<T, Op, 4>(threads, oracle, make);
  }
}

TEST(Reduce, TheOrderIsTheWrittenTree) {
  const auto make = [](std::mt19937& random) { return static_cast<unsigned int>(random()); };
  for (unsigned int threads = 1; threads <= 70; ++threads) {
    test_size<unsigned int, trace_op, 1>(threads, trace_op(), make);
    test_size<unsigned int, trace_op, 2>(threads, trace_op(), make);
    test_size<unsigned int, trace_op, 4>(threads, trace_op(), make);
    test_size<unsigned int, trace_op, 8>(threads, trace_op(), make);
    test_size<unsigned int, trace_op, 16>(threads, trace_op(), make);
    test_size<unsigned int, trace_op, 32>(threads, trace_op(), make);
  }
}

template <class T>
void test_known_ops() {
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
  test_op<T, cg::plus<T>>([](T a, T b) { return static_cast<T>(a + b); }, make_summand);
  test_op<T, cg::less<T>>([](T a, T b) { return std::min(a, b); }, make);
  test_op<T, cg::greater<T>>([](T a, T b) { return std::max(a, b); }, make);
  if constexpr (std::is_integral_v<T>) {
    test_op<T, cg::bit_and<T>>([](T a, T b) { return static_cast<T>(a & b); }, make);
    test_op<T, cg::bit_or<T>>([](T a, T b) { return static_cast<T>(a | b); }, make);
    test_op<T, cg::bit_xor<T>>([](T a, T b) { return static_cast<T>(a ^ b); }, make);
  }
}

TEST(Reduce, SixOperatorsOfBytes) { test_known_ops<unsigned char>(); }
TEST(Reduce, SixOperatorsOfShorts) { test_known_ops<short>(); }
TEST(Reduce, SixOperatorsOfInts) { test_known_ops<unsigned int>(); }
TEST(Reduce, SixOperatorsOfLongs) { test_known_ops<long long>(); }
TEST(Reduce, ThreeOperatorsOfFloats) { test_known_ops<float>(); }
TEST(Reduce, ThreeOperatorsOfDoubles) { test_known_ops<double>(); }

// Combines byte by byte; the result depends on the order and the sides of the operands.
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
  test_op<sized<Bytes>, bytes_op<Bytes>>(
      bytes_op<Bytes>(), [](std::mt19937& random) { return sized<Bytes>::of(static_cast<unsigned int>(random())); });
}

TEST(Reduce, ValuesOfEverySize) {
  test_bytes<1>();
  test_bytes<2>();
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

// Products of 2 by 2 matrices: associative, not commutative.
struct matrix {
  unsigned int a, b, c, d;
};
struct multiply {
  COHORT_HOST_DEVICE matrix operator()(const matrix& l, const matrix& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};

template <unsigned int Size>
COHORT_KERNEL void multiply_all(const matrix* in, matrix* out) {
  const auto block = cg::this_thread_block();
  out[block.thread_rank()] = cg::reduce(cg::tiled_partition<Size>(block), in[block.thread_rank()], multiply());
}

TEST(Reduce, NonCommutativeProductFromLeftToRight) {
  for (unsigned int threads : {5u, 16u, 27u, 32u}) {
    buffer<matrix> in(threads), out(threads);
    matrix product = {1, 0, 0, 1};
    for (unsigned int t = 0; t < threads; ++t) {
      in[t] = {t + 1, 2 * t, 3, t * t};
      product = multiply()(product, in[t]);
    }
    run({1, 1, 1}, {threads, 1, 1}, multiply_all<32>, in.data(), out.data());
    for (unsigned int t = 0; t < threads; ++t) expect_bits(out[t], product);
  }
}

// Operators that are lambdas, function pointers, objects with a state, and mutable.
COHORT_DEVICE int add(int a, int b) { return a + b; }
struct add_modulo {
  int modulus;
  COHORT_DEVICE int operator()(int a, int b) { return (a + b) % modulus; }
};

COHORT_KERNEL void callables(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  const int scale = 2;
  int* const mine = out + 4 * cg::this_thread_block().thread_rank();
  mine[0] = cg::reduce(tile, rank, [](int a, int b) { return a > b ? a : b; });
  mine[1] = cg::reduce(tile, rank, add);
  mine[2] = cg::reduce(tile, rank, add_modulo{7});
  mine[3] = cg::reduce(tile, rank, [scale](int a, int b) { return a + b + scale; });
}

TEST(Reduce, AnyCallable) {
  buffer<int> out(32 * 4);
  run({1, 1, 1}, {32, 1, 1}, callables, out.data());
  for (unsigned int t = 0; t < 32; ++t) {
    EXPECT_EQ(out[4 * t], 15);
    EXPECT_EQ(out[4 * t + 1], 120);
    EXPECT_EQ(out[4 * t + 2], 120 % 7);
    EXPECT_EQ(out[4 * t + 3], 150);
  }
}

TEST(Reduce, OperatorsAlone) {
  EXPECT_EQ(cg::less<int>()(3, -2), -2);
  EXPECT_EQ(cg::greater<int>()(3, -2), 3);
  EXPECT_EQ(cg::plus<int>()(3, -2), 1);
  EXPECT_EQ(cg::bit_and<int>()(6, 3), 2);
  EXPECT_EQ(cg::bit_or<int>()(6, 3), 7);
  EXPECT_EQ(cg::bit_xor<int>()(6, 3), 5);
  // less and greater return the first operand where neither operand is smaller or greater.
  EXPECT_TRUE(std::signbit(cg::less<float>()(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(cg::greater<float>()(0.0f, -0.0f)));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_update_async, reduce_store_async and the scan updates: the old value is the left operand, once, for all sizes.
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <gtest/gtest.h>

#include <cmath>

#if COHORT_CUDA_SOURCE
#include <cuda/atomic>
template <class T>
using atomic_of = cuda::atomic_ref<T, cuda::thread_scope_device>;
#else
#include <atomic>
template <class T>
using atomic_of = std::atomic_ref<T>;
#endif

#include "all_collectives.hpp"

namespace cg = cooperative_groups;

namespace {

using namespace testing_kernels;

[[maybe_unused]] const int two_devices = setenv("COHORT_DEVICES", "2", 1) + setenv("COHORT_SMS", "8", 1);

// Composition of functions x -> slope * x + offset: associative, not commutative. The alignment is that of an atomic of
// this size: clang calls a library for others.
struct alignas(8) affine {
  unsigned int slope, offset;
  COHORT_HOST_DEVICE affine(unsigned int s, unsigned int o) : slope(s), offset(o) {}
};
struct then {
  COHORT_HOST_DEVICE affine operator()(const affine& first, const affine& second) const {
    return {first.slope * second.slope, second.slope * first.offset + second.offset};
  }
};

template <class T>
struct places {
  T* reduced;  // one value for each group, written by its first thread
  T* stored;
  T* plain;
  T* of_inclusive;
  T* of_exclusive;
  T* inclusive;  // one value for each thread
  T* exclusive;
};

template <class Op, class T, class Group>
COHORT_DEVICE void update_all(const Group& group, const places<T>& to, const T& mine, unsigned long long index,
                              unsigned long long number) {
  const Op op{};
  //! [updates]
  cg::reduce_update_async(group, atomic_of<T>(to.reduced[number]), mine, op);
  cg::reduce_store_async(group, atomic_of<T>(to.stored[number]), mine, op);
  cg::reduce_store_async(group, to.plain + number, mine, op);
  atomic_of<T> of_inclusive(to.of_inclusive[number]), of_exclusive(to.of_exclusive[number]);
  const T inclusive = cg::inclusive_scan_update(group, of_inclusive, mine, op);
  const T exclusive = cg::exclusive_scan_update(group, of_exclusive, mine, op);
  //! [updates]
  to.inclusive[index] = inclusive;
  to.exclusive[index] = exclusive;
}

template <class T, class Op, unsigned int Size>
COHORT_KERNEL void by_tile(places<T> to, const T* in) {
  const auto block = cg::this_thread_block();
  const unsigned int me = block.thread_rank();
  update_all<Op>(cg::tiled_partition<Size>(block), to, in[me], me, me / Size);
}
template <class T, class Op>
COHORT_KERNEL void by_block(places<T> to, const T* in) {
  const auto me = cg::this_grid().thread_rank();
  update_all<Op>(cg::this_thread_block(), to, in[me], me, cg::this_grid().block_rank());
}
template <class T, class Op>
COHORT_KERNEL void by_grid(cohort::grid_workspace workspace, places<T> to, const T* in) {
  const auto grid = cohort::this_grid(workspace);
  update_all<Op>(grid, to, in[grid.thread_rank()], grid.thread_rank(), 0);
}
template <class T, class Op>
COHORT_KERNEL void by_multi_grid(places<T> to, const T* in) {
  const auto grids = cohort::this_multi_grid();
  update_all<Op>(grids, to, in[grids.thread_rank()], grids.thread_rank(), 0);
}

template <class T>
struct memory {
  memory(std::size_t threads, std::size_t groups, const T& old, unsigned seed)
      : in(threads),
        inclusive(threads),
        exclusive(threads),
        reduced(groups),
        stored(groups),
        plain(groups),
        of_inclusive(groups),
        of_exclusive(groups) {
    fill(in, seed);
    for (std::size_t g = 0; g < groups; ++g)
      reduced[g] = stored[g] = plain[g] = of_inclusive[g] = of_exclusive[g] = old;
  }
  places<T> all() const {
    return {reduced.data(),      stored.data(),    plain.data(),    of_inclusive.data(),
            of_exclusive.data(), inclusive.data(), exclusive.data()};
  }
  buffer<T> in, inclusive, exclusive, reduced, stored, plain, of_inclusive, of_exclusive;
};

template <class Op, class T>
void expect_updated(const memory<T>& m, std::size_t number, std::size_t begin, std::size_t size, model::nesting shape,
                    const T& old) {
  const Op op{};
  const std::vector<T> values(m.in.data() + begin, m.in.data() + begin + size);
  const T total = model::tree(values, shape, op);
  const std::vector<T> scanned = model::inclusive(values, shape, op);
  SCOPED_TRACE(testing::Message() << "group " << number << " of " << size);
  EXPECT_TRUE(same_bits(m.reduced[number], op(old, total)));
  EXPECT_TRUE(same_bits(m.stored[number], total));
  EXPECT_TRUE(same_bits(m.plain[number], total));
  EXPECT_TRUE(same_bits(m.of_inclusive[number], op(old, scanned.back())));
  EXPECT_TRUE(same_bits(m.of_exclusive[number], op(old, scanned.back())));
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_TRUE(same_bits(m.inclusive[begin + i], op(old, scanned[i]))) << "rank " << i;
    EXPECT_TRUE(same_bits(m.exclusive[begin + i], i == 0 ? old : op(old, scanned[i - 1]))) << "rank " << i;
  }
}

template <unsigned int Size, class Op, class T>
void test_tile(const T& old) {
  for (unsigned int threads : {1u, 31u, 40u, 64u, 200u}) {
    const unsigned int groups = (threads + Size - 1) / Size;
    memory<T> m(threads, groups, old, threads);
    run({1, 1, 1}, {threads, 1, 1}, by_tile<T, Op, Size>, m.all(), m.in.data());
    for (unsigned int g = 0; g < groups; ++g) {
      expect_updated<Op>(m, g, g * Size, std::min(Size, threads - g * Size), {}, old);
    }
  }
}

template <class Op, class T>
void test_all_levels(const T& old) {
  test_tile<1, Op>(old);
  test_tile<8, Op>(old);
  test_tile<32, Op>(old);
  test_tile<64, Op>(old);
  test_tile<128, Op>(old);
  {
    memory<T> m(3 * 70, 3, old, 5);
    run({3, 1, 1}, {70, 1, 1}, by_block<T, Op>, m.all(), m.in.data());
    for (unsigned int b = 0; b < 3; ++b) expect_updated<Op>(m, b, b * 70, 70, {}, old);
  }
  {
    memory<T> m(5 * 40, 1, old, 6);
    expect_success(cohort::launch_cooperative(cohort::dim3(5), cohort::dim3(40), by_grid<T, Op>, m.all(), m.in.data()));
    expect_updated<Op>(m, 0, 0, 200, {40}, old);
  }
  {
    memory<T> m(2 * 3 * 34, 1, old, 7);
    cohort::config c;
    c.grid = cohort::dim3(3);
    c.block = cohort::dim3(34);
    expect_success(cohort::launch_multi_device(2, c, by_multi_grid<T, Op>, m.all(), m.in.data()));
    expect_updated<Op>(m, 0, 0, 204, {34, 3}, old);
  }
}

TEST(Update, SumsOfIntegers) { test_all_levels<cg::plus<int>>(100); }
TEST(Update, SumsOfFloats) { test_all_levels<cg::plus<float>>(0.1f); }
TEST(Update, SumsOfDoubles) { test_all_levels<cg::plus<double>>(-0.0); }
TEST(Update, TheSmallestNeedsNoIdentity) { test_all_levels<cg::less<int>>(90); }
TEST(Update, TheGreatestOfFloats) { test_all_levels<cg::greater<float>>(-7.5f); }
TEST(Update, Bits) {
  test_all_levels<cg::bit_and<unsigned>>(0xf0ffffffu);
  test_all_levels<cg::bit_xor<unsigned>>(0x1234u);
}

}  // namespace

namespace testing_kernels {
template <>
struct random_value<affine> {
  static affine make(std::mt19937& random) {
    return {static_cast<unsigned int>(random()), static_cast<unsigned int>(random())};
  }
};
}  // namespace testing_kernels

namespace {

TEST(Update, TheOldValueIsTheLeftOperand) { test_all_levels<then>(affine(3, 5)); }

// Groups update one after another: each thread gets slots of its own.
COHORT_KERNEL void reserve(unsigned int* counter, unsigned int* owner) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned int me = static_cast<unsigned int>(cg::this_grid().thread_rank());
  const unsigned int wanted = me % 3;
  const unsigned int first = cg::exclusive_scan_update(tile, atomic_of<unsigned int>(*counter), wanted);
  for (unsigned int i = 0; i < wanted; ++i) owner[first + i] = me;
}

TEST(Update, ReservesWithoutOverlap) {
  const unsigned int threads = 6 * 100;
  buffer<unsigned int> counter(1), owner(2 * threads);
  counter[0] = 0;
  run({6, 1, 1}, {100, 1, 1}, reserve, counter.data(), owner.data());
  ASSERT_EQ(counter[0], threads);  // 0 + 1 + 2 for three threads
  std::vector<unsigned int> places(threads, 0);
  for (unsigned int i = 0; i < counter[0]; ++i) ++places[owner[i]];
  for (unsigned int t = 0; t < threads; ++t) EXPECT_EQ(places[t], t % 3) << "thread " << t;
}

}  // namespace

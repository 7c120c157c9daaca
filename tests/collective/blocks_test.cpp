// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All collectives of clusters and grids, back to back: shapes, types, values larger than a slot.
#include <gtest/gtest.h>

#include <cmath>

#include "all_collectives.hpp"

namespace {

using namespace testing_kernels;

// The engine reads these settings at the first launch.
[[maybe_unused]] const int three_devices = setenv("COHORT_DEVICES", "3", 1) + setenv("COHORT_SMS", "8", 1);

template <class T, class Op>
COHORT_KERNEL void all_of_cluster(const T* in, results<T>* out, unsigned int source) {
  const auto cluster = cohort::this_cluster();
  const auto first = cohort::this_grid().cluster_rank() * cluster.num_threads();
  call_all<Op>(cluster, in, out, first + cluster.thread_rank(), source);
}
template <class T, class Op>
COHORT_KERNEL void all_of_grid(cohort::grid_workspace workspace, const T* in, results<T>* out, unsigned int source) {
  const auto grid = cohort::this_grid(workspace);
  call_all<Op>(grid, in, out, grid.thread_rank(), source);
}

template <class T, class Op>
void test_grid(model::extent grid, model::extent block) {
  SCOPED_TRACE(testing::Message() << grid.count() << " blocks of " << block.count());
  arrays<T> a(grid.count() * block.count(), static_cast<unsigned>(grid.count()));
  expect_success(
      cohort::launch_cooperative(shape(grid), shape(block), all_of_grid<T, Op>, a.in.data(), a.out.data(), a.source));
  expect_all<Op>(a.in, a.out, 0, a.in.size(), {block.count()}, a.source);
}

template <class T, class Op>
void test_cluster(model::extent cluster, model::extent clusters, model::extent block) {
  SCOPED_TRACE(testing::Message() << "clusters of " << cluster.count() << " blocks of " << block.count());
  const std::size_t threads = cluster.count() * block.count();
  arrays<T> a(clusters.count() * threads, static_cast<unsigned>(threads));
  a.source = static_cast<unsigned>(threads / 2);
  cohort::config c;
  c.grid = cohort::dim3(cluster.x * clusters.x, cluster.y * clusters.y, cluster.z * clusters.z);
  c.block = shape(block);
  c.cluster = shape(cluster);
#if COHORT_CUDA_SOURCE
  const auto* function = reinterpret_cast<const void*>(all_of_cluster<T, Op>);
  ASSERT_EQ(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
#endif
  expect_success(cohort::launch(c, all_of_cluster<T, Op>, a.in.data(), a.out.data(), a.source));
  for (std::size_t begin = 0; begin < a.in.size(); begin += threads) {
    expect_all<Op>(a.in, a.out, begin, threads, {block.count()}, a.source);
  }
}

TEST(Blocks, OrderInAGrid) {
  for (unsigned int blocks = 1; blocks <= 20; ++blocks)
    test_grid<unsigned, trace_op>({blocks, 1, 1}, {blocks % 3 + 3, 1, 1});
  for (unsigned int blocks : {33u, 47u, 64u}) {
    for (unsigned int threads : {1u, 7u, 33u, 64u}) test_grid<unsigned, trace_op>({blocks, 1, 1}, {threads, 1, 1});
  }
  test_grid<unsigned, trace_op>({3, 2, 4}, {5, 4, 3});
  test_grid<unsigned, trace_op>({2, 5, 1}, {1, 3, 37});
}

TEST(Blocks, OrderInACluster) {
  for (unsigned int blocks : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 16u}) {
    test_cluster<unsigned, trace_op>({blocks, 1, 1}, {3, 1, 1}, {40, 1, 1});
  }
  test_cluster<unsigned, trace_op>({2, 2, 2}, {2, 1, 3}, {3, 11, 1});
}

TEST(Blocks, SumsOfFloatsToTheBit) {
  for (unsigned int blocks : {2u, 5u, 11u, 40u}) test_grid<float, add>({blocks, 1, 1}, {37, 1, 1});
  test_cluster<float, add>({7, 1, 1}, {2, 1, 1}, {70, 1, 1});
}

// Operators that the library recognizes, in blocks with fewer and with more threads than the grid has blocks.
TEST(Blocks, KnownOperators) {
  for (unsigned int blocks : {2u, 5u, 11u, 40u}) {
    for (unsigned int threads : {8u, 37u, 64u}) {
      test_grid<float, cohort::plus<float>>({blocks, 1, 1}, {threads, 1, 1});
      test_grid<unsigned, cohort::plus<unsigned>>({blocks, 1, 1}, {threads, 1, 1});
      test_grid<unsigned, cohort::bit_xor<unsigned>>({blocks, 1, 1}, {threads, 1, 1});
    }
  }
  test_cluster<float, cohort::plus<float>>({7, 1, 1}, {2, 1, 1}, {70, 1, 1});
}

// Sums of negative zeros; minimum and maximum of values that are all positive or all negative.
//! [grid_workspace]
COHORT_KERNEL void no_zero_is_added(cohort::grid_workspace workspace, float* sum, int* lowest, int* highest) {
  const auto grid = cohort::this_grid(workspace);
  const auto me = static_cast<int>(grid.thread_rank());
  sum[me] = cohort::reduce(grid, -0.0f, cohort::plus<float>());
  lowest[me] = cohort::reduce(grid, me + 5, cohort::less<int>());
  highest[me] = cohort::reduce(grid, -me - 5, cohort::greater<int>());
}
//! [grid_workspace]

TEST(Blocks, NothingIsAddedForThreadsWithoutABlock) {
  constexpr unsigned int blocks = 6, threads = 64;
  buffer<float> sum(blocks * threads);
  buffer<int> lowest(blocks * threads), highest(blocks * threads);
  expect_success(cohort::launch_cooperative(cohort::dim3(blocks), cohort::dim3(threads), no_zero_is_added, sum.data(),
                                            lowest.data(), highest.data()));
  for (unsigned int t = 0; t < blocks * threads; ++t) {
    ASSERT_TRUE(sum[t] == 0.0f && std::signbit(sum[t])) << "thread " << t;
    ASSERT_EQ(lowest[t], 5) << "thread " << t;
    ASSERT_EQ(highest[t], -5) << "thread " << t;
  }
}

template <std::size_t Bytes>
void test_bytes() {
  SCOPED_TRACE(testing::Message() << Bytes << " bytes");
  for (unsigned int blocks : {2u, 3u, 6u, 13u}) test_grid<sized<Bytes>, bytes_op<Bytes>>({blocks, 1, 1}, {19, 1, 1});
}

TEST(Blocks, ValuesOfEverySize) {
  test_bytes<1>();
  test_bytes<3>();
  test_bytes<16>();
  test_bytes<100>();
  test_bytes<248>();
  test_bytes<249>();
  test_bytes<300>();
  test_bytes<1000>();
  test_cluster<sized<300>, bytes_op<300>>({5, 1, 1}, {2, 1, 1}, {9, 1, 1});
}

// Some threads return before the collective, among them the first and the last of a block.
COHORT_HOST_DEVICE bool stays(unsigned long long rank) { return rank % 3 == 1 || rank % 11 == 5; }

COHORT_KERNEL void some_return(cohort::grid_workspace workspace, const unsigned* in, unsigned* out) {
  const auto grid = cohort::this_grid(workspace);
  const auto me = grid.thread_rank();
  if (!stays(me)) return;
  out[3 * me] = cohort::reduce(grid, in[me], cohort::plus<unsigned>());
  out[3 * me + 1] = cohort::inclusive_scan(grid, in[me]);
  out[3 * me + 2] = cohort::exclusive_scan(grid, in[me]);
}

TEST(Blocks, ThreadsThatReturnedTakeNoPart) {
  for (unsigned int blocks : {2u, 9u, 40u}) {
    const unsigned int threads = 21 * blocks;
    buffer<unsigned> in(threads), out(3 * threads);
    fill(in, blocks);
    expect_success(
        cohort::launch_cooperative(cohort::dim3(blocks), cohort::dim3(21), some_return, in.data(), out.data()));
    unsigned int total = 0;
    for (unsigned int t = 0; t < threads; ++t) total += stays(t) ? in[t] : 0;
    unsigned int before = 0;
    for (unsigned int t = 0; t < threads; ++t) {
      if (!stays(t)) continue;
      ASSERT_EQ(out[3 * t], total) << "thread " << t;
      ASSERT_EQ(out[3 * t + 1], before + in[t]) << "thread " << t;
      ASSERT_EQ(out[3 * t + 2], before) << "thread " << t;
      before += in[t];
    }
  }
}

}  // namespace

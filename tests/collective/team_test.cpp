// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All collectives of tiles above 32 threads and of the block: sizes, shapes, partial tiles, types, returned threads.
#include <gtest/gtest.h>

#include <cmath>

#include "all_collectives.hpp"

namespace {

using namespace testing_kernels;

template <class T, class Op, unsigned int Size>
COHORT_KERNEL void all_of_tile(const T* in, results<T>* out, unsigned int source) {
  const auto block = cohort::this_thread_block();
  const auto tile = cohort::tiled_partition<Size>(block);
  call_all<Op>(tile, in, out, block.thread_rank(), source);
}
template <class T, class Op>
COHORT_KERNEL void all_of_block(const T* in, results<T>* out, unsigned int source) {
  const auto block = cohort::this_thread_block();
  call_all<Op>(block, in, out, block.thread_rank(), source);
}

template <class T, class Op, class Kernel>
void test_team(Kernel kernel, unsigned int size, model::extent shape) {
  const std::size_t threads = shape.count();
  buffer<T> in(threads);
  buffer<results<T>> out(threads);
  fill(in, static_cast<unsigned>(threads * 31 + size));
  const unsigned int source = static_cast<unsigned>(threads * 7 / 5 % size);
  run({1, 1, 1}, shape, kernel, in.data(), out.data(), source);
  SCOPED_TRACE(testing::Message() << "team of " << size << " in a block of " << shape.x << " x " << shape.y << " x "
                                  << shape.z);
  for (std::size_t begin = 0; begin < threads; begin += size) {
    expect_all<Op>(in, out, begin, std::min<std::size_t>(size, threads - begin), {}, source);
  }
}

std::vector<model::extent> team_shapes() {
  std::vector<model::extent> shapes = model::block_shapes();
  shapes.insert(shapes.end(), {{127, 1, 1},
                               {129, 1, 1},
                               {300, 1, 1},
                               {511, 1, 1},
                               {1, 600, 1},
                               {1024, 1, 1},
                               {10, 10, 10},
                               {32, 3, 3},
                               {5, 7, 29}});
  return shapes;
}

TEST(Team, TheOrderIsTheWrittenTree) {
  for (const model::extent& shape : team_shapes()) {
    test_team<unsigned, trace_op>(all_of_block<unsigned, trace_op>, 1024, shape);
    test_team<unsigned, trace_op>(all_of_tile<unsigned, trace_op, 64>, 64, shape);
    test_team<unsigned, trace_op>(all_of_tile<unsigned, trace_op, 128>, 128, shape);
  }
  for (const model::extent& shape : {model::extent{33, 1, 1}, {255, 1, 1}, {31, 33, 1}, {1024, 1, 1}, {7, 5, 29}}) {
    test_team<unsigned, trace_op>(all_of_tile<unsigned, trace_op, 256>, 256, shape);
    test_team<unsigned, trace_op>(all_of_tile<unsigned, trace_op, 512>, 512, shape);
    test_team<unsigned, trace_op>(all_of_tile<unsigned, trace_op, 1024>, 1024, shape);
  }
}

TEST(Team, SumsOfFloatsToTheBit) {
  for (const model::extent& shape : team_shapes()) {
    test_team<float, add>(all_of_block<float, add>, 1024, shape);
    test_team<float, add>(all_of_tile<float, add, 64>, 64, shape);
  }
}

template <std::size_t Bytes>
void test_bytes() {
  for (const model::extent& shape : {model::extent{1, 1, 1}, {33, 1, 1}, {100, 1, 1}, {5, 7, 9}}) {
    test_team<sized<Bytes>, bytes_op<Bytes>>(all_of_block<sized<Bytes>, bytes_op<Bytes>>, 1024, shape);
    test_team<sized<Bytes>, bytes_op<Bytes>>(all_of_tile<sized<Bytes>, bytes_op<Bytes>, 64>, 64, shape);
  }
}

TEST(Team, ValuesOfEverySize) {
  test_bytes<1>();
  test_bytes<2>();
  test_bytes<3>();
  test_bytes<8>();
  test_bytes<12>();
  test_bytes<16>();
  test_bytes<31>();
  test_bytes<32>();
  test_bytes<48>();
  test_bytes<100>();
  test_bytes<300>();
}

// Threads whose `stays` is false return before the collectives; the patterns leave full, partial and empty warps.
COHORT_HOST_DEVICE bool stays(unsigned int rank, unsigned int pattern) {
  if (rank / 32 == 1 && pattern % 2 == 0) return false;  // a whole warp
  return (rank * pattern) % 5 != 1;
}

template <class T, class Op>
COHORT_KERNEL void some_return(const T* in, results<T>* out, unsigned int pattern) {
  const auto block = cohort::this_thread_block();
  const unsigned int me = block.thread_rank();
  if (!stays(me, pattern)) return;
  results<T>& r = out[me];
  r.reduced = cohort::reduce(block, in[me], Op());
  r.inclusive = cohort::inclusive_scan(block, in[me], Op());
  r.exclusive = cohort::exclusive_scan(block, in[me], Op());
  r.sent = cohort::broadcast(block, in[me], 33);
  r.count = cohort::count(block, true);
}

TEST(Team, ThreadsThatReturnedTakeNoPart) {
  for (unsigned int threads : {40u, 64u, 100u, 256u, 333u}) {
    for (unsigned int pattern : {1u, 2u, 3u, 4u}) {
      buffer<unsigned> in(threads);
      buffer<results<unsigned>> out(threads);
      fill(in, threads + pattern);
      run({1, 1, 1}, {threads, 1, 1}, some_return<unsigned, trace_op>, in.data(), out.data(), pattern);
      // The model: the remaining lanes of each warp, then the warps with at least one remaining lane.
      std::vector<unsigned> trees, totals, expected;
      std::vector<std::vector<unsigned>> scans;
      unsigned long long count = 0;
      for (unsigned int first = 0; first < threads; first += 32) {
        std::vector<unsigned> lanes;
        for (unsigned int t = first; t < threads && t < first + 32; ++t) {
          if (stays(t, pattern)) lanes.push_back(in[t]);
        }
        if (lanes.empty()) continue;
        count += lanes.size();
        trees.push_back(model::tree(lanes, trace_op()));
        scans.push_back(model::inclusive(lanes, trace_op()));
        totals.push_back(scans.back().back());
      }
      const auto before = model::inclusive(totals, trace_op());
      for (std::size_t w = 0; w < scans.size(); ++w) {
        for (unsigned own : scans[w]) expected.push_back(w == 0 ? own : trace_op()(before[w - 1], own));
      }
      std::size_t rank = 0;
      for (unsigned int t = 0; t < threads; ++t) {
        if (!stays(t, pattern)) continue;
        SCOPED_TRACE(testing::Message() << "thread " << t << " of " << threads << ", pattern " << pattern);
        ASSERT_EQ(out[t].reduced, model::tree(trees, trace_op()));
        ASSERT_EQ(out[t].inclusive, expected[rank]);
        ASSERT_EQ(out[t].exclusive, rank == 0 ? 0 : expected[rank - 1]);
        ASSERT_EQ(out[t].sent, 33 < threads && stays(33, pattern) ? in[33] : 0);
        ASSERT_EQ(out[t].count, count);
        ++rank;
      }
    }
  }
}

// Tiles of different sizes run in different branches at the same time: none waits for another.
COHORT_KERNEL void side_by_side(unsigned int* out) {
  const auto block = cohort::this_thread_block();
  const auto outer = cohort::tiled_partition<256>(block);
  const auto inner = cohort::tiled_partition<64>(outer);
  unsigned int sum = 0;
  for (unsigned int i = 0; i < 5; ++i) {
    if (inner.meta_group_rank() % 2 == 0) sum += cohort::reduce(inner, block.thread_rank(), cohort::plus<unsigned>());
    sum += cohort::reduce(outer, 1u, cohort::plus<unsigned>());
    if (inner.meta_group_rank() % 2 == 1) sum += cohort::broadcast(inner, block.thread_rank(), i);
  }
  out[block.thread_rank()] = sum;
}

TEST(Team, SizesSideBySide) {
  const unsigned int threads = 512;
  buffer<unsigned> out(threads);
  run({1, 1, 1}, {threads, 1, 1}, side_by_side, out.data());
  for (unsigned int t = 0; t < threads; ++t) {
    const unsigned int first = t / 64 * 64;
    unsigned int expected = 5 * 256;
    for (unsigned int i = 0; i < 5; ++i) expected += first / 64 % 2 == 0 ? 64 * first + 64 * 63 / 2 : first + i;
    ASSERT_EQ(out[t], expected) << "thread " << t;
  }
}

}  // namespace

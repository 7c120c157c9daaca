// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier_arrive() and barrier_wait(): an arrival does not wait, and a wait ends when all threads have arrived. In each
// round the first thread of the group waits last: it stays between its two calls until all others have passed.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <utility>

#include <group/launched.hpp>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using namespace testing_kernels;

constexpr unsigned int rounds = 3;

// A kind of group: its constructor, the number of the caller's group, the slots of a group and its number of existing
// threads. Host functions return the rank of thread t of block b.
struct of_block {
  COHORT_DEVICE static auto make() { return cg::this_thread_block(); }
  COHORT_DEVICE static unsigned int index() { return static_cast<unsigned int>(cg::this_grid().block_rank()); }
  COHORT_DEVICE static unsigned int members() { return cg::this_thread_block().size(); }
  COHORT_DEVICE static unsigned int places() { return members(); }
  static std::size_t rank(std::size_t, std::size_t t, extent, extent, extent) { return t; }
};
template <unsigned int Size>
struct of_tile {
  COHORT_DEVICE static auto make() { return cg::tiled_partition<Size>(cg::this_thread_block()); }
  COHORT_DEVICE static unsigned int index() {
    const auto tile = make();
    return of_block::index() * tile.meta_group_size() + tile.meta_group_rank();
  }
  COHORT_DEVICE static unsigned int members() {
    const unsigned int left = of_block::members() - cg::this_thread_block().thread_rank() / Size * Size;
    return left < Size ? left : Size;
  }
  COHORT_DEVICE static unsigned int places() { return Size; }
  static std::size_t rank(std::size_t, std::size_t t, extent, extent, extent) { return t % Size; }
};
struct of_cluster {
  COHORT_DEVICE static auto make() { return cg::this_cluster(); }
  COHORT_DEVICE static unsigned int index() { return static_cast<unsigned int>(cg::this_grid().cluster_rank()); }
  COHORT_DEVICE static unsigned int members() { return cg::this_cluster().num_threads(); }
  COHORT_DEVICE static unsigned int places() { return members(); }
  static std::size_t rank(std::size_t b, std::size_t t, extent grid, extent block, extent cluster) {
    const model::position at = model::enumerate(grid)[b];
    const std::size_t block_rank =
        (at.z % cluster.z * cluster.y + at.y % cluster.y) * std::size_t{cluster.x} + at.x % cluster.x;
    return block_rank * block.count() + t;
  }
};
struct of_grid {
  COHORT_DEVICE static auto make() { return cg::this_grid(); }
  COHORT_DEVICE static unsigned int index() { return 0; }
  COHORT_DEVICE static unsigned int members() { return static_cast<unsigned int>(cg::this_grid().size()); }
  COHORT_DEVICE static unsigned int places() { return members(); }
  static std::size_t rank(std::size_t b, std::size_t t, extent, extent block, extent) { return b * block.count() + t; }
};

// `box` has the slots of all groups, `passed` a counter for each round of each group; `Of` is the kind of group.
template <class Of>
COHORT_KERNEL void overlap(unsigned int* box, unsigned int* passed, unsigned int* out) {
  const auto group = Of::make();
  const unsigned int members = Of::members(), rank = static_cast<unsigned int>(group.thread_rank());
  unsigned int* const of_group = box + Of::index() * Of::places();
  unsigned int sum = 0;
  for (unsigned int round = 0; round < rounds; ++round) {
    unsigned int* const counter = passed + Of::index() * rounds + round;
    of_group[rank] = round * 1000 + rank;
    auto token = group.barrier_arrive();
    if (rank == 0) spin_until(counter, members - 1);
    group.barrier_wait(std::move(token));
    sum += of_group[(rank + 1) % members];
    if (rank != 0) count_up(counter);
    group.sync();
  }
  out[cg::this_grid().thread_rank()] = sum * 10000 + members;
}

template <class Of>
void test_overlap(extent grid, extent block, extent cluster = {}) {
  SCOPED_TRACE(testing::Message() << "block " << block.x << "x" << block.y << "x" << block.z);
  const std::size_t threads = grid.count() * block.count();
  buffer<unsigned int> box(threads + 2048), passed(threads * rounds), out(threads);
  for (std::size_t i = 0; i < threads * rounds; ++i) passed[i] = 0;
  const cohort::error e =
      cohort::launch_cooperative(shape(grid, block, cluster), overlap<Of>, box.data(), passed.data(), out.data());
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  for (std::size_t i = 0; i < threads; ++i) {
    const std::size_t rank = Of::rank(i / block.count(), i % block.count(), grid, block, cluster);
    const std::size_t members = out[i] % 10000;
    EXPECT_EQ(out[i] / 10000, 3000 + 3 * ((rank + 1) % members)) << "thread " << i;
  }
}

const extent blocks[] = {{1, 1, 1}, {32, 1, 1}, {33, 1, 1}, {5, 3, 7}, {200, 1, 1}, {1024, 1, 1}};

TEST(SplitBarrier, Block) {
  for (const extent block : blocks) test_overlap<of_block>({2, 1, 1}, block);
}
TEST(SplitBarrier, Tile) {
  for (const extent block : blocks) {
    test_overlap<of_tile<64>>({2, 1, 1}, block);
    test_overlap<of_tile<128>>({1, 1, 1}, block);
    test_overlap<of_tile<256>>({1, 1, 1}, block);
    test_overlap<of_tile<512>>({1, 1, 1}, block);
    test_overlap<of_tile<1024>>({1, 1, 1}, block);
  }
}
TEST(SplitBarrier, Cluster) {
  for (const extent block : {extent{1, 1, 1}, extent{33, 1, 1}, extent{4, 4, 4}}) {
    test_overlap<of_cluster>({3, 2, 1}, block, {1, 2, 1});
    test_overlap<of_cluster>({4, 1, 1}, block, {4, 1, 1});
    test_overlap<of_cluster>({3, 1, 1}, block);
  }
}
TEST(SplitBarrier, Grid) {
  for (const extent block : {extent{1, 1, 1}, extent{33, 1, 1}, extent{4, 4, 4}}) {
    test_overlap<of_grid>({1, 1, 1}, block);
    test_overlap<of_grid>({2, 2, 1}, block);
  }
}

// Writes before an arrival are visible after the wait; several barriers are open at once.
COHORT_KERNEL void nested(unsigned int* box, unsigned int* out) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const auto cluster = cg::this_cluster();
  const auto tile = cg::tiled_partition<64>(block);
  const unsigned int me = static_cast<unsigned int>(grid.thread_rank());
  const unsigned int size = static_cast<unsigned int>(grid.size());
  unsigned int sum = 0;
  for (unsigned int round = 0; round < rounds; ++round) {
    box[me] = round * 1000 + me;
    auto of_grid = grid.barrier_arrive();
    cluster.barrier_arrive();
    auto of_block = block.barrier_arrive();
    auto of_tile = tile.barrier_arrive();
    tile.barrier_wait(std::move(of_tile));
    cluster.barrier_wait();
    block.barrier_wait(std::move(of_block));
    grid.barrier_wait(std::move(of_grid));
    sum += box[(me + 41) % size];
    grid.barrier_wait(grid.barrier_arrive());
  }
  out[me] = sum;
}

TEST(SplitBarrier, SeveralOpenAtOnce) {
  const extent grid{4, 1, 1}, block{70, 1, 1};
  const unsigned int threads = 280;
  buffer<unsigned int> box(threads), out(threads);
  const cohort::error e = cohort::launch_cooperative(shape(grid, block, {2, 1, 1}), nested, box.data(), out.data());
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  for (unsigned int t = 0; t < threads; ++t) EXPECT_EQ(out[t], 3000 + 3 * ((t + 41) % threads)) << t;
}

#if !COHORT_CUDA_SOURCE
// Runs a kernel that must fail; returns the report.
template <class Kernel>
std::string report_of(Kernel kernel, bool cooperative = true) {
  testing::internal::CaptureStderr();
  const cohort::error e = cooperative ? cohort::launch_cooperative(1, 64, kernel) : cohort::launch(1, 64, kernel);
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_EQ(e.number(), 719);
  return report;
}
template <class Kernel>
void expect_report(const char* text, Kernel kernel, bool cooperative = true) {
  const std::string report = report_of(kernel, cooperative);
  EXPECT_NE(report.find(text), std::string::npos) << "expected: " << text << "\n" << report;
}

template <class Group>
void test_misuse(Group (*make)()) {
  expect_report("barrier_arrive() twice without a barrier_wait() in between", [=] {
    const auto group = make();
    auto first = group.barrier_arrive();
    auto second = group.barrier_arrive();
    group.barrier_wait(std::move(first));
    group.barrier_wait(std::move(second));
  });
  expect_report("barrier_wait() without a barrier_arrive() before it: each token can be used once", [=] {
    const auto group = make();
    auto token = group.barrier_arrive();
    auto copy = token;
    group.barrier_wait(std::move(token));
    group.barrier_wait(std::move(copy));
  });
  expect_report("barrier_wait() with the token of another phase or of another barrier", [=] {
    const auto group = make();
    auto old = group.barrier_arrive();
    auto copy = old;
    group.barrier_wait(std::move(old));
    group.barrier_arrive();
    group.barrier_wait(std::move(copy));
  });
  expect_report("between barrier_arrive() and barrier_wait() of the same thread", [=] {
    const auto group = make();
    auto token = group.barrier_arrive();
    group.sync();
    group.barrier_wait(std::move(token));
  });
}

TEST(SplitBarrier, MisuseIsReported) {
  test_misuse(+[] { return cg::this_thread_block(); });
  test_misuse(+[] { return cg::this_cluster(); });
  test_misuse(+[] { return cg::this_grid(); });
  test_misuse(+[] { return cg::tiled_partition<64>(cg::this_thread_block()); });
}

TEST(SplitBarrier, ATokenWithoutAnArrivalIsReported) {
  expect_report("barrier_wait() without a barrier_arrive() before it", [] {
    cg::thread_block::arrival_token token;
    cg::this_thread_block().barrier_wait(std::move(token));
  });
  expect_report("barrier_wait() with the token of another phase", [] {
    cg::thread_block::arrival_token token;
    cg::this_thread_block().barrier_arrive();
    cg::this_thread_block().barrier_wait(std::move(token));
  });
  expect_report("barrier_wait() without a barrier_arrive() before it", [] { cg::cluster_group::barrier_wait(); });
}

TEST(SplitBarrier, OfAGridThatIsNotCooperative) {
  expect_report("cooperative", [] { cg::this_grid().barrier_wait(cg::this_grid().barrier_arrive()); }, false);
  expect_report("cooperative", [] { cg::this_grid().barrier_arrive(); }, false);
}
#endif

}  // namespace

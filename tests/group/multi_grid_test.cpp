// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multi_grid_group: all threads of all grids of a launch over several devices. The test uses all devices
// (COHORT_DEVICES).
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <group/launched.hpp>
#include <utility>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using namespace testing_kernels;

int devices() { return cohort_device_count(); }

struct multi_grid_values {
  unsigned long long rank, threads, size;
  unsigned int grid_rank, num_grids;
  bool valid, grid_valid;
  unsigned long long handle_rank, handle_size;
  unsigned int handle_type;
  bool handle_valid;
};

COHORT_DEVICE multi_grid_values look() {
  const auto all = cg::this_multi_grid();
  cg::thread_group handle = cg::this_grid();
  handle = all;
  return {all.thread_rank(),
          all.num_threads(),
          all.size(),
          all.grid_rank(),
          all.num_grids(),
          all.is_valid(),
          cg::this_grid().is_valid(),
          cg::thread_rank(handle),
          cg::group_size(handle),
          handle.get_type(),
          handle.is_valid()};
}

// Each thread stores its rank for the next thread of the multi-grid, three times, with each kind of barrier.
COHORT_KERNEL void pass_around(multi_grid_values* out, unsigned long long* box, unsigned long long* sums) {
  const auto all = cg::this_multi_grid();
  const cg::thread_group handle = all;
  const unsigned long long me = all.thread_rank(), next = (me + 1) % all.size();
  out[me] = look();
  unsigned long long sum = 0;
  for (unsigned int round = 0; round < 3; ++round) {
    box[me] = round * 100000 + me;
    all.sync();
    sum += box[next];
    cg::sync(handle);
    box[me] = round * 100000 + me;
    auto token = all.barrier_arrive();
    sum += round;
    all.barrier_wait(std::move(token));
    sum += box[next];
    all.sync();
  }
  sums[me] = sum;
}

void test_pass_around(int count, extent grid, extent block) {
  SCOPED_TRACE(testing::Message() << count << " devices");
  const std::size_t of_grid = grid.count() * block.count(), total = of_grid * static_cast<std::size_t>(count);
  buffer<multi_grid_values> out(total);
  buffer<unsigned long long> box(total), sums(total);
  const cohort::error e = cohort::launch_multi_device(count, cohort::config{shape(grid), shape(block)}, pass_around,
                                                      out.data(), box.data(), sums.data());
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  for (std::size_t i = 0; i < total; ++i) {
    SCOPED_TRACE(testing::Message() << "thread " << i);
    const multi_grid_values& s = out[i];
    EXPECT_EQ(s.rank, i);
    EXPECT_EQ(s.threads, total);
    EXPECT_EQ(s.size, total);
    EXPECT_EQ(s.grid_rank, i / of_grid);
    EXPECT_EQ(s.num_grids, static_cast<unsigned int>(count));
    EXPECT_TRUE(s.valid && s.grid_valid && s.handle_valid);
    EXPECT_EQ(s.handle_rank, i);
    EXPECT_EQ(s.handle_size, total);
    EXPECT_EQ(s.handle_type, 2u);
    EXPECT_EQ(sums[i], 2 * (3 * ((i + 1) % total) + 300000) + 3);
  }
}

TEST(MultiGrid, IdentityAndBarrier) {
  for (int count = 1; count <= devices(); ++count) {
    test_pass_around(count, {1, 1, 1}, {1, 1, 1});
    test_pass_around(count, {2, 1, 1}, {33, 1, 1});
    test_pass_around(count, {1, 2, 1}, {4, 3, 2});
  }
}

COHORT_KERNEL void arguments(unsigned long long* of_all, int number, const int* values, int same) {
  const auto all = cg::this_multi_grid();
  of_all[all.thread_rank()] = all.grid_rank() * 1000000ull + static_cast<unsigned int>(number * 1000 + *values + same);
}

TEST(MultiGrid, ArgumentsOfEachDevice) {
  const int count = devices();
  std::vector<int> numbers;
  buffer<int> values(static_cast<std::size_t>(count));
  std::vector<const int*> pointers;
  for (int i = 0; i < count; ++i) {
    numbers.push_back(i + 5);
    values[static_cast<std::size_t>(i)] = i * 10;
    pointers.push_back(values.data() + i);
  }
  const unsigned int threads = 2 * 32;
  buffer<unsigned long long> out(threads * static_cast<unsigned int>(count));
  // Zero stands for all devices.
  ASSERT_EQ(
      finished(cohort::launch_multi_device(0, cohort::config{2, 32}, arguments, out.data(),
                                           cohort::per_device(numbers.data()), cohort::per_device(pointers.data()), 3)),
      0);
  for (unsigned int i = 0; i < out.size(); ++i) {
    const unsigned int device = i / threads;
    EXPECT_EQ(out[i], device * 1000000 + (device + 5) * 1000 + device * 10 + 3) << i;
  }
}

COHORT_KERNEL void note_workspace(cohort::grid_workspace workspace, void** out, unsigned int* round) {
  const auto all = cg::this_multi_grid();
  out[all.grid_rank()] = workspace.memory;
  round[all.grid_rank()] = workspace.round(cg::this_grid().block_rank());
}

TEST(MultiGrid, EachGridHasItsWorkspace) {
  const std::size_t count = static_cast<std::size_t>(devices());
  buffer<void*> out(count);
  buffer<unsigned int> round(count);
  ASSERT_EQ(finished(cohort::launch_multi_device(0, cohort::config{1, 1}, note_workspace, out.data(), round.data())),
            0);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NE(out[i], nullptr);
    EXPECT_EQ(round[i], 0u);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(out[i], out[j]);
  }
}

COHORT_KERNEL void look_in_another_launch(multi_grid_values* out) { out[cg::this_grid().thread_rank()] = look(); }

TEST(MultiGrid, IsNotValidInAnotherLaunch) {
  buffer<multi_grid_values> out(70);
  ASSERT_EQ(finished(cohort::launch_cooperative(2, 35, look_in_another_launch, out.data())), 0);
  for (unsigned int i = 0; i < 70; ++i) {
    EXPECT_FALSE(out[i].valid || out[i].handle_valid);
    EXPECT_TRUE(out[i].grid_valid);
    EXPECT_EQ(out[i].rank + out[i].threads + out[i].handle_rank + out[i].handle_size, 0u);
    EXPECT_EQ(out[i].grid_rank + out[i].num_grids, 0u);
  }
}

TEST(MultiGrid, LaunchesThatAreRefused) {
  buffer<multi_grid_values> out(1);
  buffer<unsigned long long> box(1);
  EXPECT_EQ(
      cohort::launch_multi_device(devices() + 1, cohort::config{1, 1}, pass_around, out.data(), box.data(), box.data())
          .number(),
      101);
  EXPECT_EQ(
      cohort::launch_multi_device(-1, cohort::config{1, 1}, pass_around, out.data(), box.data(), box.data()).number(),
      101);
  const cohort::error large =
      cohort::launch_multi_device(1, cohort::config{1000000, 1024}, pass_around, out.data(), box.data(), box.data());
  EXPECT_EQ(finished(large), 720);
  EXPECT_EQ(large.blocks_asked(), 1000000u);
}

#if !COHORT_CUDA_SOURCE
TEST(MultiGrid, BarrierInAnotherLaunchIsReported) {
  testing::internal::CaptureStderr();
  const cohort::error e = cohort::launch_cooperative(1, 32, [] { cg::this_multi_grid().sync(); });
  const std::string report = testing::internal::GetCapturedStderr();
  EXPECT_EQ(e.number(), 719);
  EXPECT_NE(report.find("multi"), std::string::npos) << report;
}
#endif

}  // namespace

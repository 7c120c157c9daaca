// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort::launch and launch_cooperative, also in CUDA sources: arguments, the workspace, the largest grid, refusals.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <group/launched.hpp>
#include <string>

namespace cg = cooperative_groups;

namespace {

using model::extent;
using namespace testing_kernels;

struct pair {
  short first;
  double second;
};

COHORT_KERNEL void store(unsigned long long* out, char c, float f, pair p, bool* valid) {
  out[cg::this_grid().thread_rank()] =
      static_cast<unsigned long long>(c) * 1000 + static_cast<unsigned long long>(f * 10) +
      static_cast<unsigned long long>(p.first) + static_cast<unsigned long long>(p.second);
  if (cg::this_grid().thread_rank() == 0) *valid = cg::this_grid().is_valid();
}

TEST(Launch, ConvertsTheArguments) {
  buffer<unsigned long long> out(6);
  buffer<bool> valid(1);
  ASSERT_EQ(finished(cohort::launch(2, 3, store, out.data(), 7, 2.5, pair{1000, 20000.0}, valid.data())), 0);
  for (unsigned int i = 0; i < 6; ++i) EXPECT_EQ(out[i], 28025u);
  EXPECT_FALSE(valid[0]);
  ASSERT_EQ(finished(cohort::launch_cooperative(2, 3, store, out.data(), 8, 2.5, pair{1000, 20000.0}, valid.data())),
            0);
  for (unsigned int i = 0; i < 6; ++i) EXPECT_EQ(out[i], 29025u);
  EXPECT_TRUE(valid[0]);
  // A cooperative launch does not affect later plain launches.
  ASSERT_EQ(finished(cohort::launch(2, 3, store, out.data(), 7, 2.5, pair{1000, 20000.0}, valid.data())), 0);
  EXPECT_FALSE(valid[0]);
}

COHORT_KERNEL void nothing() {}

TEST(Launch, BadShapesAreRefused) {
  EXPECT_NE(finished(cohort::launch(0, 32, nothing)), 0);
  EXPECT_NE(finished(cohort::launch(1, 1025, nothing)), 0);
  EXPECT_EQ(finished(cohort::launch(1, 32, static_cast<void (*)()>(nullptr))), 98);
  EXPECT_EQ(finished(cohort::launch_cooperative(1, 32, static_cast<void (*)()>(nullptr))), 98);
  cohort::config c{1, 32};
  c.device = 1000;
  EXPECT_EQ(finished(cohort::launch(c, nothing)), 101);
  EXPECT_EQ(finished(cohort::launch(1, 32, nothing)), 0);
}

COHORT_KERNEL void count_blocks(unsigned int* counter, unsigned int* sizes) {
  const auto grid = cg::this_grid();
  if (cg::this_thread_block().thread_rank() == 0) __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
  grid.sync();
  if (grid.thread_rank() == 0) {
    sizes[0] = *counter;
    sizes[1] = grid.dim_blocks().x;
    sizes[2] = grid.dim_blocks().y * grid.dim_blocks().z;
    sizes[3] = static_cast<unsigned int>(grid.num_clusters());
  }
}

// The largest grid runs; one block more is refused, and the error names the limit.
void test_largest(extent block, extent cluster) {
  SCOPED_TRACE(testing::Message() << block.count() << " threads, clusters of " << cluster.count());
  buffer<unsigned int> counter(1), sizes(4);
  counter[0] = 0;
  cohort::config c{cohort::largest_grid, shape(block)};
  if (cluster.count() > 1) c.cluster = shape(cluster);
  const cohort::error e = cohort::launch_cooperative(c, count_blocks, counter.data(), sizes.data());
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  const unsigned int blocks = sizes[0], clusters = static_cast<unsigned int>(cluster.count());
  EXPECT_GT(blocks, 0u);
  EXPECT_EQ(sizes[1] * sizes[2], blocks);
  EXPECT_EQ(sizes[2], cluster.y * cluster.z);
  EXPECT_EQ(sizes[3], blocks / clusters);
  c.grid = cohort::dim3(sizes[1] + cluster.x, cluster.y, cluster.z);
  const cohort::error refused = cohort::launch_cooperative(c, count_blocks, counter.data(), sizes.data());
  EXPECT_EQ(finished(refused), 720);
  EXPECT_EQ(refused.blocks_asked(), blocks + clusters);
  EXPECT_EQ(refused.blocks_fitting(), blocks);
  EXPECT_EQ(cohort::message(refused), "too many blocks in cooperative launch: they must all be resident at once, " +
                                          std::to_string(blocks + clusters) + " were asked for and " +
                                          std::to_string(blocks) + " fit: launch at most " + std::to_string(blocks) +
                                          ", or take cohort::largest_grid");
}

TEST(Launch, LargestGridAndOneMore) {
  test_largest({1024, 1, 1}, {1, 1, 1});
  test_largest({33, 1, 1}, {1, 1, 1});
  test_largest({256, 1, 1}, {2, 1, 1});
  test_largest({16, 16, 1}, {1, 2, 2});
}

TEST(Launch, NothingFits) {
  cohort::config c{cohort::largest_grid, 32, std::size_t{1} << 30};
  for (const cohort::dim3 grid : {cohort::largest_grid, cohort::dim3(1)}) {
    c.grid = grid;
    const cohort::error refused = cohort::launch_cooperative(c, nothing);
    EXPECT_EQ(finished(refused), 720);
    EXPECT_EQ(std::string(cohort::message(refused)),
              "too many blocks in cooperative launch: they must all be resident at once, 1 were asked for and 0 fit: "
              "use smaller blocks or less shared memory");
  }
  // The error for an invalid block names the block, not the size of the grid.
  EXPECT_NE(finished(cohort::launch_cooperative(cohort::largest_grid, 1025, nothing)), 720);
  EXPECT_NE(finished(cohort::launch_cooperative(cohort::largest_grid, 0, nothing)), 0);
}

// -- the workspace ---------------------------------------------------------------------------------------------------

// The workspace starts with zeros, and each block has its own rounds and slots.
COHORT_KERNEL void use_workspace(cohort::grid_workspace workspace, unsigned int* wrong, unsigned int add) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const unsigned long long blocks = grid.num_blocks(), me = grid.block_rank();
  unsigned int bad = 0;
  if (block.thread_rank() == 0) {
    bad += workspace.is_valid() ? 0 : 1;
    bad += workspace.slot_bytes == 256 ? 0 : 1;
    bad += workspace.round(me) != 0;
    for (unsigned int parity = 0; parity < 2; ++parity) {
      char* const slot = static_cast<char*>(workspace.slot(parity, me, blocks));
      bad += reinterpret_cast<unsigned long long>(slot) % 64 != 0;
      for (unsigned int i = 0; i < workspace.slot_bytes; ++i) {
        bad += slot[i] != 0;
        slot[i] = static_cast<char>(me + parity + add);
      }
    }
    workspace.round(me) = static_cast<unsigned int>(me + add);
  }
  grid.sync();
  if (block.thread_rank() == 0) {
    const unsigned long long other = (me + 1) % blocks;
    bad += workspace.round(other) != other + add;
    for (unsigned int parity = 0; parity < 2; ++parity) {
      const char* const slot = static_cast<const char*>(workspace.slot(parity, other, blocks));
      for (unsigned int i = 0; i < workspace.slot_bytes; ++i) bad += slot[i] != static_cast<char>(other + parity + add);
    }
    wrong[me] = bad;
  }
}

TEST(Launch, WorkspaceBelongsToTheLaunch) {
  for (const unsigned int blocks : {1u, 2u, 4u}) {
    buffer<unsigned int> wrong(blocks);
    for (unsigned int launch = 1; launch <= 3; ++launch) {  // each launch gets zeros
      const cohort::error e = cohort::launch_cooperative(blocks, 33, use_workspace, wrong.data(), launch);
      ASSERT_EQ(finished(e), 0) << cohort::message(e);
      for (unsigned int b = 0; b < blocks; ++b) EXPECT_EQ(wrong[b], 0u);
    }
  }
}

COHORT_KERNEL void grid_with_workspace(cohort::grid_workspace workspace, bool* right) {
  const cg::grid_group with = cg::this_grid(workspace), without = cg::this_grid();
  cg::grid_group assigned = without;
  assigned = with;
  const cg::thread_group handle = assigned;
  const cohort::grid_workspace found = cohort::detail::group_access::workspace(handle);
  bool all = found.memory == workspace.memory && found.slot_bytes == workspace.slot_bytes;
  all = all && !cohort::detail::group_access::workspace(without).is_valid();
  all = all && with.size() == without.size() && with.thread_rank() == without.thread_rank();
  all = all && handle.size() == with.size() && handle.thread_rank() == with.thread_rank() && handle.get_type() == 3;
  all = all && with.is_valid() && handle.is_valid();
  with.sync();
  handle.sync();
  right[with.thread_rank()] = all;
}

TEST(Launch, AGridKeepsItsWorkspace) {
  buffer<bool> right(70);
  ASSERT_EQ(finished(cohort::launch_cooperative(2, 35, grid_with_workspace, right.data())), 0);
  for (unsigned int i = 0; i < 70; ++i) EXPECT_TRUE(right[i]);
}

TEST(Launch, TheLargestGridHasAWorkspaceToo) {
  buffer<unsigned int> wrong(65536);
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = 0;
  const cohort::error e = cohort::launch_cooperative(cohort::largest_grid, 512, use_workspace, wrong.data(), 1);
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_EQ(wrong[i], 0u);
}

TEST(Launch, AWorkspaceDoesNotHideARefusal) {
  buffer<unsigned int> wrong(1);
  const cohort::error e = cohort::launch_cooperative(1000000, 1024, use_workspace, wrong.data(), 1);
  EXPECT_EQ(finished(e), 720);
  EXPECT_EQ(e.blocks_asked(), 1000000u);
}

#if COHORT_CUDA_SOURCE
// A kernel with __cluster_dims__ is launched in full clusters.
__global__ void __cluster_dims__(2, 1, 1) count_clusters(unsigned int* out) {
  if (cg::this_grid().thread_rank() == 0) {
    out[0] = static_cast<unsigned int>(cg::this_grid().num_blocks());
    out[1] = static_cast<unsigned int>(cg::this_grid().num_clusters());
  }
}

TEST(Launch, LargestGridOfAKernelWithClusters) {
  buffer<unsigned int> out(2);
  const cohort::error e = cohort::launch_cooperative(cohort::largest_grid, 96, count_clusters, out.data());
  ASSERT_EQ(finished(e), 0) << cohort::message(e);
  EXPECT_GT(out[1], 0u);
  EXPECT_EQ(out[0], 2 * out[1]);
  const cohort::error refused = cohort::launch_cooperative(out[0] + 2, 96, count_clusters, out.data());
  EXPECT_EQ(finished(refused), 720);
  EXPECT_EQ(refused.blocks_fitting(), out[0]);
}

// Two concurrent streams: each launch has its own workspace, allocated and freed in stream order.
TEST(Launch, InStreams) {
  cudaStream_t streams[2];
  buffer<unsigned int> wrong(8);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaStreamCreate(&streams[i]), cudaSuccess);
  for (unsigned int launch = 0; launch < 6; ++launch) {
    cohort::config c{4, 33};
    c.stream = streams[launch % 2];
    const cohort::error e = cohort::launch_cooperative(c, use_workspace, wrong.data() + launch % 2 * 4, launch + 1);
    ASSERT_FALSE(e) << cohort::message(e);
  }
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaStreamSynchronize(streams[i]), cudaSuccess);
    ASSERT_EQ(cudaStreamDestroy(streams[i]), cudaSuccess);
  }
  for (unsigned int i = 0; i < 8; ++i) EXPECT_EQ(wrong[i], 0u);
}
#else
TEST(Launch, ACallableTakesAWorkspace) {
  int calls = 0;
  const cohort::error e = cohort::launch_cooperative(
      1, 3,
      [&](cohort::grid_workspace workspace, const int& add) {
        if (workspace.is_valid()) calls += add;
      },
      5);
  ASSERT_EQ(finished(e), 0);
  EXPECT_EQ(calls, 15);
}

TEST(Launch, AStreamIsRefusedWhereThereIsNone) {
  cohort::config c{1, 32};
  c.stream = &c;
  EXPECT_EQ(cohort::launch(c, nothing).number(), 400);
}
#endif

}  // namespace

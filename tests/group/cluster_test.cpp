// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cluster_group and the clusters of a grid: positions in every shape, the other blocks' shared memory.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <group/launched.hpp>

#if !COHORT_CUDA_SOURCE
#include <cohort/shared.hpp>
#endif

namespace cg = cooperative_groups;

namespace {

using model::extent;
using namespace testing_kernels;

struct cluster_values {
  unsigned int thread_rank, num_threads, size, block_rank, num_blocks;
  cohort::dim3 block_index, dim_blocks, thread_index, dim_threads;
  unsigned long long grid_cluster_rank, grid_num_clusters;
  cohort::dim3 grid_cluster_index, grid_dim_clusters;
  unsigned long long handle_rank, handle_size;
  unsigned int handle_type;
  bool handle_valid;
};

COHORT_KERNEL void look_around(cluster_values* out) {
  const auto cluster = cg::this_cluster();
  const auto grid = cg::this_grid();
  cluster_values s;
  s.thread_rank = cluster.thread_rank();
  s.num_threads = cluster.num_threads();
  s.size = cluster.size();
  s.block_rank = cluster.block_rank();
  s.num_blocks = cluster.num_blocks();
  s.block_index = cluster.block_index();
  s.dim_blocks = cluster.dim_blocks();
  s.thread_index = cluster.thread_index();
  s.dim_threads = cluster.dim_threads();
  s.grid_cluster_rank = grid.cluster_rank();
  s.grid_num_clusters = grid.num_clusters();
  s.grid_cluster_index = grid.cluster_index();
  s.grid_dim_clusters = grid.dim_clusters();
  cg::thread_group handle = cg::this_thread_block();
  handle = cluster;
  s.handle_rank = cg::thread_rank(handle);
  s.handle_size = cg::group_size(handle);
  s.handle_type = handle.get_type();
  s.handle_valid = handle.is_valid();
  handle.sync();
  cg::sync(cluster);
  out[grid.thread_rank()] = s;
}

void expect_dim(const char* what, cohort::dim3 got, unsigned int x, unsigned int y, unsigned int z) {
  EXPECT_TRUE(got.x == x && got.y == y && got.z == z)
      << what << ": " << got.x << "," << got.y << "," << got.z << " instead of " << x << "," << y << "," << z;
}

// The cluster of a block and the block's position in it; a model enumerates those of a grid.
struct place {
  std::size_t cluster, block;
  model::position cluster_at, block_at;
};
std::vector<place> places(extent clusters, extent cluster) {
  const extent grid{clusters.x * cluster.x, clusters.y * cluster.y, clusters.z * cluster.z};
  const auto blocks = model::enumerate(grid);
  std::vector<place> all(blocks.size());
  const auto outer = model::enumerate(clusters), inner = model::enumerate(cluster);
  for (std::size_t c = 0; c < outer.size(); ++c) {
    for (std::size_t b = 0; b < inner.size(); ++b) {
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].x == outer[c].x * cluster.x + inner[b].x && blocks[i].y == outer[c].y * cluster.y + inner[b].y &&
            blocks[i].z == outer[c].z * cluster.z + inner[b].z) {
          all[i] = {c, b, outer[c], inner[b]};
        }
      }
    }
  }
  return all;
}

void test_positions(extent clusters, extent cluster, extent block, bool cooperative) {
  const extent grid{clusters.x * cluster.x, clusters.y * cluster.y, clusters.z * cluster.z};
  const unsigned int threads = static_cast<unsigned int>(block.count());
  buffer<cluster_values> out(grid.count() * threads);
  const cohort::config c = shape(grid, block, cluster);
  ASSERT_EQ(finished(cooperative ? cohort::launch_cooperative(c, look_around, out.data())
                                 : cohort::launch(c, look_around, out.data())),
            0);
  const auto all = places(clusters, cluster);
  const auto positions = model::enumerate(block);
  for (std::size_t b = 0; b < all.size(); ++b) {
    for (unsigned int t = 0; t < threads; ++t) {
      SCOPED_TRACE(testing::Message() << "block " << b << " thread " << t);
      const cluster_values& s = out[b * threads + t];
      const place& p = all[b];
      const std::size_t rank = p.block * threads + t, size = cluster.count() * threads;
      EXPECT_EQ(s.thread_rank, rank);
      EXPECT_EQ(s.num_threads, size);
      EXPECT_EQ(s.size, size);
      EXPECT_EQ(s.block_rank, p.block);
      EXPECT_EQ(s.num_blocks, cluster.count());
      expect_dim("block_index", s.block_index, p.block_at.x, p.block_at.y, p.block_at.z);
      expect_dim("dim_blocks", s.dim_blocks, cluster.x, cluster.y, cluster.z);
      expect_dim("thread_index", s.thread_index, p.block_at.x * block.x + positions[t].x,
                 p.block_at.y * block.y + positions[t].y, p.block_at.z * block.z + positions[t].z);
      expect_dim("dim_threads", s.dim_threads, cluster.x * block.x, cluster.y * block.y, cluster.z * block.z);
      EXPECT_EQ(s.grid_cluster_rank, p.cluster);
      EXPECT_EQ(s.grid_num_clusters, clusters.count());
      expect_dim("cluster_index", s.grid_cluster_index, p.cluster_at.x, p.cluster_at.y, p.cluster_at.z);
      expect_dim("dim_clusters", s.grid_dim_clusters, clusters.x, clusters.y, clusters.z);
      EXPECT_EQ(s.handle_rank, rank);
      EXPECT_EQ(s.handle_size, size);
      EXPECT_EQ(s.handle_type, 6u);
      EXPECT_TRUE(s.handle_valid);
    }
  }
}

TEST(Cluster, Positions) {
  for (const bool cooperative : {false, true}) {
    for (const extent block : {extent{1, 1, 1}, extent{33, 1, 1}, extent{3, 5, 2}}) {
      test_positions({3, 1, 1}, {1, 1, 1}, block, cooperative);
      test_positions({3, 1, 1}, {2, 1, 1}, block, cooperative);
      test_positions({1, 2, 2}, {2, 2, 1}, block, cooperative);
      test_positions({2, 1, 2}, {1, 3, 2}, block, cooperative);
      test_positions({1, 1, 1}, {2, 2, 2}, block, cooperative);
    }
  }
}

// Each block reads and writes the shared memory of the others.
COHORT_KERNEL void all_to_all(unsigned int* sums, unsigned int* owners, bool* same) {
#if COHORT_CUDA_SOURCE
  __shared__ unsigned int box[16];
#else
  auto& box = cohort::shared<unsigned int[16], struct box_tag>();
#endif
  const auto cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const unsigned int me = cluster.block_rank(), count = cluster.num_blocks();
  cluster.sync();
  if (block.thread_rank() < count) {  // thread t writes to block t
    unsigned int* const theirs = cluster.map_shared_rank(box, static_cast<int>(block.thread_rank()));
    theirs[me] = 100 * me + block.thread_rank();
  }
  cluster.sync();
  unsigned int sum = 0;
  for (unsigned int b = 0; b < count; ++b) {
    const unsigned int* const theirs =
        cluster.map_shared_rank(static_cast<const unsigned int*>(box), static_cast<int>(b));
    for (unsigned int i = 0; i < count; ++i) sum += theirs[i] * (b + 1);
  }
  const unsigned int next = (me + 1) % count;
  unsigned int* const mapped = cluster.map_shared_rank(box, static_cast<int>(next));
  const unsigned long long i = cg::this_grid().thread_rank();
  sums[i] = sum;
  owners[i] = cluster.query_shared_rank(box) * 100 + cluster.query_shared_rank(mapped + 3);
  same[i] = cluster.map_shared_rank(mapped + 3, static_cast<int>(me)) == box + 3;
  cluster.sync();  // the others may read this block's memory until here
}

TEST(Cluster, SharedMemoryOfTheOtherBlocks) {
  for (const unsigned int count : {1u, 2u, 3u, 8u}) {
    const extent grid{count * 2, 1, 1}, block{40, 1, 1};
    const unsigned int threads = static_cast<unsigned int>(grid.count() * 40);
    buffer<unsigned int> sums(threads), owners(threads);
    buffer<bool> same(threads);
    ASSERT_EQ(finished(cohort::launch(shape(grid, block, {count, 1, 1}), all_to_all, sums.data(), owners.data(),
                                      same.data())),
              0);
    unsigned int expected = 0;
    for (unsigned int b = 0; b < count; ++b) {
      for (unsigned int i = 0; i < count; ++i) expected += (100 * i + b) * (b + 1);
    }
    for (unsigned int t = 0; t < threads; ++t) {
      const unsigned int me = t / 40 % count;
      EXPECT_EQ(sums[t], expected) << t;
      EXPECT_EQ(owners[t], me * 100 + (me + 1) % count) << t;
      EXPECT_TRUE(same[t]) << t;
    }
  }
}

TEST(Cluster, ShapesThatAreRefused) {
  buffer<cluster_values> out(64);
  // Errors: the cluster does not divide the grid, has more blocks than the device supports, or has an extent of zero.
  EXPECT_EQ(finished(cohort::launch(shape({3, 1, 1}, {1, 1, 1}, {2, 1, 1}), look_around, out.data())), 912);
  EXPECT_EQ(finished(cohort::launch(shape({32, 1, 1}, {1, 1, 1}, {32, 1, 1}), look_around, out.data())), 912);
  EXPECT_EQ(finished(cohort::launch(shape({2, 1, 1}, {1, 1, 1}, {2, 0, 1}), look_around, out.data())), 912);
}

#if !COHORT_CUDA_SOURCE
TEST(Cluster, BadAddressesAndRanksAreReported) {
  static int global;
  const auto expect_report = [](const char* text, auto kernel) {
    testing::internal::CaptureStderr();
    const cohort::error e = cohort::launch(shape({2, 1, 1}, {32, 1, 1}, {2, 1, 1}), kernel);
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_EQ(e.number(), 719);
    EXPECT_NE(report.find(text), std::string::npos) << report;
  };
  expect_report("map_shared_rank", [] { cg::this_cluster().map_shared_rank(&global, 1); });
  expect_report("query_shared_rank", [] { cg::this_cluster().query_shared_rank(&global); });
  expect_report("map_shared_rank",
                [] { cg::this_cluster().map_shared_rank(&cohort::shared<int, struct far_tag>(), 2); });
}
#endif

}  // namespace

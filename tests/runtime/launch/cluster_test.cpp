// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with clusters: refused sizes, attributes of functions, occupancy.
#include <gtest/gtest.h>

#include <vector>

#include "../test_module.hpp"

namespace {

// Writes the number and the extent of the block's cluster, after a barrier of the cluster.
void name_cluster(void** arguments) {
  auto* out = test::argument<uint32_t*>(arguments, 0);
  cohort_wait_cluster();
  const uint32_t cluster =
      cohort_block_index(0) / cohort_cluster_dim(0) + 100 * (cohort_block_index(1) / cohort_cluster_dim(1));
  out[cohort_block_index(1) * cohort_grid_dim(0) + cohort_block_index(0)] =
      cluster + 10000 * cohort_cluster_dim(0) + 100000 * cohort_cluster_dim(1);
}
void return_at_once(void**) {}

test::module& with_clusters(uint32_t x, uint32_t y, uint32_t z) {
  auto& m = *new test::module("dims-" + std::to_string(x) + std::to_string(y) + std::to_string(z));
  cohort_kernel* k = m.add_kernel("dims", return_at_once, {});
  k->cluster_dim[0] = x;
  k->cluster_dim[1] = y;
  k->cluster_dim[2] = z;
  m.register_device();
  m.register_host();
  m.register_stub(&m, "dims");
  return m;
}

const test::kernel free_kernel("any_cluster", return_at_once, {});
const test::kernel naming_kernel("name_cluster", name_cluster, {8});
const void* const of_two = &with_clusters(2, 1, 1);
const void* const of_twelve = &with_clusters(3, 4, 1);

class Cluster : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaDeviceReset());
    (void)cudaGetLastError();
  }
  void ask(cudaLaunchAttributeID id, unsigned x, unsigned y, unsigned z) {
    cudaLaunchAttribute a{};
    a.id = id;
    a.val.clusterDim.x = x;
    a.val.clusterDim.y = y;
    a.val.clusterDim.z = z;
    attributes.push_back(a);
  }
  const cudaLaunchConfig_t* config(dim3 grid, dim3 block) {
    made = {grid, block, 0, nullptr, attributes.data(), static_cast<unsigned>(attributes.size())};
    return &made;
  }
  cudaError_t run(const void* stub, dim3 grid, void** arguments = nullptr) {
    return cudaLaunchKernelExC(config(grid, 32), stub, arguments);
  }
  cudaError_t sized(const void* stub, dim3 grid, unsigned x, unsigned y = 1, unsigned z = 1) {
    attributes.clear();
    ask(cudaLaunchAttributeClusterDimension, x, y, z);
    return run(stub, grid);
  }
  cudaError_t allow_large(const void* stub, int value = 1) {
    return cudaFuncSetAttribute(stub, cudaFuncAttributeNonPortableClusterSizeAllowed, value);
  }
  std::vector<cudaLaunchAttribute> attributes;
  cudaLaunchConfig_t made{};
};

TEST_F(Cluster, SizesAnswerAsCudaDoes) {
  const void* f = free_kernel.stub();
  EXPECT_EQ(cudaSuccess, sized(f, 4, 2));
  EXPECT_EQ(cudaSuccess, sized(f, dim3(4, 6, 2), 2, 2, 2));
  EXPECT_EQ(cudaSuccess, sized(f, 8, 8));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 3, 2)) << "does not divide";
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, dim3(2, 3), 2, 2));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 4, 0));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 4, 2, 0));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 16, 16)) << "without opt-in";
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, dim3(3, 3), 3, 3));
  EXPECT_EQ(cudaErrorInvalidClusterSize, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, allow_large(f));
  EXPECT_EQ(cudaSuccess, sized(f, 16, 16));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 32, 32)) << "too large even so";
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, dim3(65536, 65536), 65536, 65536)) << "2^32 blocks";
  EXPECT_EQ(cudaErrorInvalidConfiguration, sized(f, 0, 2)) << "the grid is wrong before its clusters are";
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Cluster, KernelsWithDimensionsKeepThem) {
  const auto plain = [](const void* f, dim3 grid) { return cudaLaunchKernel(f, grid, 32, nullptr, 0, nullptr); };
  EXPECT_EQ(cudaSuccess, plain(of_two, 4));
  EXPECT_EQ(cudaErrorInvalidClusterSize, plain(of_two, 3));
  EXPECT_EQ(cudaSuccess, sized(of_two, 4, 2));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(of_two, 4, 4)) << "not what the kernel says";
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(of_two, 4, 1));
  EXPECT_EQ(cudaSuccess, cudaLaunchCooperativeKernel(of_two, 4, 32, nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidClusterSize, cudaLaunchCooperativeKernel(of_two, 3, 32, nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidClusterSize, plain(of_twelve, dim3(3, 4))) << "more than 8 blocks";
  EXPECT_EQ(cudaSuccess, allow_large(of_twelve));
  EXPECT_EQ(cudaSuccess, plain(of_twelve, dim3(6, 4)));
  EXPECT_EQ(cudaErrorNotPermitted, cudaFuncSetAttribute(of_two, cudaFuncAttributeRequiredClusterWidth, 2));
  cudaFuncAttributes a;
  ASSERT_EQ(cudaSuccess, cudaFuncGetAttributes(&a, of_twelve));
  EXPECT_EQ(1, a.clusterDimMustBeSet);
  EXPECT_EQ(3, a.requiredClusterWidth);
  EXPECT_EQ(4, a.requiredClusterHeight);
  EXPECT_EQ(1, a.requiredClusterDepth);
  EXPECT_EQ(1, a.nonPortableClusterSizeAllowed);
}

TEST_F(Cluster, DimensionsCanBeSetOnAFunction) {
  const void* f = free_kernel.stub();
  cudaFuncAttributes a;
  ASSERT_EQ(cudaSuccess, cudaFuncGetAttributes(&a, f));
  EXPECT_EQ(0, a.clusterDimMustBeSet + a.requiredClusterWidth + a.requiredClusterHeight + a.requiredClusterDepth +
                   a.clusterSchedulingPolicyPreference + a.nonPortableClusterSizeAllowed);
  EXPECT_EQ(cudaSuccess, cudaFuncSetAttribute(f, cudaFuncAttributeRequiredClusterWidth, 2));
  EXPECT_EQ(cudaErrorInvalidClusterSize, run(f, 4)) << "all three or none";
  EXPECT_EQ(cudaSuccess, cudaFuncSetAttribute(f, cudaFuncAttributeRequiredClusterHeight, 1));
  EXPECT_EQ(cudaSuccess, cudaFuncSetAttribute(f, cudaFuncAttributeRequiredClusterDepth, 1));
  EXPECT_EQ(cudaSuccess, run(f, 4));
  EXPECT_EQ(cudaErrorInvalidClusterSize, run(f, 3));
  EXPECT_EQ(cudaErrorInvalidClusterSize, sized(f, 4, 4));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFuncSetAttribute(f, cudaFuncAttributeRequiredClusterWidth, -1));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFuncSetAttribute(f, cudaFuncAttributeClusterDimMustBeSet, 1));
  EXPECT_EQ(cudaErrorInvalidValue, allow_large(f, 2));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFuncSetAttribute(f, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
  EXPECT_EQ(cudaSuccess, cudaFuncSetAttribute(f, cudaFuncAttributeClusterSchedulingPolicyPreference, 2));
  ASSERT_EQ(cudaSuccess, cudaFuncGetAttributes(&a, f));
  EXPECT_EQ(2, a.requiredClusterWidth);
  EXPECT_EQ(2, a.clusterSchedulingPolicyPreference);
  EXPECT_EQ(cudaSuccess, cudaDeviceReset());
  ASSERT_EQ(cudaSuccess, cudaFuncGetAttributes(&a, f));
  EXPECT_EQ(0, a.requiredClusterWidth);
}

TEST_F(Cluster, PreferredDimensionsAreCheckedHints) {
  const void* f = free_kernel.stub();
  const auto preferred = [&](unsigned x, unsigned y) {
    attributes.clear();
    ask(cudaLaunchAttributeClusterDimension, 2, 1, 1);
    ask(cudaLaunchAttributePreferredClusterDimension, x, y, 1);
    return run(f, dim3(8, 2));
  };
  EXPECT_EQ(cudaSuccess, preferred(4, 1));
  EXPECT_EQ(cudaSuccess, preferred(4, 2));
  EXPECT_EQ(cudaErrorInvalidClusterSize, preferred(3, 1)) << "no multiple of 2";
  EXPECT_EQ(cudaErrorInvalidClusterSize, preferred(6, 1)) << "does not divide 8";
  EXPECT_EQ(cudaErrorInvalidClusterSize, preferred(0, 1));
  EXPECT_EQ(cudaErrorInvalidClusterSize, preferred(8, 2)) << "16 blocks";
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Cluster, BlocksOfAClusterMeet) {
  uint32_t* out = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocManaged(&out, 24 * sizeof(uint32_t)));
  void* arguments[] = {&out};
  ask(cudaLaunchAttributeClusterDimension, 3, 2, 1);
  ASSERT_EQ(cudaSuccess, run(naming_kernel.stub(), dim3(6, 4), arguments));
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 6; ++x) EXPECT_EQ(x / 3 + 100 * (y / 2) + 30000 + 200000, out[6 * y + x]);
  }
}

TEST_F(Cluster, OccupancyIsWhatACooperativeLaunchAdmits) {
  const void* f = free_kernel.stub();
  EXPECT_EQ(cudaSuccess, allow_large(f));
  for (unsigned size : {1u, 2u, 3u, 5u, 8u, 16u}) {
    for (unsigned threads : {32u, 96u, 1024u}) {
      attributes.clear();
      ask(cudaLaunchAttributeClusterDimension, size, 1, 1);
      int clusters = -1;
      ASSERT_EQ(cudaSuccess, cudaOccupancyMaxActiveClusters(&clusters, f, config(size, threads)));
      ASSERT_GE(clusters, 1);
      cudaLaunchAttribute cooperative{};
      cooperative.id = cudaLaunchAttributeCooperative;
      cooperative.val.cooperative = 1;
      attributes.push_back(cooperative);
      const auto most = static_cast<unsigned>(clusters) * size;
      EXPECT_EQ(cudaSuccess, cudaLaunchKernelExC(config(most, threads), f, nullptr)) << size << " " << threads;
      EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, cudaLaunchKernelExC(config(most + size, threads), f, nullptr));
    }
  }
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(Cluster, LargestSize) {
  const void* f = free_kernel.stub();
  int size = -1;
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, f, config(16, 64)));
  EXPECT_EQ(8, size);
  EXPECT_EQ(cudaSuccess, allow_large(f));
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, f, config(16, 64)));
  EXPECT_EQ(16, size);
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, of_two, config(16, 64)));
  EXPECT_EQ(2, size);
  EXPECT_EQ(cudaErrorInvalidClusterSize, cudaOccupancyMaxPotentialClusterSize(&size, of_twelve, config(16, 64)));
  made = *config(16, 64);
  made.dynamicSmemBytes = 64 << 10;
  EXPECT_EQ(cudaSuccess, cudaOccupancyMaxPotentialClusterSize(&size, f, &made));
  EXPECT_EQ(0, size) << "not even one block, without the opt-in";
  EXPECT_EQ(cudaErrorInvalidValue, cudaOccupancyMaxPotentialClusterSize(&size, f, config(16, 1025)));
  EXPECT_EQ(cudaErrorInvalidValue, cudaOccupancyMaxPotentialClusterSize(nullptr, f, config(16, 64)));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxPotentialClusterSize(&size, this, config(16, 64)));
  ask(cudaLaunchAttributeClusterDimension, 3, 1, 1);
  EXPECT_EQ(cudaErrorInvalidClusterSize, cudaOccupancyMaxActiveClusters(&size, f, config(16, 64)));
}

}  // namespace

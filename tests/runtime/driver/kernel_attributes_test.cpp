// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of the kernel nodes of graphs, by the driver API and the runtime API.
#include <utility>

#include "driver.hpp"

namespace {

using KernelAttributes = test::driver;

void write_cluster(void** arguments) {
  int* const out = test::argument<int*>(arguments, 0);
  for (int axis = 0; axis < 3; ++axis) out[axis] = static_cast<int>(cohort_cluster_dim(static_cast<uint32_t>(axis)));
}
const test::kernel cluster_kernel("attributes_cluster", write_cluster, {8});

struct node_of_graph {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  int* out;
  void* pointers[1] = {&out};

  node_of_graph(CUfunction f, int* memory, unsigned blocks) : out(memory) {
    EXPECT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
    const CUDA_KERNEL_NODE_PARAMS parameters = shape(f, blocks);
    EXPECT_EQ(CUDA_SUCCESS, cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  }
  node_of_graph(const node_of_graph&) = delete;
  ~node_of_graph() { EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph)); }

  CUDA_KERNEL_NODE_PARAMS shape(CUfunction f, unsigned blocks) {
    return {f, blocks, 1, 1, 1, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
  }
  CUresult set(CUkernelNodeAttrID id, const CUkernelNodeAttrValue& value) {
    return cuGraphKernelNodeSetAttribute(node, id, &value);
  }
  CUkernelNodeAttrValue get(CUkernelNodeAttrID id) {
    CUkernelNodeAttrValue value{};
    EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeGetAttribute(node, id, &value));
    return value;
  }
  void run() {
    CUgraphExec ready = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiate(&ready, graph, 0));
    EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(ready, nullptr));
    EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
    EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(ready));
  }
};

CUkernelNodeAttrValue cluster_of(unsigned x) {
  CUkernelNodeAttrValue value{};
  value.clusterDim = {x, 1, 1};
  return value;
}

TEST_F(KernelAttributes, AClusterHasItsEffect) {
  int* const out = managed<int>(3);
  node_of_graph n(function(cluster_kernel), out, 12);
  n.run();
  EXPECT_EQ(1, out[0]);
  EXPECT_EQ(CUDA_SUCCESS, n.set(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_of(4)));
  EXPECT_EQ(4u, n.get(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim.x);
  n.run();
  EXPECT_EQ(4, out[0]);
  EXPECT_EQ(1, out[1]);
  // 12 blocks cannot be divided into clusters of 5, so the node does not change.
  EXPECT_EQ(CUDA_ERROR_INVALID_CLUSTER_SIZE, n.set(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_of(5)));
  EXPECT_EQ(4u, n.get(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim.x);
  // New parameters do not change the attributes.
  const CUDA_KERNEL_NODE_PARAMS wider = n.shape(function(cluster_kernel), 16), odd = n.shape(wider.func, 7);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeSetParams(n.node, &wider));
  EXPECT_EQ(4u, n.get(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim.x);
  EXPECT_EQ(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuGraphKernelNodeSetParams(n.node, &odd));
}

TEST_F(KernelAttributes, ClustersFollowTheRulesOfLaunches) {
  int* const out = managed<int>(3);
  const CUfunction f = function(cluster_kernel);
  node_of_graph wide(f, out, 32);
  EXPECT_EQ(CUDA_ERROR_INVALID_CLUSTER_SIZE, wide.set(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_of(16)));
  // The cluster size that a kernel requires remains when another attribute changes, and every other size is refused.
  for (const auto& [attribute, value] :
       {std::pair{CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2}, std::pair{CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 1},
        std::pair{CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1}}) {
    ASSERT_EQ(CUDA_SUCCESS, cuFuncSetAttribute(f, attribute, value));
  }
  node_of_graph n(f, out, 12);
  CUkernelNodeAttrValue value{};
  value.priority = -1;
  EXPECT_EQ(CUDA_SUCCESS, n.set(CU_LAUNCH_ATTRIBUTE_PRIORITY, value));
  n.run();
  EXPECT_EQ(2, out[0]);
  EXPECT_EQ(CUDA_ERROR_INVALID_CLUSTER_SIZE, n.set(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_of(4)));
  for (const auto attribute : {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
                               CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH}) {
    EXPECT_EQ(CUDA_SUCCESS, cuFuncSetAttribute(f, attribute, 0));
  }
}

TEST_F(KernelAttributes, ACooperativeGridIsLimited) {
  int* const out = managed<int>(3);
  node_of_graph n(function(cluster_kernel), out, 1 << 20);
  CUkernelNodeAttrValue value{};
  value.cooperative = 1;
  EXPECT_EQ(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, n.set(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value));
  EXPECT_EQ(0, n.get(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative);
  const CUDA_KERNEL_NODE_PARAMS small = n.shape(function(cluster_kernel), 2);
  ASSERT_EQ(CUDA_SUCCESS, cuGraphKernelNodeSetParams(n.node, &small));
  EXPECT_EQ(CUDA_SUCCESS, n.set(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value));
  EXPECT_EQ(1, n.get(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative);
  n.run();
}

TEST_F(KernelAttributes, HintsAreKeptAndCopied) {
  int* const out = managed<int>(3);
  const CUfunction f = function(cluster_kernel);
  node_of_graph from(f, out, 4), to(f, out, 4);
  CUkernelNodeAttrValue value{};
  value.priority = -1000;
  EXPECT_EQ(CUDA_SUCCESS, from.set(CU_LAUNCH_ATTRIBUTE_PRIORITY, value));
  int least = 0, greatest = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuCtxGetStreamPriorityRange(&least, &greatest));
  value = {};
  value.accessPolicyWindow = {out, 12, 0.5f, CU_ACCESS_PROPERTY_PERSISTING, CU_ACCESS_PROPERTY_STREAMING};
  EXPECT_EQ(CUDA_SUCCESS, from.set(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, value));
  value.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, from.set(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, value));
  value = {};
  value.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
  EXPECT_EQ(CUDA_SUCCESS, from.set(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, value));
  value = {};
  value.sharedMemCarveout = 50;
  EXPECT_EQ(CUDA_SUCCESS, from.set(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, value));
  EXPECT_EQ(CUDA_SUCCESS, from.set(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_of(2)));

  EXPECT_EQ(CUDA_SUCCESS, cuGraphKernelNodeCopyAttributes(to.node, from.node));
  EXPECT_EQ(greatest, to.get(CU_LAUNCH_ATTRIBUTE_PRIORITY).priority);
  EXPECT_EQ(out, to.get(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow.base_ptr);
  EXPECT_EQ(0.5f, to.get(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow.hitRatio);
  EXPECT_EQ(CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE, to.get(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain);
  EXPECT_EQ(50u, to.get(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout);
  to.run();
  EXPECT_EQ(2, out[0]);
}

TEST_F(KernelAttributes, WrongCallsAreRefused) {
  int* const out = managed<int>(3);
  node_of_graph n(function(cluster_kernel), out, 4);
  CUkernelNodeAttrValue value{};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, n.set(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetAttribute(n.node, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetAttribute(n.node, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr));
  CUgraphNode empty = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&empty, n.graph, nullptr, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetAttribute(empty, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeCopyAttributes(empty, n.node));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeCopyAttributes(n.node, empty));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects: when the last reference of graphs, copies, executable graphs and launches ends.
#include <atomic>
#include <chrono>
#include <thread>

#include "driver.hpp"

namespace {

using UserObject = test::driver;

void note_end(void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }

void wait_for(void* data) {
  while (!static_cast<std::atomic<bool>*>(data)->load()) std::this_thread::yield();
}

// Waits until `expected` objects have ended, which a thread of the runtime counts; returns their number.
int ended(const std::atomic<int>& count, int expected) {
  for (int i = 0; i < 2000 && count < expected; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return count;
}

CUuserObject make(std::atomic<int>* count, unsigned references) {
  CUuserObject object = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuUserObjectCreate(&object, count, note_end, references, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  return object;
}

TEST_F(UserObject, CountsReferencesOfTheProgram) {
  std::atomic<int> ends{0};
  CUuserObject object = make(&ends, 2);
  EXPECT_EQ(CUDA_SUCCESS, cuUserObjectRetain(object, 3));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectRelease(object, 6));
  EXPECT_EQ(CUDA_SUCCESS, cuUserObjectRelease(object, 4));
  EXPECT_EQ(0, ended(ends, 0));
  EXPECT_EQ(cudaSuccess, cudaUserObjectRelease(object));
  EXPECT_EQ(1, ended(ends, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectRetain(object, 1));
}

TEST_F(UserObject, GraphsKeepThem) {
  std::atomic<int> ends{0};
  CUuserObject object = make(&ends, 1);
  CUgraph graph = nullptr, copy = nullptr, outer = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphRetainUserObject(graph, object, 2, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphReleaseUserObject(graph, object, 2));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphReleaseUserObject(graph, object, 2));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphClone(&copy, graph));
  CUgraphNode child = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&outer, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(copy));
  EXPECT_EQ(0, ended(ends, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(outer));
  EXPECT_EQ(1, ended(ends, 1));
}

TEST_F(UserObject, LaunchesKeepThem) {
  std::atomic<int> ends{0}, later_ends{0};
  std::atomic<bool> may_end{false};
  CUstream s = stream();
  CUgraph graph = nullptr;
  CUgraphNode call = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  const CUDA_HOST_NODE_PARAMS parameters{wait_for, &may_end};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddHostNode(&call, graph, nullptr, 0, &parameters));
  CUuserObject object = make(&ends, 1);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphReleaseUserObject(graph, object, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(launched, s));
  // An update replaces the references during the launch, which keeps the old ones until it ends.
  EXPECT_EQ(CUDA_SUCCESS, cuGraphRetainUserObject(graph, make(&later_ends, 1), 1, CU_GRAPH_USER_OBJECT_MOVE));
  CUgraphExecUpdateResultInfo info;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecUpdate_v2(launched, graph, &info));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(0, ended(ends, 0));
  EXPECT_EQ(0, later_ends);
  may_end = true;
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  EXPECT_EQ(1, ended(ends, 1));
  EXPECT_EQ(1, ended(later_ends, 1));
}

TEST_F(UserObject, WrongCallsAreRefused) {
  std::atomic<int> ends{0};
  CUuserObject object = nullptr;
  const unsigned flags = CU_USER_OBJECT_NO_DESTRUCTOR_SYNC;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(nullptr, &ends, note_end, 1, flags));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &ends, nullptr, 1, flags));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &ends, note_end, 0, flags));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &ends, note_end, 1, 0));
  object = make(&ends, 1);
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectRetain(object, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphRetainUserObject(nullptr, object, 1, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphRetainUserObject(graph, object, 1, 2));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphRetainUserObject(graph, object, 2, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphReleaseUserObject(graph, object, 1));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
  EXPECT_EQ(CUDA_SUCCESS, cuUserObjectRelease(object, 1));
  EXPECT_EQ(1, ended(ends, 1));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: graph nodes that wait for words of memory and write words.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "driver.hpp"

namespace {

using BatchNode = test::driver;
using test::address;

CUstreamBatchMemOpParams wait_for(const uint32_t* word, uint32_t value) {
  CUstreamBatchMemOpParams p{};
  p.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  p.waitValue.address = address(word);
  p.waitValue.value = value;
  p.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  return p;
}

CUstreamBatchMemOpParams write(const uint32_t* word, uint32_t value) {
  CUstreamBatchMemOpParams p{};
  p.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  p.writeValue.address = address(word);
  p.writeValue.value = value;
  p.writeValue.flags = CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
  return p;
}

CUDA_BATCH_MEM_OP_NODE_PARAMS batch(CUcontext context, std::vector<CUstreamBatchMemOpParams>& list) {
  return {context, static_cast<unsigned>(list.size()), list.data(), 0};
}

CUgraphExec instantiate(CUgraph graph) {
  CUgraphExec made = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&made, graph, 0));
  return made;
}

TEST_F(BatchNode, WaitsAndWritesInEachLaunch) {
  uint32_t* const words = managed<uint32_t>(3);
  words[0] = words[1] = words[2] = 0;
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  std::vector list{wait_for(words, 5), write(words + 1, 6)}, second{write(words + 2, 9)};
  const auto parameters = batch(primary(0), list), following = batch(primary(0), second);
  CUgraphNode node = nullptr, next = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddBatchMemOpNode(&next, graph, &node, 1, &following));
  list[0] = write(words, 77);  // the node holds a copy of the list
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetType(node, &type));
  EXPECT_EQ(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, type);
  const CUgraphExec runnable = instantiate(graph);
  const CUstream s = stream();
  for (int round = 0; round < 2; ++round) {
    words[0] = words[1] = words[2] = 0;
    ASSERT_EQ(CUDA_SUCCESS, cuGraphLaunch(runnable, s));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    EXPECT_EQ(0u, std::atomic_ref(words[1]).load());
    std::atomic_ref(words[0]).store(5);
    EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
    EXPECT_EQ(6u, words[1]);
    EXPECT_EQ(9u, words[2]);
  }
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(runnable));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(BatchNode, ParametersChange) {
  uint32_t* const words = managed<uint32_t>(2);
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  std::vector first{write(words, 1)}, second{write(words, 2), write(words + 1, 3)}, third{write(words + 1, 4)};
  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  any.memOp = {primary(0), 1, first.data(), 0};
  CUgraphNode node = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
  const CUgraphExec runnable = instantiate(graph);
  const auto launch = [&](CUgraphExec e) {
    words[0] = words[1] = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(e, nullptr));
    EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
    return std::vector(words, words + 2);
  };
  EXPECT_EQ((std::vector<uint32_t>{1, 0}), launch(runnable));
  const auto two = batch(primary(0), second), three = batch(primary(0), third);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecBatchMemOpNodeSetParams(runnable, node, &two));
  EXPECT_EQ((std::vector<uint32_t>{2, 3}), launch(runnable));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphBatchMemOpNodeSetParams(node, &three));
  EXPECT_EQ((std::vector<uint32_t>{2, 3}), launch(runnable)) << "the executable graph keeps its own";
  const CUgraphExec other = instantiate(graph);
  EXPECT_EQ((std::vector<uint32_t>{0, 4}), launch(other));
  any.memOp = {primary(0), 2, second.data(), 0};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecNodeSetParams(other, node, &any));
  EXPECT_EQ((std::vector<uint32_t>{2, 3}), launch(other));
  CUDA_BATCH_MEM_OP_NODE_PARAMS read{};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphBatchMemOpNodeGetParams(node, &read));
  EXPECT_EQ(primary(0), read.ctx);
  ASSERT_EQ(1u, read.count);
  EXPECT_EQ(CU_STREAM_MEM_OP_WRITE_VALUE_32, read.paramArray[0].operation);
  EXPECT_EQ(address(words + 1), read.paramArray[0].writeValue.address);
  EXPECT_EQ(4u, read.paramArray[0].writeValue.value);
  EXPECT_EQ(unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}, read.paramArray[0].writeValue.flags);
  EXPECT_EQ(0u, read.flags);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeSetParams(node, &any));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphBatchMemOpNodeGetParams(node, &read));
  EXPECT_EQ(2u, read.count);
  for (const CUgraphExec e : {runnable, other}) EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(e));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(BatchNode, CapturesMakeThem) {
  uint32_t* const words = managed<uint32_t>(1);
  const CUstream s = stream();
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWriteValue32(s, address(words), 21, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamEndCapture(s, &graph));
  CUgraphNode node = nullptr;
  size_t count = 1;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphGetNodes(graph, &node, &count));
  CUDA_BATCH_MEM_OP_NODE_PARAMS read{};
  ASSERT_EQ(CUDA_SUCCESS, cuGraphBatchMemOpNodeGetParams(node, &read));
  ASSERT_EQ(1u, read.count);
  EXPECT_EQ(21u, read.paramArray[0].writeValue.value);
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(BatchNode, WrongArguments) {
  uint32_t* const words = managed<uint32_t>(1);
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphCreate(&graph, 0));
  std::vector list{write(words, 1)};
  const auto good = batch(primary(0), list);
  CUgraphNode node = nullptr, empty = nullptr;
  const auto add = [&](const CUDA_BATCH_MEM_OP_NODE_PARAMS* p) {
    return cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, p);
  };
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, add(nullptr));
  auto bad = good;
  bad.count = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, add(&bad));
  bad = good;
  bad.flags = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, add(&bad));
  bad = good;
  bad.paramArray = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, add(&bad));
  uint32_t outside = 0;
  std::vector stray{write(&outside, 1)};
  bad = batch(primary(0), stray);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, add(&bad));
  bad = good;
  bad.ctx = reinterpret_cast<CUcontext>(&bad);
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, add(&bad));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(nullptr, graph, nullptr, 0, &good));
  ASSERT_EQ(CUDA_SUCCESS, cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CUDA_BATCH_MEM_OP_NODE_PARAMS read{};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(empty, &read));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(empty, &good));
  CUgraphNodeParams any{};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  any.memOp = {primary(0), 1, list.data(), 0};
  any.reserved2 = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

}  // namespace

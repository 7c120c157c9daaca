// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library call is an operation of its stream: its order, its errors, captures, and the life of its data.
#include "libraries/common/stream_call.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "cuda_runtime_api.h"

namespace {

using cohort::libraries::memory_accesses;
using cohort::libraries::stream_call;

class StreamCall : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  void TearDown() override { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }

  // Appends a call that adds a number to `log_`.
  cudaError_t append(int number, bool is_short = false, bool waits = false) {
    return stream_call(stream_, {"test_append", is_short, waits}, [this, number](memory_accesses&) {
      if (number == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      log_.push_back(number);
      return cudaSuccess;
    });
  }

  cudaStream_t stream_ = nullptr;
  std::vector<int> log_;
};

TEST_F(StreamCall, RunsInTheOrderOfTheStream) {
  for (int number = 1; number <= 7; ++number) ASSERT_EQ(append(number, number % 2 == 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(log_, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(StreamCall, ReturnsAfterTheWorkIfItWaits) {
  ASSERT_EQ(append(1), cudaSuccess);
  ASSERT_EQ(append(2, false, true), cudaSuccess);
  EXPECT_EQ(log_, (std::vector<int>{1, 2}));
}

TEST_F(StreamCall, RunsAtOnceInAnIdleStreamIfItIsShort) {
  ASSERT_EQ(append(5, true), cudaSuccess);
  EXPECT_EQ(log_, std::vector<int>{5});
}

TEST_F(StreamCall, EachLaunchOfAGraphRunsIt) {
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(append(3, true), cudaSuccess);
  ASSERT_EQ(append(4), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_TRUE(log_.empty());

  cudaGraphNode_t nodes[2] = {};
  size_t count = 2;
  ASSERT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
  ASSERT_EQ(count, 2u);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  EXPECT_EQ(cudaGraphNodeGetType(nodes[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  cudaKernelNodeParams parameters{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nodes[0], &parameters), cudaErrorNotSupported);
  static_cast<void>(cudaGetLastError());

  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(log_, (std::vector<int>{3, 4, 3, 4}));
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(StreamCall, ACaptureRefusesACallThatWaits) {
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(append(3, false, true), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_TRUE(log_.empty());
  static_cast<void>(cudaGetLastError());
}

TEST_F(StreamCall, DataLiveUntilTheLastRun) {
  const auto shared = std::make_shared<int>(0);
  const auto add = [shared](memory_accesses&) {
    ++*shared;
    return cudaSuccess;
  };
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(stream_call(stream_, {"test_add"}, add), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(shared.use_count(), 3);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(shared.use_count(), 2);
  EXPECT_EQ(*shared, 0);
}

TEST_F(StreamCall, RefusesAStreamThatDoesNotExist) {
  const auto shared = std::make_shared<int>(0);
  const auto add = [shared](memory_accesses&) { return cudaSuccess; };
  int no_stream[64] = {};
  EXPECT_NE(stream_call(reinterpret_cast<cudaStream_t>(no_stream), {"test_add"}, add), cudaSuccess);
  static_cast<void>(cudaGetLastError());
  EXPECT_EQ(shared.use_count(), 2);
}

}  // namespace

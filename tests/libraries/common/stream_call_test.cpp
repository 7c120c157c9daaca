// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library call is an operation of its stream: its order, its errors, captures, and the lifetime of its data.
#include "libraries/common/stream_call.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "cuda_runtime_api.h"

namespace {

using cohort::libraries::bytes_at;
using cohort::libraries::memory_accesses;
using cohort::libraries::memory_rows;
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

// Calls with operands that the library may access, and with operands whose access ends the call with a report.
class LibraryOperand : public StreamCall {
 protected:
  void SetUp() override {
    StreamCall::SetUp();
    ASSERT_EQ(cudaMalloc(&memory_, 1000), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);  // an illegal access remains the device's error until the reset
  }
  // Runs a call with one operand. Returns the error that a synchronisation finds.
  cudaError_t use(const memory_rows& rows, bool writes, bool* went_on) {
    const auto work = [rows, writes, went_on](memory_accesses& memory) {
      *went_on = writes ? memory.writes(rows, "result") : memory.reads(rows, "A");
      return memory.error();
    };
    static_cast<void>(stream_call(stream_, {"test_use"}, work));
    return cudaStreamSynchronize(stream_);
  }
  // Expects an illegal access, and a report that matches the regular expression.
  void expect_refused(const memory_rows& rows, bool writes, const std::string& report) {
    bool went_on = true;
    testing::internal::CaptureStderr();
    const cudaError_t error = use(rows, writes, &went_on);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(error, cudaErrorIllegalAddress) << text;
    EXPECT_FALSE(went_on);
    EXPECT_TRUE(std::regex_search(text, std::regex(report))) << text;
  }
  char* at(size_t offset) const { return static_cast<char*>(memory_) + offset; }

  void* memory_ = nullptr;
};

TEST_F(LibraryOperand, LiveMemoryIsPermitted) {
  bool went_on = false;
  std::vector<char> pageable(100);
  void* pinned = nullptr;
  void* managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  for (void* first : {memory_, pinned, managed, static_cast<void*>(pageable.data())}) {
    for (bool writes : {false, true}) {
      EXPECT_EQ(use(bytes_at(first, 100), writes, &went_on), cudaSuccess);
      EXPECT_TRUE(went_on);
    }
  }
  EXPECT_EQ(use({at(1), 100, 101, 9}, true, &went_on), cudaSuccess);
  EXPECT_EQ(use({at(0), 37, 107, 10}, false, &went_on), cudaSuccess);  // the last row ends at the last byte
  EXPECT_EQ(use({nullptr, 0, 5, 10}, false, &went_on), cudaSuccess);   // a row of no bytes
  EXPECT_EQ(use({nullptr, 5, 5, 0}, true, &went_on), cudaSuccess);
  EXPECT_TRUE(went_on);
}

TEST_F(LibraryOperand, NullPointer) {
  expect_refused(bytes_at(nullptr, 64), false, "test_use reads illegal address .*: a null pointer\n  A: 64 bytes at");
}

TEST_F(LibraryOperand, BytesBehindTheEnd) {
  expect_refused(bytes_at(at(937), 64), true,
                 "test_use writes illegal address 0x[0-9a-f]+: 0 bytes behind the end of 1000 bytes of device memory "
                 "at 0x[0-9a-f]+\n  result: 64 bytes at 0x");
}

TEST_F(LibraryOperand, RowsBehindTheEnd) {
  expect_refused({at(1), 37, 107, 10}, false,
                 "test_use reads illegal address .*\n  A: 10 rows of 37 bytes, 107 bytes apart, at 0x");
}

TEST_F(LibraryOperand, BytesBeforeTheStart) {
  expect_refused(bytes_at(at(0) - 8, 64), false, "test_use reads illegal address .*\n  A: 64 bytes at");
}

TEST_F(LibraryOperand, FreedMemory) {
  char* const freed = at(100);
  ASSERT_EQ(cudaFree(memory_), cudaSuccess);
  expect_refused(bytes_at(freed, 8), true, "byte 100 of 1000 bytes at 0x[0-9a-f]+, which were freed");
}

TEST_F(LibraryOperand, ALaterRangeOfOneCallIsChecked) {
  bool results[3] = {};
  const auto work = [&results, this](memory_accesses& memory) {
    results[0] = memory.reads(bytes_at(at(0), 500), "A");
    results[1] = memory.reads(bytes_at(at(500), 500), "A");
    results[2] = memory.reads(bytes_at(at(500), 501), "A");
    return memory.error();
  };
  static_cast<void>(stream_call(stream_, {"test_use"}, work));
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorIllegalAddress);
  EXPECT_TRUE(results[0] && results[1]);
  EXPECT_FALSE(results[2]);
}

// The memory is freed between two launches of a graph.
TEST_F(LibraryOperand, ALaunchOfAGraphIsChecked) {
  const auto work = [this](memory_accesses& memory) {
    memory.reads(bytes_at(memory_, 1000), "A");
    return memory.error();
  };
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(stream_call(stream_, {"test_use"}, work), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  ASSERT_EQ(cudaFree(memory_), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorIllegalAddress);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: waits of streams for words of memory, and writes of words by streams.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "driver.hpp"

namespace {

using StreamWords = test::driver;
using test::address;

// True if the stream has no work left after 20 ms.
bool stream_is_idle(CUstream s) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return cuStreamQuery(s) == CUDA_SUCCESS;
}

struct comparison {
  unsigned flags;
  uint64_t value;
  uint64_t unmet[2], met[2];
};

// For each comparison: two words at which it does not hold, then two words at which it holds.
const comparison narrow[] = {{CU_STREAM_WAIT_VALUE_GEQ, 5, {4, 0x80000005}, {5, 0x80000004}},
                             {CU_STREAM_WAIT_VALUE_GEQ, 0xfffffffe, {0xfffffffd, 0x80000000}, {0xfffffffe, 3}},
                             {CU_STREAM_WAIT_VALUE_EQ, 7, {6, 8}, {7, 7}},
                             {CU_STREAM_WAIT_VALUE_AND, 0x90, {0x6f, 0}, {0x80, 0x10}},
                             {CU_STREAM_WAIT_VALUE_NOR, 0xfffffff0, {0xf, 0xffffffff}, {0xe, 0}}};
const comparison wide[] = {{CU_STREAM_WAIT_VALUE_GEQ, 5, {4, 0x8000000000000005}, {5, 0x80000005}},
                           {CU_STREAM_WAIT_VALUE_EQ, 0x700000000, {7, 0}, {0x700000000, 0x700000000}},
                           {CU_STREAM_WAIT_VALUE_AND, 0x9000000000, {0x90, 0}, {0x8000000000, 0x1000000000}},
                           {CU_STREAM_WAIT_VALUE_NOR, 0xfffffffffffffff0, {0xf, ~uint64_t{0}}, {0xe, 0}}};

template <class Word>
void expect_waits(const comparison& c, Word* word, CUstream s,
                  CUresult (*wait)(CUstream, CUdeviceptr, Word, unsigned)) {
  std::atomic_ref shared(*word);
  for (int i = 0; i < 2; ++i) {
    shared = static_cast<Word>(c.unmet[i]);
    ASSERT_EQ(CUDA_SUCCESS, wait(s, address(word), static_cast<Word>(c.value), c.flags));
    EXPECT_FALSE(stream_is_idle(s)) << "flags " << c.flags << ", word " << c.unmet[i];
    shared = static_cast<Word>(c.met[i]);
    EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s)) << "flags " << c.flags << ", word " << c.met[i];
  }
}

TEST_F(StreamWords, AllComparisons) {
  CUstream s = stream();
  for (const comparison& c : narrow) expect_waits(c, managed<uint32_t>(1), s, cuStreamWaitValue32);
  for (const comparison& c : wide) expect_waits(c, managed<uint64_t>(1), s, cuStreamWaitValue64);
}

TEST_F(StreamWords, StreamsAreOrdered) {
  CUstream first = stream(), second = stream();
  uint32_t* const flag = managed<uint32_t>(1);
  uint64_t* const wide_flag = managed<uint64_t>(1);
  int* const data = managed<int>(1000);
  // The second stream copies only after the first one has filled.
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWaitValue32(second, address(flag), 3, CU_STREAM_WAIT_VALUE_EQ));
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoDAsync(address(data), address(data + 500), 2000, second));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWriteValue64(second, address(wide_flag), 0x123456789a, 0));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWaitValue64(first, address(wide_flag), 0x123456789a, CU_STREAM_WAIT_VALUE_EQ));
  EXPECT_FALSE(stream_is_idle(first));
  CUstream third = stream();
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32Async(address(data + 500), 9, 500, third));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamWriteValue32(third, address(flag), 3, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(first));
  for (int i = 0; i < 500; ++i) ASSERT_EQ(9, data[i]);
}

TEST_F(StreamWords, Batches) {
  CUstream s = stream();
  uint32_t* const words = managed<uint32_t>(4);
  CUstreamBatchMemOpParams list[4] = {};
  list[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, address(words), {}, 0, 0};
  list[0].writeValue.value = 11;
  list[1].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEMORY_BARRIER_TYPE_GPU};
  list[2].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_32, address(words + 1), {}, CU_STREAM_WAIT_VALUE_EQ, 0};
  list[2].waitValue.value = 1;
  list[3].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_64, address(words + 2), {}, 0, 0};
  list[3].writeValue.value64 = 0x500000006;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBatchMemOp(s, 4, list, 0));
  EXPECT_FALSE(stream_is_idle(s));
  EXPECT_EQ(11u, words[0]);
  EXPECT_EQ(0u, words[2]);
  std::atomic_ref<uint32_t>(words[1]).store(1);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  EXPECT_EQ(6u, words[2]);
  EXPECT_EQ(5u, words[3]);

  // A captured batch becomes one node, and each launch of the graph repeats it.
  ASSERT_EQ(CUDA_SUCCESS, cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamBatchMemOp(s, 1, list, 0));
  CUgraph graph = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamEndCapture(s, &graph));
  CUgraphNode node = nullptr;
  size_t count = 1;
  EXPECT_EQ(CUDA_SUCCESS, cuGraphGetNodes(graph, &node, &count));
  CUgraphNodeType type{};
  EXPECT_EQ(CUDA_SUCCESS, cuGraphNodeGetType(node, &type));
  EXPECT_EQ(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, type);
  CUgraphExec launched = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuGraphInstantiateWithFlags(&launched, graph, 0));
  for (int i = 0; i < 2; ++i) {
    words[0] = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuGraphLaunch(launched, s));
    EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
    EXPECT_EQ(11u, words[0]);
  }
  EXPECT_EQ(CUDA_SUCCESS, cuGraphExecDestroy(launched));
  EXPECT_EQ(CUDA_SUCCESS, cuGraphDestroy(graph));
}

TEST_F(StreamWords, WrongCallsAreRefused) {
  CUstream s = stream();
  uint32_t* const words = managed<uint32_t>(4);
  uint32_t pageable = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, address(words), 1, 4));
  const unsigned flush = CU_STREAM_WAIT_VALUE_FLUSH;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32(s, address(words), 0, flush | CU_STREAM_WAIT_VALUE_EQ));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue64(s, address(words), 0, flush));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, address(words), 0, flush | 4));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, address(words) + 2, 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(s, address(words + 1), 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, address(&pageable), 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(s, address(words), 0, 2));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(s, 0, 0, 0));
  CUstreamBatchMemOpParams list[1] = {};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 1, list, 0));
  list[0].memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, 0};
  EXPECT_EQ(CUDA_SUCCESS, cuStreamBatchMemOp(s, 1, list, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 1, list, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 0, list, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 257, list, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 1, nullptr, 0));
  list[0].flushRemoteWrites = {CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, 0};
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuStreamBatchMemOp(s, 1, list, 0));
  list[0].flushRemoteWrites.flags = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 1, list, 0));
  int flushes = 1;
  EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&flushes, CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 0));
  EXPECT_EQ(0, flushes);
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  for (CUdevice_attribute a :
       {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR}) {
    int value = 0;
    EXPECT_EQ(CUDA_SUCCESS, cuDeviceGetAttribute(&value, a, 0));
    EXPECT_EQ(1, value);
  }
}

}  // namespace

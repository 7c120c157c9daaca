// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API: copies in batches.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "driver.hpp"

#undef cuMemcpyBatchAsync

// The form of CUDA 12.8, which no header declares.
extern "C" CUresult cuMemcpyBatchAsync(CUdeviceptr*, CUdeviceptr*, size_t*, size_t, CUmemcpyAttributes*, size_t*,
                                       size_t, size_t*, CUstream);

namespace {

using BatchCopy = test::driver;
using test::address;

struct batch {
  std::vector<int> pageable = std::vector<int>(30);
  CUdeviceptr device = 0;
  std::vector<int> result = std::vector<int>(30);
  CUdeviceptr to[3], from[3];
  size_t sizes[3] = {40, 36, 4}, first[2] = {0, 1};
  CUmemcpyAttributes attributes[2] = {};

  batch() {
    for (int i = 0; i < 30; ++i) pageable[static_cast<size_t>(i)] = i + 1;
    EXPECT_EQ(CUDA_SUCCESS, cuMemAlloc(&device, 120));
    EXPECT_EQ(CUDA_SUCCESS, cuMemsetD32(device, 0, 30));
    for (size_t i = 0; i < 3; ++i) {
      to[i] = device + i * 40;
      from[i] = address(pageable.data() + i * 10);
    }
    attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    attributes[1].flags = CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
  }
  CUresult copy(CUstream s) { return cuMemcpyBatchAsync_v2(to, from, sizes, 3, attributes, first, 2, s); }
  void read() { EXPECT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(result.data(), device, 120)); }
};

TEST_F(BatchCopy, OfRanges) {
  CUstream s = stream();
  batch b;
  ASSERT_EQ(CUDA_SUCCESS, b.copy(s));
  b.pageable.assign(30, -1);  // the call has read its sources before it returned
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  b.read();
  for (int i = 0; i < 30; ++i) {
    const bool copied = i < 10 || (i >= 10 && i < 19) || i == 20;
    EXPECT_EQ(copied ? i + 1 : 0, b.result[static_cast<size_t>(i)]) << i;
  }
}

// A source of each kind, in a stream that waits until the sources have changed.
TEST_F(BatchCopy, SourcesAreReadDuringTheCall) {
  CUstream s = nullptr, other = nullptr;
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  uint32_t* const word = managed<uint32_t>(1);
  constexpr size_t bytes = 1 << 20;
  std::vector<unsigned char> pageable(bytes, 1);
  void* pinned = nullptr;
  CUdeviceptr device = 0, to = 0;
  ASSERT_EQ(CUDA_SUCCESS, cuMemHostAlloc(&pinned, bytes, 0));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&device, bytes));
  ASSERT_EQ(CUDA_SUCCESS, cuMemAlloc(&to, 3 * bytes));
  std::memset(pinned, 2, bytes);
  ASSERT_EQ(CUDA_SUCCESS, cuMemsetD8(device, 3, bytes));
  ASSERT_EQ(CUDA_SUCCESS, cuStreamSynchronize(nullptr));  // the fill is asynchronous
  ASSERT_EQ(CUDA_SUCCESS, cuStreamWaitValue32(s, address(word), 1, CU_STREAM_WAIT_VALUE_EQ));
  std::atomic<bool> returned{false};
  std::thread writer([&] {
    for (int i = 0; i < 5000 && !returned; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(returned) << "the call waits for the stream";
    std::atomic_ref<uint32_t>(*word).store(1);
  });
  CUdeviceptr targets[] = {to, to + bytes, to + 2 * bytes};
  CUdeviceptr sources[] = {address(pageable.data()), address(pinned), device};
  size_t sizes[] = {bytes, bytes, bytes}, first = 0;
  CUmemcpyAttributes attributes{};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  EXPECT_EQ(CUDA_SUCCESS, cuMemcpyBatchAsync_v2(targets, sources, sizes, 3, &attributes, &first, 1, s));
  std::fill(pageable.begin(), pageable.end(), static_cast<unsigned char>(9));
  std::memset(pinned, 9, bytes);
  EXPECT_EQ(CUDA_SUCCESS, cuMemsetD8Async(device, 9, bytes, other));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(other));
  returned = true;
  writer.join();
  EXPECT_EQ(CUDA_SUCCESS, cuCtxSynchronize());
  std::vector<unsigned char> result(3 * bytes);
  ASSERT_EQ(CUDA_SUCCESS, cuMemcpyDtoH(result.data(), to, 3 * bytes));
  for (size_t i = 0; i < 3 * bytes; i += 1001) ASSERT_EQ(i / bytes + 1, result[i]) << i;
}

TEST_F(BatchCopy, WrongBatchesAreRefused) {
  CUstream s = stream();
  batch b;
  const auto refused = [&](CUresult error) {
    EXPECT_EQ(error, b.copy(s));
    b.read();
    EXPECT_EQ(std::vector<int>(30), b.result) << "no copy is made";
  };
  b.to[2] = b.device + 118;
  refused(CUDA_ERROR_INVALID_VALUE);
  size_t failed = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemcpyBatchAsync(b.to, b.from, b.sizes, 3, b.attributes, b.first, 2, &failed, s));
  EXPECT_EQ(SIZE_MAX, failed);
  b.to[2] = b.device + 80;
  b.sizes[1] = 0;
  refused(CUDA_ERROR_INVALID_VALUE);
  b.sizes[1] = 36;
  b.first[1] = 0;
  refused(CUDA_ERROR_INVALID_VALUE);
  b.first[1] = 3;
  refused(CUDA_ERROR_INVALID_VALUE);
  b.first[1] = 1;
  b.attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
  refused(CUDA_ERROR_INVALID_VALUE);
  b.attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
  b.attributes[1].flags = 2;
  refused(CUDA_ERROR_INVALID_VALUE);
  b.attributes[1].flags = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, b.copy(nullptr)) << "the legacy default stream";
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpyBatchAsync_v2(b.to, b.from, b.sizes, 0, b.attributes, b.first, 2, s));
  EXPECT_EQ(CUDA_SUCCESS, b.copy(s));
}

TEST_F(BatchCopy, OfBoxes) {
  CUstream s = stream();
  unsigned char* const from = managed<unsigned char>(7 * 5 * 3);
  unsigned char* const to = managed<unsigned char>(9 * 6 * 3);
  for (int i = 0; i < 7 * 5 * 3; ++i) from[i] = static_cast<unsigned char>(i + 1);
  CUDA_MEMCPY3D_BATCH_OP list[2] = {};
  for (CUDA_MEMCPY3D_BATCH_OP& op : list) {
    op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  }
  list[0].src.op.ptr = {address(from), 7, 5, {}};
  list[0].dst.op.ptr = {address(to), 9, 6, {}};
  list[0].extent = {4, 3, 2};
  list[1].src.op.ptr = {address(from), 0, 0, {}};
  list[1].dst.op.ptr = {address(to + 2 * 54), 0, 0, {}};
  list[1].extent = {5, 2, 1};
  ASSERT_EQ(CUDA_SUCCESS, cuMemcpy3DBatchAsync_v2(2, list, 0, s));
  EXPECT_EQ(CUDA_SUCCESS, cuStreamSynchronize(s));
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 9; ++x) {
        const bool inside = x < 4 && y < 3;
        EXPECT_EQ(inside ? (z * 5 + y) * 7 + x + 1 : 0, to[(z * 6 + y) * 9 + x]);
      }
    }
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(i + 1, to[108 + i]);
  const auto refused = [&](CUresult error, auto&& change) {
    CUDA_MEMCPY3D_BATCH_OP op = list[0];
    change(op);
    EXPECT_EQ(error, cuMemcpy3DBatchAsync_v2(1, &op, 0, s));
  };
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.src.type = CU_MEMCPY_OPERAND_TYPE_ARRAY; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.dst.type = static_cast<CUmemcpy3DOperandType>(9); });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.src.op.ptr.rowLength = 3; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.src.op.ptr.layerHeight = 2; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.extent.depth = 0; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.extent.depth = 9; });
  refused(CUDA_ERROR_INVALID_VALUE, [](auto& op) { op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID; });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync_v2(1, list, 1, s));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DBatchAsync_v2(0, list, 0, s));
}

}  // namespace

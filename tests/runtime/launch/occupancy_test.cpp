// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cuda_occupancy.h: GPUs and kernels whose occupancy is computed by hand, and the two searches against
// a search over all values.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

constexpr size_t KiB = 1024;

cudaOccDeviceProp gpu(int compute) {
  cudaOccDeviceProp p;
  p.computeMajor = compute / 10;
  p.computeMinor = compute % 10;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiprocessor = compute == 75 ? 1024 : compute == 86 || compute == 120 ? 1536 : 2048;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.sharedMemPerBlock = 48 * KiB;
  p.sharedMemPerMultiprocessor = (compute == 75 ? 64 : compute == 80 ? 164 : compute == 90 ? 228 : 100) * KiB;
  p.numSms = 100;
  p.reservedSharedMemPerBlock = compute == 75 ? 0 : 1024;
  p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor - p.reservedSharedMemPerBlock;
  return p;
}

cudaOccFuncAttributes kernel(int registers, size_t shared, size_t most_dynamic = 0) {
  cudaOccFuncAttributes f;
  f.maxThreadsPerBlock = 1024;
  f.numRegs = registers;
  f.sharedSizeBytes = shared;
  f.shmemLimitConfig = most_dynamic > 0 ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  f.maxDynamicSharedSizeBytes = most_dynamic;
  return f;
}

cudaOccResult occupancy(int compute, const cudaOccFuncAttributes& f, int block, size_t dynamic = 0, int carveout = -1) {
  const cudaOccDeviceProp p = gpu(compute);
  cudaOccDeviceState s;
  s.carveoutConfig = carveout;
  cudaOccResult result;
  EXPECT_EQ(CUDA_OCC_SUCCESS, cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &f, &s, block, dynamic));
  return result;
}

void expect(const cudaOccResult& result, int blocks, unsigned factors) {
  EXPECT_EQ(blocks, result.activeBlocksPerMultiprocessor);
  EXPECT_EQ(factors, result.limitingFactors);
}

TEST(Occupancy, Threads) {
  expect(occupancy(80, kernel(32, 0), 256), 8, OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS);  // 64 warps / 8
  expect(occupancy(86, kernel(16, 0), 256), 6, OCC_LIMIT_WARPS);
  expect(occupancy(75, kernel(16, 0), 1024), 1, OCC_LIMIT_WARPS);
  expect(occupancy(80, kernel(16, 0), 33), 32,
         OCC_LIMIT_WARPS | OCC_LIMIT_BLOCKS);  // a warp of one thread counts as a full one
  expect(occupancy(80, kernel(16, 0), 1025), 0, OCC_LIMIT_WARPS);
}

TEST(Occupancy, Blocks) {
  expect(occupancy(75, kernel(16, 0), 32), 16, OCC_LIMIT_BLOCKS);
  expect(occupancy(80, kernel(16, 0), 32), 32, OCC_LIMIT_BLOCKS);
  expect(occupancy(86, kernel(16, 0), 32), 16, OCC_LIMIT_BLOCKS);
  expect(occupancy(120, kernel(16, 0), 32), 24, OCC_LIMIT_BLOCKS | OCC_LIMIT_BARRIERS);
}

TEST(Occupancy, Registers) {
  // 33 registers of 32 threads are 5 units of 256. A quarter of the file, 64 units, holds 12 such warps.
  expect(occupancy(90, kernel(33, 0), 128), 12, OCC_LIMIT_REGISTERS);
  expect(occupancy(90, kernel(255, 0), 256), 1, OCC_LIMIT_REGISTERS);
  expect(occupancy(90, kernel(168, 0), 384), 1, OCC_LIMIT_REGISTERS);
  expect(occupancy(90, kernel(128, 0), 1024), 0, OCC_LIMIT_REGISTERS);  // the block needs 131072 registers
  EXPECT_EQ(5 * 256 * 4, occupancy(90, kernel(33, 0), 128).allocatedRegistersPerBlock);
}

TEST(Occupancy, SharedMemory) {
  // Blocks take 1 KiB more than they use, in units of 128 bytes.
  expect(occupancy(80, kernel(16, 40 * KiB), 64), 4, OCC_LIMIT_SHARED_MEMORY);  // 4 * 41 = 164
  expect(occupancy(80, kernel(16, 40 * KiB + 1), 64), 3, OCC_LIMIT_SHARED_MEMORY);
  EXPECT_EQ(41 * KiB + 128, occupancy(80, kernel(16, 40 * KiB + 1), 64).allocatedSharedMemPerBlock);
  expect(occupancy(75, kernel(16, 40 * KiB), 64), 1, OCC_LIMIT_SHARED_MEMORY);
  expect(occupancy(90, kernel(16, 0), 64, 48 * KiB + 1), 0, OCC_LIMIT_SHARED_MEMORY);
  expect(occupancy(90, kernel(16, 0, 227 * KiB), 64, 48 * KiB + 1), 4, OCC_LIMIT_SHARED_MEMORY);
  expect(occupancy(90, kernel(16, 0, 227 * KiB), 64, 227 * KiB), 1, OCC_LIMIT_SHARED_MEMORY);
  expect(occupancy(90, kernel(16, 0, 100 * KiB), 64, 100 * KiB + 1), 0, OCC_LIMIT_SHARED_MEMORY);
}

TEST(Occupancy, Carveout) {
  expect(occupancy(80, kernel(16, 7 * KiB), 64, 0, 50), 12, OCC_LIMIT_SHARED_MEMORY);  // 82 KiB round up to 100
  expect(occupancy(80, kernel(16, 7 * KiB), 64, 0, 0), 1, OCC_LIMIT_SHARED_MEMORY);    // a carveout of 8 KiB
  expect(occupancy(80, kernel(16, 20 * KiB), 64, 0, 0), 1, OCC_LIMIT_SHARED_MEMORY);   // 32 KiB, as a block needs 21
}

TEST(Occupancy, Barriers) {
  cudaOccFuncAttributes f = kernel(16, 0);
  f.numBlockBarriers = 16;
  expect(occupancy(90, f, 64), 4, OCC_LIMIT_BARRIERS);
  expect(occupancy(80, f, 64), 32, OCC_LIMIT_WARPS | OCC_LIMIT_BLOCKS);
}

TEST(Occupancy, WrongArguments) {
  const cudaOccDeviceState s;
  const cudaOccFuncAttributes f = kernel(32, 0);
  cudaOccDeviceProp p = gpu(90);
  cudaOccResult result;
  EXPECT_EQ(CUDA_OCC_ERROR_INVALID_INPUT, cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &f, &s, 0, 0));
  EXPECT_EQ(CUDA_OCC_ERROR_INVALID_INPUT, cudaOccMaxActiveBlocksPerMultiprocessor(nullptr, &p, &f, &s, 32, 0));
  p.computeMajor = 77;
  EXPECT_EQ(CUDA_OCC_ERROR_UNKNOWN_DEVICE, cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &f, &s, 32, 0));
  p = gpu(90);
  p.warpSize = 0;
  EXPECT_EQ(CUDA_OCC_ERROR_INVALID_INPUT, cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &f, &s, 32, 0));
}

TEST(Occupancy, PotentialBlockSize) {
  const cudaOccDeviceState s;
  for (const int compute : {75, 80, 86, 90}) {
    for (const int registers : {16, 33, 72, 255}) {
      for (const int most : {1024, 1000, 97}) {
        const cudaOccDeviceProp p = gpu(compute);
        cudaOccFuncAttributes f = kernel(registers, 1000);
        f.maxThreadsPerBlock = most;
        const auto bytes = [](int size) { return static_cast<size_t>(size) * 40; };
        int grid = 0, block = 0, most_threads = 0;
        ASSERT_EQ(CUDA_OCC_SUCCESS,
                  cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &block, &p, &f, &s, bytes));
        const auto threads = [&](int size) {
          return size * occupancy(compute, f, size, bytes(size)).activeBlocksPerMultiprocessor;
        };
        for (int size = 32; size <= most; size += 32) most_threads = std::max(most_threads, threads(size));
        EXPECT_GE(threads(block), most_threads) << compute << ' ' << registers << ' ' << most;
        EXPECT_EQ(grid, threads(block) / block * 100);
      }
    }
  }
}

TEST(Occupancy, AvailableSharedMemory) {
  for (const int carveout : {-1, 50}) {
    cudaOccDeviceState s;
    s.carveoutConfig = carveout;
    const cudaOccDeviceProp p = gpu(90);
    const cudaOccFuncAttributes f = kernel(32, 1000, 200 * KiB);
    for (const int blocks : {1, 2, 3, 5, 16}) {
      size_t bytes = 1;
      ASSERT_EQ(CUDA_OCC_SUCCESS, cudaOccAvailableDynamicSMemPerBlock(&bytes, &p, &f, &s, blocks, 64));
      EXPECT_GE(occupancy(90, f, 64, bytes, carveout).activeBlocksPerMultiprocessor, blocks);
      EXPECT_LT(occupancy(90, f, 64, bytes + 1, carveout).activeBlocksPerMultiprocessor, blocks) << bytes;
    }
    size_t bytes = 77;
    EXPECT_EQ(CUDA_OCC_ERROR_INVALID_INPUT, cudaOccAvailableDynamicSMemPerBlock(&bytes, &p, &f, &s, 3, 1024));
    EXPECT_EQ(77u, bytes);
  }
}

}  // namespace

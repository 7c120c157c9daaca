// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the blocks of a multiprocessor as <cuda_occupancy.h> computes them: compute capability, threads, bytes of
// shared memory, registers, blocks.
#include <cuda_occupancy.h>

#include <cstdio>

int main() {
  struct {
    int major, minor, threads;
    size_t shared, reserved;
  } const rows[] = {{7, 5, 1024, 64, 0},  {8, 0, 2048, 164, 1},  {8, 6, 1536, 100, 1}, {8, 9, 1536, 100, 1},
                    {9, 0, 2048, 228, 1}, {10, 0, 2048, 228, 1}, {12, 0, 1536, 100, 1}};
  for (const auto& row : rows) {
    cudaOccDeviceProp device = {};
    device.computeMajor = row.major;
    device.computeMinor = row.minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = row.threads;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerMultiprocessor = row.shared << 10;
    device.numSms = 100;
    device.sharedMemPerBlockOptin = (row.shared - row.reserved) << 10;
    device.reservedSharedMemPerBlock = row.reserved << 10;
    for (const int threads : {1, 33, 96, 128, 257, 640, 1024}) {
      for (const size_t shared : {0, 1, 3000, 10241, 49152, 101376}) {
        for (const int registers : {16, 33, 64, 97, 255}) {
          cudaOccFuncAttributes function = {};
          function.maxThreadsPerBlock = 1024;
          function.numRegs = registers;
          function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          function.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin;
          function.numBlockBarriers = 1;
          cudaOccDeviceState state = {};
          state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
          cudaOccResult result = {};
          if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads, shared) !=
              CUDA_OCC_SUCCESS) {
            return 1;
          }
          std::printf("%d%d %d %zu %d %d\n", row.major, row.minor, threads, shared, registers,
                      result.activeBlocksPerMultiprocessor);
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the occupancy that cuda_occupancy.h computes for many GPUs, kernels and blocks, a line for each.
#include <cuda_occupancy.h>

#include <cstdio>
#include <initializer_list>

struct gpu {
  int compute, threads;
  size_t shared_kib, reserved_kib;
};
static const gpu gpus[] = {{75, 1024, 64, 0},   {80, 2048, 164, 1},  {86, 1536, 100, 1},  {87, 1536, 164, 1},
                           {89, 1536, 100, 1},  {90, 2048, 228, 1},  {100, 2048, 228, 1}, {103, 2048, 228, 1},
                           {110, 1536, 228, 1}, {120, 1536, 100, 1}, {121, 1536, 100, 1}};

static void print(const gpu& g, int registers, int block, int carveout, size_t shared, size_t dynamic, bool opt_in) {
  cudaOccDeviceProp p;
  p.computeMajor = g.compute / 10;
  p.computeMinor = g.compute % 10;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiprocessor = g.threads;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.sharedMemPerBlock = 49152;
  p.sharedMemPerMultiprocessor = g.shared_kib << 10;
  p.numSms = 100;
  p.sharedMemPerBlockOptin = (g.shared_kib - g.reserved_kib) << 10;
  p.reservedSharedMemPerBlock = g.reserved_kib << 10;
  cudaOccFuncAttributes f;
  f.maxThreadsPerBlock = 1024;
  f.numRegs = registers;
  f.sharedSizeBytes = shared;
  f.shmemLimitConfig = opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  f.maxDynamicSharedSizeBytes = opt_in ? p.sharedMemPerBlockOptin - shared : 0;
  f.numBlockBarriers = 1;
  cudaOccDeviceState s;
  s.carveoutConfig = static_cast<decltype(s.carveoutConfig)>(carveout);
  cudaOccResult r;
  const int error = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, block, dynamic);
  int grid = 0, best = 0;
  cudaOccMaxPotentialOccupancyBlockSize(&grid, &best, &p, &f, &s, dynamic);
  std::printf(
      "%d, %d registers, %d threads, carveout %d, %zu + %zu bytes, opt-in %d: error %d, %d blocks, limits %x: %d "
      "%d %d %d %d %d, takes %d %zu, best %d %d\n",
      g.compute, registers, block, carveout, shared, dynamic, opt_in, error, r.activeBlocksPerMultiprocessor,
      r.limitingFactors, r.blockLimitRegs, r.blockLimitSharedMem, r.blockLimitWarps, r.blockLimitBlocks,
      r.blockLimitBarriers, r.blockLimitVirtual, r.allocatedRegistersPerBlock, r.allocatedSharedMemPerBlock, grid,
      best);
}

int main() {
  for (const gpu& g : gpus) {
    for (int registers : {1, 24, 32, 33, 64, 96, 128, 168, 255, 256}) {
      for (int block : {1, 32, 33, 96, 256, 288, 640, 1024, 1025}) {
        for (int carveout : {-1, 0, 25, 50, 99, 100}) {
          for (size_t shared : {size_t{0}, size_t{1000}, size_t{16384}}) {
            for (size_t dynamic : {0, 1, 5000, 30000, 49152, 99000, 200000}) {
              for (bool opt_in : {false, true}) print(g, registers, block, carveout, shared, dynamic, opt_in);
            }
          }
        }
      }
    }
  }
}

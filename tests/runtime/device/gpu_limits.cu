// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The virtual device under COHORT_GPU: properties, occupancy and launches are those of the GPU that the argument names.
#include <cooperative_groups.h>
#include <cuda_occupancy.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace cg = cooperative_groups;

int failures = 0;

void expect(bool holds, const std::string& text) {
  if (holds) return;
  ++failures;
  std::printf("not so: %s\n", text.c_str());
}

template <class T, class U>
void expect_equal(T expected, U found, const std::string& text) {
  const auto left = static_cast<long long>(expected);
  const auto right = static_cast<long long>(found);
  expect(left == right, text + ": expected " + std::to_string(left) + ", found " + std::to_string(right));
}

// Properties of GPUs from NVIDIA's documents, written independently of the engine's table.
struct card {
  const char *name, *product;
  int major, minor, multiprocessors, threads, blocks, shared_kib, optin_kib, reserved_bytes, most_cluster, ratio;
  int clock_khz, memory_clock_khz, bus_bits, cache_bytes;
} const cards[] = {
    {"t4", "Tesla T4", 7, 5, 40, 1024, 16, 64, 64, 0, 1, 32, 1590000, 5001000, 256, 4194304},
    {"a100", "A100-SXM4-80GB", 8, 0, 108, 2048, 32, 164, 163, 1024, 1, 2, 1410000, 1593000, 5120, 41943040},
    {"a10", "NVIDIA A10", 8, 6, 72, 1536, 16, 100, 99, 1024, 1, 64, 1695000, 6251000, 384, 6291456},
    {"l4", "NVIDIA L4", 8, 9, 58, 1536, 24, 100, 99, 1024, 1, 64, 2040000, 6251000, 192, 50331648},
    {"h100", "NVIDIA H100", 9, 0, 132, 2048, 32, 228, 227, 1024, 16, 2, 1980000, 2619000, 5120, 52428800},
    {"h200", "NVIDIA H200", 9, 0, 132, 2048, 32, 228, 227, 1024, 16, 2, 1980000, 3201000, 6016, 62914560},
    {"b200", "NVIDIA B200", 10, 0, 148, 2048, 32, 228, 227, 1024, 16, 2, 1965000, 3996000, 8192, 132120576},
    {"rtx5090", "RTX 5090", 12, 0, 170, 1536, 24, 100, 99, 1024, 8, 64, 2407000, 14001000, 512, 100663296},
};

const card* find_card(const char* name) {
  for (const card& each : cards) {
    if (std::strcmp(each.name, name) == 0) return &each;
  }
  return nullptr;
}

__global__ void mark(int* of_block) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = static_cast<int>(blockIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) of_block[blockIdx.x] = memory[blockDim.x - 1] + 1;
}

__global__ void mark_after_grid(int* of_block, int* result) {
  if (threadIdx.x == 0) of_block[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  cg::this_grid().sync();
  if (threadIdx.x == 0) result[blockIdx.x] = of_block[gridDim.x - 1 - blockIdx.x];
}

__global__ void cluster_size(unsigned* result) {
  if (threadIdx.x == 0) result[blockIdx.x] = cg::this_cluster().num_blocks();
}

int attribute(cudaDeviceAttr name) {
  int value = -1;
  cudaDeviceGetAttribute(&value, name, 0);
  return value;
}

void check_properties(const card& c, const cudaDeviceProp& p, bool has_own_size) {
  expect(std::strstr(p.name, c.product), std::string(p.name) + " names the GPU");
  expect_equal(c.major, p.major, "major");
  expect_equal(c.minor, p.minor, "minor");
  expect_equal(has_own_size ? c.multiprocessors : 3, p.multiProcessorCount, "multiprocessors");
  expect_equal(c.threads, p.maxThreadsPerMultiProcessor, "threads of a multiprocessor");
  expect_equal(c.blocks, p.maxBlocksPerMultiProcessor, "blocks of a multiprocessor");
  expect_equal(49152, p.sharedMemPerBlock, "shared memory of a block");
  expect_equal(c.optin_kib * 1024, p.sharedMemPerBlockOptin, "shared memory with opt-in");
  expect_equal(c.shared_kib * 1024, p.sharedMemPerMultiprocessor, "shared memory of a multiprocessor");
  expect_equal(c.reserved_bytes, p.reservedSharedMemPerBlock, "reserved shared memory");
  expect_equal(65536, p.regsPerMultiprocessor, "registers");
  expect_equal(c.most_cluster > 1, p.clusterLaunch, "clusters");
  expect_equal(c.ratio, p.singleToDoublePrecisionPerfRatio, "ratio of float to double");
  expect_equal(c.clock_khz, p.clockRate, "clock");
  expect_equal(c.memory_clock_khz, p.memoryClockRate, "memory clock");
  expect_equal(c.bus_bits, p.memoryBusWidth, "bus");
  expect_equal(c.cache_bytes, p.l2CacheSize, "second cache");
  expect(p.totalGlobalMem > 0 && p.totalGlobalMem <= size_t{256} << 30, "memory");
  expect_equal(p.major, attribute(cudaDevAttrComputeCapabilityMajor), "attribute major");
  expect_equal(p.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount), "attribute multiprocessors");
  expect_equal(p.memoryClockRate, attribute(cudaDevAttrMemoryClockRate), "attribute memory clock");
  expect_equal(p.clusterLaunch, attribute(cudaDevAttrClusterLaunch), "attribute clusters");
}

// The runtime's occupancy against that of <cuda_occupancy.h>, which is a separate implementation.
void check_occupancy(const cudaDeviceProp& p) {
  cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(p.sharedMemPerBlockOptin));
  cudaFuncAttributes known;
  cudaFuncGetAttributes(&known, mark);
  const cudaOccDeviceProp device(p);
  cudaOccFuncAttributes function(known);
  const cudaOccDeviceState state;
  for (const int threads : {1, 32, 33, 100, 256, 257, 640, 1024}) {
    for (const size_t shared : {size_t{0}, size_t{1}, size_t{3000}, size_t{10241}, size_t{49152},
                                p.sharedMemPerBlockOptin, p.sharedMemPerBlockOptin + 1}) {
      cudaOccResult result;
      if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads, shared) !=
          CUDA_OCC_SUCCESS) {
        expect(false, "cuda_occupancy.h knows the device");
        continue;
      }
      int blocks = -1;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mark, threads, shared);
      expect_equal(result.activeBlocksPerMultiprocessor, blocks,
                   "blocks of " + std::to_string(threads) + " threads with " + std::to_string(shared) + " bytes");
    }
  }
}

void check_shared_memory(const cudaDeviceProp& p, int* memory) {
  const auto most = static_cast<int>(p.sharedMemPerBlockOptin);
  expect_equal(cudaErrorInvalidValue, cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
               "more shared memory than the GPU has");
  expect_equal(cudaSuccess, cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, most), "all of it");
  mark<<<5, 96, static_cast<size_t>(most)>>>(memory);
  expect_equal(cudaSuccess, cudaDeviceSynchronize(), "a launch with all of it");
  std::vector<int> found(5);
  cudaMemcpy(found.data(), memory, sizeof(int) * 5, cudaMemcpyDefault);
  for (int i = 0; i < 5; ++i) expect_equal(i + 1, found[static_cast<size_t>(i)], "block");
  mark<<<1, 96, static_cast<size_t>(most) + 1>>>(memory);
  expect_equal(cudaErrorInvalidValue, cudaGetLastError(), "a launch with more");
}

// A kernel that takes all shared memory of a block fills the device with one block for each multiprocessor.
void check_cooperative(const cudaDeviceProp& p, int* memory, int* result) {
  const size_t shared = p.sharedMemPerBlockOptin;
  cudaFuncSetAttribute(mark_after_grid, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mark_after_grid, 33, shared);
  expect_equal(1, blocks, "cooperative blocks of a multiprocessor");
  void* arguments[] = {&memory, &result};
  const auto all = static_cast<unsigned>(p.multiProcessorCount);
  const auto launch = [&](unsigned grid) {
    return cudaLaunchCooperativeKernel(mark_after_grid, dim3(grid), dim3(33), arguments, shared, nullptr);
  };
  expect_equal(cudaSuccess, launch(all), "the largest cooperative grid");
  expect_equal(cudaSuccess, cudaDeviceSynchronize(), "its run");
  std::vector<int> found(all);
  cudaMemcpy(found.data(), result, sizeof(int) * all, cudaMemcpyDefault);
  for (unsigned i = 0; i < all; ++i) expect_equal(all - i, found[i], "block");
  expect_equal(cudaErrorCooperativeLaunchTooLarge, launch(all + 1), "a larger one");
  cudaGetLastError();
}

cudaError_t launch_clusters(unsigned blocks, unsigned* result) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(2 * blocks);
  config.blockDim = dim3(40);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, cluster_size, result);
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

void check_clusters(const card& c, unsigned* result) {
  cudaFuncSetAttribute(cluster_size, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  for (const unsigned blocks : {1u, 2u, 8u, 16u, 32u}) {
    const bool fits = blocks <= static_cast<unsigned>(c.most_cluster);
    expect_equal(fits ? cudaSuccess : cudaErrorInvalidClusterSize, launch_clusters(blocks, result),
                 "a cluster of " + std::to_string(blocks));
    unsigned found = 0;
    cudaMemcpy(&found, result + 2 * blocks - 1, sizeof found, cudaMemcpyDefault);
    if (fits) expect_equal(blocks, found, "blocks of the cluster");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const card* const c = count > 1 ? find_card(arguments[1]) : nullptr;
  if (!c) return 2;
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 2;
  int* memory = nullptr;
  int* result = nullptr;
  cudaMalloc(&memory, 4096);
  cudaMalloc(&result, 4096);
  check_properties(*c, p, count == 2);
  check_occupancy(p);
  check_shared_memory(p, memory);
  check_cooperative(p, memory, result);
  check_clusters(*c, reinterpret_cast<unsigned*>(result));
  std::printf("%s: %d failures\n", c->name, failures);
  return failures ? 1 : 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's errors for refused launches, which are not sticky, and for failed kernels, which are. Also clusters, launches
// over all devices, and the driver API with kernels of this file.
#include <cooperative_groups.h>
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../expect.hpp"

namespace cg = cooperative_groups;

#define EXPECT_CODE(code, call)                                                                                   \
  do {                                                                                                            \
    const int answered = static_cast<int>(call);                                                                  \
    if (answered != (code)) {                                                                                     \
      std::printf("%s:%d: %s is %d, expected %d\n", __FILE__, __LINE__, #call, answered, static_cast<int>(code)); \
      ++failures;                                                                                                 \
    }                                                                                                             \
  } while (0)

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void __cluster_dims__(2) pairs(int* out) {
  __shared__ int value;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
  cluster.sync();
  if (threadIdx.x == 0 && out) out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  cluster.sync();
}
__global__ void sum_of_grid(int* sum, int* seen) {
  if (threadIdx.x == 0) atomicAdd(sum, 1);
  cg::this_grid().sync();
  if (threadIdx.x == 0) seen[blockIdx.x] = *sum;
}
__global__ void sync_grid() { cg::this_grid().sync(); }
__global__ void arrive_at_grid() {
  auto token = cg::this_grid().barrier_arrive();
  cg::this_grid().barrier_wait(static_cast<decltype(token)&&>(token));
}
__global__ void sync_multi_grid() { cg::this_multi_grid().sync(); }
__global__ void bad_tile(unsigned size) { cg::tiled_partition(cg::this_thread_block(), size).sync(); }
__global__ void trap() { __trap(); }
__global__ void break_point() { asm volatile("brkpt;"); }
__device__ int per_device = 7;
__global__ void all_grids(int* sum, int* seen) {
  const auto grids = cg::this_multi_grid();
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(sum, per_device);
  grids.sync();
  if (cg::this_grid().thread_rank() == 0) seen[grids.grid_rank()] = *sum + static_cast<int>(1000 * grids.num_grids());
  if (cg::this_grid().thread_rank() == 0) ++per_device;
}

template <class T>
static T* managed(size_t count) {
  T* memory = nullptr;
  EXPECT_CODE(0, cudaMallocManaged(&memory, count * sizeof(T)));
  std::memset(memory, 0, count * sizeof(T));
  return memory;
}

static int most_blocks(const void* f, int threads, size_t shared = 0) {
  int blocks = 0, sms = 0;
  EXPECT_CODE(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, shared));
  EXPECT_CODE(0, cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return blocks * sms;
}

static cudaError_t cooperative(dim3 grid, dim3 block, size_t shared = 0) {
  return cudaLaunchCooperativeKernel(nothing, grid, block, nullptr, shared);
}

static cudaLaunchAttribute cluster_of(unsigned x, unsigned y = 1, unsigned z = 1) {
  cudaLaunchAttribute a = {};
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim.x = x;
  a.val.clusterDim.y = y;
  a.val.clusterDim.z = z;
  return a;
}

template <class... Arguments>
static cudaError_t with_attributes(std::vector<cudaLaunchAttribute> attributes, dim3 grid, dim3 block,
                                   void (*kernel)(Arguments...), Arguments... values) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  return cudaLaunchKernelEx(&config, kernel, values...);
}

static void cooperative_codes() {
  const int most = most_blocks((const void*)nothing, 128);
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  EXPECT_CODE(0, cooperative(most, 128));
  EXPECT_CODE(720, cooperative(most + 1, 128));
  EXPECT_CODE(720, with_attributes({together}, most + 1, 128, nothing));
  EXPECT_CODE(720, cooperative(1, 32, 49 * 1024));
  EXPECT_CODE(720, cooperative(1, 32, size_t{1} << 30));
  EXPECT_CODE(1, cooperative(1, 1025));
  EXPECT_CODE(1, cooperative(1, 0));
  EXPECT_CODE(1, cooperative(0, 32));
  EXPECT_CODE(1, cooperative(dim3(1, 65536), 32));
  EXPECT_CODE(98, cudaLaunchCooperativeKernel((const void*)nullptr, 1, 32, nullptr, 0, 0));
  EXPECT_CODE(400, cudaLaunchCooperativeKernel((const void*)&failures, 1, 32, nullptr, 0, 0));
  EXPECT_CODE(400, cudaGetLastError());
  EXPECT_CODE(0, cudaGetLastError());
  // A refused launch has no effect.
  int* sum = managed<int>(1);
  int* seen = managed<int>(4);
  void* arguments[] = {&sum, &seen};
  EXPECT_CODE(0, cudaLaunchCooperativeKernel(sum_of_grid, 4, 33, arguments));
  EXPECT_CODE(0, cudaDeviceSynchronize());
  for (int b = 0; b < 4; ++b) EXPECT(seen[b] == 4);
  EXPECT_CODE(0, cudaFree(sum));
  EXPECT_CODE(0, cudaFree(seen));
}

static void plain_codes() {
  nothing<<<1, 1025>>>();
  EXPECT_CODE(9, cudaPeekAtLastError());
  nothing<<<1, 1>>>();  // a successful launch keeps the earlier error
  EXPECT_CODE(9, cudaGetLastError());
  EXPECT_CODE(0, cudaGetLastError());
  nothing<<<dim3(1, 65536), 1>>>();
  EXPECT_CODE(9, cudaGetLastError());
  bounded<<<1, 65>>>();
  EXPECT_CODE(701, cudaGetLastError());
  EXPECT_CODE(98, cudaLaunchKernel((const void*)nullptr, 1, 1, nullptr, 0, 0));
  EXPECT_CODE(98, cudaGetLastError());
  EXPECT_CODE(0, cudaDeviceSynchronize());
}

static void cluster_codes() {
  int value = 0;
  EXPECT_CODE(0, cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  EXPECT(value == 1);
  EXPECT_CODE(0, with_attributes({cluster_of(2)}, 4, 32, nothing));
  EXPECT_CODE(912, with_attributes({cluster_of(2)}, 3, 32, nothing));
  EXPECT_CODE(912, with_attributes({cluster_of(16)}, 16, 32, nothing));
  EXPECT_CODE(912, with_attributes({cluster_of(2, 0)}, 4, 32, nothing));
  EXPECT_CODE(0, cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  EXPECT_CODE(0, with_attributes({cluster_of(16)}, 16, 32, nothing));
  EXPECT_CODE(912, with_attributes({cluster_of(32)}, 32, 32, nothing));
  EXPECT_CODE(912, cudaGetLastError());
  int* out = managed<int>(8);
  pairs<<<3, 32>>>(out);
  EXPECT_CODE(912, cudaGetLastError());
  pairs<<<4, 32>>>(out);
  EXPECT_CODE(0, cudaGetLastError());
  EXPECT_CODE(912, with_attributes({cluster_of(4)}, 4, 32, pairs, out + 4));
  EXPECT_CODE(0, cudaDeviceSynchronize());
  for (int b = 0; b < 4; ++b) EXPECT(out[b] == (b ^ 1) && out[4 + b] == 0);
  // Cooperative launches with clusters, by cudaLaunchKernelEx and by cudaLaunchCooperativeKernel.
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  EXPECT_CODE(0, with_attributes({together, cluster_of(4)}, 4, 32, nothing));
  void* arguments[] = {&out};
  EXPECT_CODE(0, cudaLaunchCooperativeKernel(pairs, 8, 32, arguments));
  EXPECT_CODE(0, cudaDeviceSynchronize());
  for (int b = 0; b < 8; ++b) EXPECT(out[b] == (b ^ 1));
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 64;
  int clusters = 0, size = 0;
  EXPECT_CODE(0, cudaOccupancyMaxActiveClusters(&clusters, pairs, &config));
  EXPECT_CODE(0, cudaOccupancyMaxPotentialClusterSize(&size, pairs, &config));
  EXPECT(size == 2);
  const auto grid = static_cast<unsigned>(clusters) * 2;
  int* none = nullptr;
  EXPECT_CODE(0, with_attributes({together}, grid, 64, pairs, none));
  EXPECT_CODE(720, with_attributes({together}, grid + 2, 64, pairs, none));
  EXPECT_CODE(0, cudaDeviceSynchronize());
  cudaFuncAttributes attributes;
  EXPECT_CODE(0, cudaFuncGetAttributes(&attributes, pairs));
  EXPECT(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 1);
  EXPECT_CODE(800, cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 4));
  EXPECT_CODE(0, cudaFree(out));
  (void)cudaGetLastError();
}

static void multi_device() {
  int count = 0, supported = 0;
  EXPECT_CODE(0, cudaGetDeviceCount(&count));
  EXPECT_CODE(0, cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeMultiDeviceLaunch, 0));
  EXPECT(supported == 1);
  int* sum = managed<int>(1);
  int* seen = managed<int>(static_cast<size_t>(count));
  void* arguments[] = {&sum, &seen};
  std::vector<cudaLaunchParams> grids(static_cast<size_t>(count));
  int expected = 0;
  for (int d = 0; d < count; ++d) {
    EXPECT_CODE(0, cudaSetDevice(d));
    const int value = 1 << d;
    EXPECT_CODE(0, cudaMemcpyToSymbol(per_device, &value, sizeof value));
    expected += value;
    auto& g = grids[static_cast<size_t>(d)];
    g = {(void*)all_grids, dim3(3), dim3(40), arguments, 0, nullptr};
    EXPECT_CODE(0, cudaStreamCreate(&g.stream));
  }
  EXPECT_CODE(0, cudaSetDevice(0));
  const auto n = static_cast<unsigned>(count);
  EXPECT_CODE(0, cudaLaunchCooperativeKernelMultiDevice(grids.data(), n));
  for (auto& g : grids) EXPECT_CODE(0, cudaStreamSynchronize(g.stream));
  for (int d = 0; d < count; ++d) EXPECT(seen[d] == expected + 1000 * count);
  for (int d = 0; d < count; ++d) {
    int value = 0;
    EXPECT_CODE(0, cudaSetDevice(d));
    EXPECT_CODE(0, cudaMemcpyFromSymbol(&value, per_device, sizeof value));
    EXPECT(value == (1 << d) + 1);  // each device has a copy
  }
  EXPECT_CODE(1, cudaLaunchCooperativeKernelMultiDevice(grids.data(), 0));
  EXPECT_CODE(1, cudaLaunchCooperativeKernelMultiDevice(grids.data(), n, 4));
  EXPECT_CODE(
      0, cudaLaunchCooperativeKernelMultiDevice(
             grids.data(), n, cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync));
  for (auto& g : grids) EXPECT_CODE(0, cudaStreamSynchronize(g.stream));
  if (count > 1) {
    auto list = grids;
    list[1].stream = list[0].stream;
    EXPECT_CODE(101, cudaLaunchCooperativeKernelMultiDevice(list.data(), n));
    list = grids;
    list[1].gridDim.x = 2;
    EXPECT_CODE(1, cudaLaunchCooperativeKernelMultiDevice(list.data(), n));
  }
  for (cudaStream_t special : {cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread}) {
    auto list = grids;
    list[0].stream = special;
    EXPECT_CODE(400, cudaLaunchCooperativeKernelMultiDevice(list.data(), n));
  }
  for (auto& g : grids) g.gridDim.x = static_cast<unsigned>(most_blocks((const void*)all_grids, 40)) + 1;
  EXPECT_CODE(720, cudaLaunchCooperativeKernelMultiDevice(grids.data(), n));
  EXPECT_CODE(720, cudaGetLastError());
}

// The driver API with kernels of this file.
static void driver_calls() {
  CUfunction f = nullptr, again = nullptr;
  CUmodule module = nullptr;
  EXPECT_CODE(0, cuInit(0));
  EXPECT_CODE(0, cudaGetFuncBySymbol(&f, sum_of_grid));
  int* sum = managed<int>(1);
  int* seen = managed<int>(4);
  void* arguments[] = {&sum, &seen};
  EXPECT_CODE(0, cuLaunchCooperativeKernel(f, 4, 1, 1, 50, 1, 1, 0, nullptr, arguments));
  EXPECT_CODE(0, cuCtxSynchronize());
  for (int b = 0; b < 4; ++b) EXPECT(seen[b] == 4);
  EXPECT_CODE(0, cuFuncGetModule(&module, f));
  EXPECT_CODE(0, cuModuleGetFunction(&again, module, "_Z11sum_of_gridPiS_"));
  EXPECT(f == again);
  CUdeviceptr address = 0;
  size_t bytes = 0;
  void* symbol = nullptr;
  EXPECT_CODE(0, cuModuleGetGlobal(&address, &bytes, module, "per_device"));
  EXPECT_CODE(0, cudaGetSymbolAddress(&symbol, per_device));
  EXPECT(address == reinterpret_cast<CUdeviceptr>(symbol) && bytes == sizeof(int));
  EXPECT_CODE(500, cuModuleGetGlobal(&address, &bytes, module, "no_such_variable"));
}

// An error in a kernel ends the launch with 719; every later call returns 719 until the reset.
template <class Launch>
static void is_sticky(Launch launch) {
  launch();
  const int early = cudaGetLastError();
  EXPECT(early == 0 || early == 719);  // the kernel runs beside this thread and may have failed already
  EXPECT_CODE(719, cudaDeviceSynchronize());
  void* memory = nullptr;
  EXPECT_CODE(719, cudaMalloc(&memory, 16));
  EXPECT_CODE(719, cudaGetLastError());
  EXPECT_CODE(719, cudaGetLastError());
  nothing<<<1, 1>>>();
  EXPECT_CODE(719, cudaGetLastError());
  EXPECT_CODE(0, cudaDeviceReset());
  nothing<<<1, 1>>>();
  EXPECT_CODE(0, cudaDeviceSynchronize());
  EXPECT_CODE(0, cudaGetLastError());
}

static void sticky_errors() {
  is_sticky([] { sync_grid<<<2, 32>>>(); });
  is_sticky([] { arrive_at_grid<<<2, 32>>>(); });
  is_sticky([] { sync_multi_grid<<<1, 32>>>(); });
  is_sticky([] { EXPECT_CODE(0, cudaLaunchCooperativeKernel(sync_multi_grid, 1, 32, nullptr)); });
  is_sticky([] { bad_tile<<<1, 64>>>(0); });
  is_sticky([] { bad_tile<<<1, 64>>>(3); });
  is_sticky([] { bad_tile<<<1, 64>>>(64); });
  is_sticky([] { trap<<<1, 1>>>(); });
  is_sticky([] { break_point<<<1, 1>>>(); });
}

int main() {
  cooperative_codes();
  plain_codes();
  cluster_codes();
  multi_device();
  EXPECT_CODE(0, cudaSetDevice(0));
  driver_calls();
  sticky_errors();
  std::printf(failures ? "%d failures\n" : "passed\n", failures);
  return failures != 0;
}

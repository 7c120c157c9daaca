// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/device_properties.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime/memory/array/array_limits.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

// One cache line, the unit of transfers between a CPU and its memory.
constexpr int bus_width_bits = 512;
constexpr size_t constant_bytes = size_t{64} << 10;

int read_number(const char* path, const char* format, double factor) {
  double value = 0;
  if (std::FILE* file = std::fopen(path, "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, file) && std::sscanf(line, format, &value) != 1) {
    }
    std::fclose(file);
  }
  return static_cast<int>(value * factor);
}

// The CPU's highest frequency in kHz; 0 if the system does not report it.
int clock_khz() {
  const int highest = read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "%lf", 1);
  return highest > 0 ? highest : read_number("/proc/cpuinfo", "cpu MHz : %lf", 1000);
}

int last_cache_bytes() {
  const long third = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const long second = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return static_cast<int>(std::clamp(third > 0 ? third : second, 0L, static_cast<long>(INT_MAX)));
}

void describe_launches(const cohort_device& device, cudaDeviceProp& p) {
  p.warpSize = device.warp_size;
  p.maxThreadsPerBlock = device.max_threads_per_block;
  for (int axis = 0; axis < 3; ++axis) {
    p.maxThreadsDim[axis] = device.max_block_dim[axis];
    p.maxGridSize[axis] = static_cast<int>(std::min<uint32_t>(device.max_grid_dim[axis], INT_MAX));
  }
  p.multiProcessorCount = device.sm_count;
  p.maxThreadsPerMultiProcessor = device.max_threads_per_sm;
  p.maxBlocksPerMultiProcessor = device.max_blocks_per_sm;
  p.sharedMemPerBlock = device.shared_per_block;
  p.sharedMemPerBlockOptin = device.shared_per_block_optin;
  p.sharedMemPerMultiprocessor = device.shared_per_sm;
  p.reservedSharedMemPerBlock = device.shared_reserved_per_block;
  p.regsPerBlock = device.registers_per_block;
  p.regsPerMultiprocessor = device.registers_per_block;
  p.cooperativeLaunch = 1;
  p.cooperativeMultiDeviceLaunch = 1;
  p.clusterLaunch = device.max_cluster_blocks > 1;
}

void describe_memory(const cohort_device& device, cudaDeviceProp& p) {
  p.totalGlobalMem = device.memory_bytes;
  p.totalConstMem = constant_bytes;
  p.memPitch = INT_MAX;
  p.memoryBusWidth = device.memory_bus_bits ? device.memory_bus_bits : bus_width_bits;
  p.clockRate = device.clock_khz ? device.clock_khz : clock_khz();
  p.l2CacheSize = device.l2_bytes ? device.l2_bytes : last_cache_bytes();
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  // Host and device share one memory and one address space.
  p.integrated = 1;
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.directManagedMemAccessFromHost = 1;
  const bool refuses_pageable = installed_operation_listener && installed_operation_listener->refuses_pageable_memory();
  p.pageableMemoryAccess = refuses_pageable ? 0 : 1;
  p.pageableMemoryAccessUsesHostPageTables = p.pageableMemoryAccess;
  p.hostNativeAtomicSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  p.ipcEventSupported = 1;
}

template <size_t Count>
void write(int (&field)[Count], const image_limits& most) {
  static_assert(Count == 2 || Count == 3);
  field[0] = most.width;
  // A layered 1-D image has no height: its second number is the depth, the number of layers.
  field[1] = Count == 2 && most.height == 0 ? most.depth : most.height;
  if constexpr (Count == 3) field[2] = most.depth;
}

void describe_images(cudaDeviceProp& p) {
  p.textureAlignment = texture_alignment;
  p.texturePitchAlignment = texture_pitch_alignment;
  p.surfaceAlignment = surface_alignment;
  p.maxTexture1D = texture_1d.width;
  p.maxTexture1DMipmap = texture_1d_mipmapped.width;
  p.maxTexture1DLinear = texture_1d_linear_width;
  write(p.maxTexture1DLayered, texture_1d_layered);
  write(p.maxTexture2D, texture_2d);
  write(p.maxTexture2DMipmap, texture_2d_mipmapped);
  write(p.maxTexture2DLinear, {texture_2d_pitched.width, texture_2d_pitched.height, texture_2d_pitch});
  write(p.maxTexture2DGather, texture_2d_gather);
  write(p.maxTexture2DLayered, texture_2d_layered);
  write(p.maxTexture3D, texture_3d);
  write(p.maxTexture3DAlt, texture_3d_alternate);
  p.maxTextureCubemap = texture_cubemap.width;
  write(p.maxTextureCubemapLayered, {texture_cubemap_layered.width, texture_cubemap_layered.depth, 0});
  p.maxSurface1D = surface_1d.width;
  write(p.maxSurface1DLayered, surface_1d_layered);
  write(p.maxSurface2D, surface_2d);
  write(p.maxSurface2DLayered, surface_2d_layered);
  write(p.maxSurface3D, surface_3d);
  p.maxSurfaceCubemap = surface_cubemap.width;
  write(p.maxSurfaceCubemapLayered, {surface_cubemap_layered.width, surface_cubemap_layered.depth, 0});
}

cudaDeviceProp describe(int index) {
  const cohort_device& device = *cohort_device_get(index);
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "%s", device.name);
  std::memcpy(p.uuid.bytes, "cohort-cpu", 10);
  p.uuid.bytes[15] = static_cast<char>(index);
  p.major = device.compute_major;
  p.minor = device.compute_minor;
  p.pciDeviceID = index;
  p.computeMode = cudaComputeModeDefault;
  describe_launches(device, p);
  describe_memory(device, p);
  describe_images(p);
  p.asyncEngineCount = 2;  // copies in both directions overlap with a kernel
  p.deviceOverlap = 1;
  p.streamPrioritiesSupported = 1;
  p.singleToDoublePrecisionPerfRatio = device.float_to_double_ratio;
  return p;
}

}  // namespace

const cudaDeviceProp& known_properties(int device) {
  static const std::vector<cudaDeviceProp> all = [] {
    std::vector<cudaDeviceProp> described;
    described.reserve(static_cast<size_t>(device_count()));
    for (int i = 0; i < device_count(); ++i) described.push_back(describe(i));
    return described;
  }();
  return all[static_cast<size_t>(device)];
}

// The inverse of the formula in CUDA programs: bandwidth = 2 * clock * (width / 8).
int memory_clock() {
  if (const int of_gpu = cohort_device_get(0)->memory_clock_khz; of_gpu) return of_gpu;
  return static_cast<int>(copy_bandwidth() * 1e9 / (2.0 * bus_width_bits / 8) / 1e3);
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return host_call([&] {
    if (!properties) return cudaErrorInvalidValue;
    if (device < 0 || device >= device_count()) return cudaErrorInvalidDevice;
    *properties = known_properties(device);
    properties->memoryClockRate = memory_clock();
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return host_call([&] {
    if (!device || !wanted) return cudaErrorInvalidValue;
    const auto capability = [](const cudaDeviceProp& p) { return p.major * 1000 + p.minor; };
    int best = 0;
    for (int i = 1; i < device_count(); ++i) {
      const int asked = capability(*wanted);
      const int now = capability(known_properties(best));
      const int other = capability(known_properties(i));
      if (now < asked && other > now) best = i;
    }
    *device = best;
    return cudaSuccess;
  });
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch calls of the driver API: cuLaunchKernel and its forms.
#include "runtime/launch/launch.hpp"

#include <bit>
#include <vector>

#include "runtime/driver/function_handle.hpp"
#include "runtime/driver/kernel_parameters.hpp"

namespace cohort::runtime {

namespace {

// A launch configuration with its attributes, in the form of the runtime API.
struct runtime_config {
  explicit runtime_config(const CUlaunchConfig& c) {
    for (unsigned i = 0; c.attrs && i < c.numAttrs; ++i) {
      cudaLaunchAttribute a{};
      a.id = static_cast<cudaLaunchAttributeID>(c.attrs[i].id);
      a.val = std::bit_cast<cudaLaunchAttributeValue>(c.attrs[i].value);
      attributes.push_back(a);
    }
    config.gridDim = dim3(c.gridDimX, c.gridDimY, c.gridDimZ);
    config.blockDim = dim3(c.blockDimX, c.blockDimY, c.blockDimZ);
    config.dynamicSmemBytes = c.sharedMemBytes;
    config.stream = c.hStream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
  }
  std::vector<cudaLaunchAttribute> attributes;
  cudaLaunchConfig_t config{};
};

CUresult check(const CUlaunchConfig* config) {
  return config && (config->attrs || config->numAttrs == 0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// True for the handle of a kernel. A launch of any other handle returns CUDA_ERROR_INVALID_HANDLE, as in CUDA.
bool is_function(CUfunction handle) {
  return handle && with_function(handle, [](function&) { return CUDA_SUCCESS; }) == CUDA_SUCCESS;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                        CUstream stream, void** pointers, void** extra) {
  return context_call([&] {
    if (!is_function(f)) return CUDA_ERROR_INVALID_HANDLE;
    kernel_parameters p;
    const CUresult error = p.take(f, pointers, extra);
    if (error != CUDA_SUCCESS) return error;
    return to_result(cudaLaunchKernel(f, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), p.chosen,
                                      shared_bytes, stream));
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** pointers, void** extra) {
  return context_call([&] {
    if (!is_function(f)) return CUDA_ERROR_INVALID_HANDLE;
    kernel_parameters p;
    CUresult error = check(config);
    if (error == CUDA_SUCCESS) error = p.take(f, pointers, extra);
    if (error != CUDA_SUCCESS) return error;
    const runtime_config c(*config);
    return to_result(cudaLaunchKernelExC(&c.config, f, p.chosen));
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                   unsigned int shared_bytes, CUstream stream, void** pointers) {
  return runtime_call([&] {
    return cudaLaunchCooperativeKernel(f, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), pointers,
                                       shared_bytes, stream);
  });
}

CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* list, unsigned int count, unsigned int flags) {
  return runtime_call([&] {
    if (!list || count == 0 || count > static_cast<unsigned>(device_count())) return cudaErrorInvalidValue;
    std::vector<launch_request> grids;
    for (const CUDA_LAUNCH_PARAMS* p = list; p != list + count; ++p) {
      grids.push_back({p->function, dim3(p->gridDimX, p->gridDimY, p->gridDimZ),
                       dim3(p->blockDimX, p->blockDimY, p->blockDimZ), p->kernelParams, p->sharedMemBytes, p->hStream,
                       true});
    }
    return device_call([&] { return launch_together(grids, flags, nullptr); });
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction f, const CUlaunchConfig* config) {
  return context_call([&] {
    if (const CUresult error = check(config); error != CUDA_SUCCESS) return error;
    const runtime_config c(*config);
    return to_result(cudaOccupancyMaxActiveClusters(clusters, f, &c.config));
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction f, const CUlaunchConfig* config) {
  return context_call([&] {
    if (const CUresult error = check(config); error != CUDA_SUCCESS) return error;
    const runtime_config c(*config);
    return to_result(cudaOccupancyMaxPotentialClusterSize(blocks, f, &c.config));
  });
}

}  // extern "C"

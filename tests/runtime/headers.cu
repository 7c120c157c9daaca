// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers and names that sources for nvcc use. With USE_MISSING or USE_DRIVER: a call that does not exist, which must
// be a compile error.
#include <builtin_types.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cudaTypedefs.h>
#include <cuda_device_runtime_api.h>
#include <cuda_occupancy.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <library_types.h>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>
#include <surface_types.h>
#include <texture_types.h>
#include <cuda_bf16.hpp>
#include <cuda_fp16.hpp>
#include <cuda_fp4.hpp>
#include <cuda_fp6.hpp>
#include <cuda_fp8.hpp>

#if CUDA_VERSION < 12000 || CUDART_VERSION < 12000 || __CUDACC_VER_MAJOR__ < 12
#error "not the version that is promised"
#endif
#if !defined(__CUDACC__) || !defined(__NVCC__)
#error "nvcc's names are missing"
#endif
#if !defined(__cuda_cuda_h__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || \
    !defined(__CUDA_RUNTIME_API_H__)
#error "the names by which headers are found are missing"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error "not the architecture that is promised"
#endif

#ifdef USE_MISSING
const int missing = static_cast<int>(cudaGetExportTable(nullptr, nullptr));
#endif
#ifdef USE_DRIVER
const int driver = static_cast<int>(cuGetExportTable(nullptr));
#endif

// Operations of tensor cores in templates that are not instantiated, as in the headers of libraries.
template <class A, class B, class C>
struct matrix_product {
  __device__ void operator()(C& d, const A& a, const B& b) const { nvcuda::wmma::mma_sync(d, a, b, d); }
};
template <class T>
struct matrix_tile {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, T> sums;
};

// NVTX's results without a profiler.
static bool nvtx_records_nothing() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "event";
  nvtxMark("mark");
  const nvtxRangeId_t range = nvtxRangeStart("range");
  nvtxRangeEnd(range);
  return range == 0 && nvtxRangePush("range") == NVTX_NO_PUSH_POP_TRACKING &&
         nvtxRangePushEx(&event) == NVTX_NO_PUSH_POP_TRACKING && nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING &&
         nvtxDomainCreate("domain") == nullptr;
}

// Allocations through pointers to const.
static bool allocates_constants() {
  const float* memory = nullptr;
  const int* managed = nullptr;
  size_t pitch = 0;
  if (cudaMalloc(&memory, 64) != cudaSuccess || cudaFree(const_cast<float*>(memory)) != cudaSuccess) return false;
  if (cudaMallocPitch(&memory, &pitch, 64, 3) != cudaSuccess || cudaFree(const_cast<float*>(memory)) != cudaSuccess)
    return false;
  return cudaMallocManaged(&managed, 64) == cudaSuccess && cudaFree(const_cast<int*>(managed)) == cudaSuccess;
}

int main() {
  if (!nvtx_records_nothing() || !allocates_constants()) return 1;
  cudaDeviceProp properties;
  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.major >= 6 ? 0 : 1;
}

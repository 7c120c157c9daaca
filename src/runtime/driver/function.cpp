// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions: attributes and occupancy. A CUfunction is a cudaFunction_t, which calls of the runtime API accept as a
// kernel.
#include "runtime/driver/function_attribute.hpp"

#include "cudart_detail/api/occupancy_templates.h"
#include "runtime/driver/function_handle.hpp"
#include "runtime/launch/function_attributes.hpp"

namespace cohort::runtime {

CUresult read_function_attribute(function& f, int device, CUfunction_attribute attribute, int* value) {
  const cudaFuncAttributes a = describe_function(f, device);
  // The attributes, in the order of their numbers in CUfunction_attribute.
  const int values[] = {a.maxThreadsPerBlock,
                        static_cast<int>(a.sharedSizeBytes),
                        static_cast<int>(a.constSizeBytes),
                        static_cast<int>(a.localSizeBytes),
                        a.numRegs,
                        a.ptxVersion,
                        a.binaryVersion,
                        a.cacheModeCA,
                        a.maxDynamicSharedSizeBytes,
                        a.preferredShmemCarveout,
                        a.clusterDimMustBeSet,
                        a.requiredClusterWidth,
                        a.requiredClusterHeight,
                        a.requiredClusterDepth,
                        a.nonPortableClusterSizeAllowed,
                        a.clusterSchedulingPolicyPreference};
  static_assert(sizeof values / sizeof *values == CU_FUNC_ATTRIBUTE_MAX);
  if (!value || attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
  *value = values[attribute];
  return CUDA_SUCCESS;
}

namespace {

// Calls `body(function&)` in the current context. CUDA_ERROR_INVALID_HANDLE for an unknown function.
template <class Body>
CUresult function_call(CUfunction handle, Body&& body) {
  return context_call([&] { return with_function(handle, body); });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  return context_call([&] {
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    return function_call(
        handle, [&](function& f) { return read_function_attribute(f, current_device().index, attribute, value); });
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return runtime_call([&] { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return runtime_call([&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return runtime_call([&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}

// Modules are loaded as a whole.
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  return function_call(handle, [&](function&) {
    if (!state) return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction handle) {
  return function_call(handle, [](function&) { return CUDA_SUCCESS; });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return runtime_call([&] { return cudaFuncGetName(name, function); });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return runtime_call([&] { return cudaFuncGetParamInfo(function, index, offset, bytes); });
}

CUresult cuFuncGetParamCount(CUfunction function, size_t* count) {
  return runtime_call([&] { return cudaFuncGetParamCount(function, count); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t dynamic_bytes) {
  return runtime_call(
      [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_bytes); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t dynamic_bytes, unsigned int flags) {
  return runtime_call([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_bytes, flags);
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize dynamic_bytes_of, size_t dynamic_bytes, int limit,
                                                   unsigned int flags) {
  return runtime_call([&] {
    const auto bytes_of = [&](int threads) { return dynamic_bytes_of ? dynamic_bytes_of(threads) : dynamic_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, bytes_of, limit, flags);
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize dynamic_bytes_of, size_t dynamic_bytes, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, dynamic_bytes_of, dynamic_bytes, limit,
                                                   CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_bytes, CUfunction function, int blocks, int threads) {
  return runtime_call(
      [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(dynamic_bytes, function, blocks, threads); });
}

}  // extern "C"

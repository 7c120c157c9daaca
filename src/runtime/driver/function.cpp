// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and modules of this program. A CUfunction is a cudaFunction_t, which calls of the runtime API accept as a
// kernel.
#include <cstdio>

#include "../module/symbol_table.hpp"
#include "call.hpp"
#include "cudart_detail/api/occupancy_templates.h"

namespace cohort::runtime {

namespace {

const cohort_module* module_of(CUmodule handle) { return reinterpret_cast<const cohort_module*>(handle); }

CUresult refuse_image(const char* call, CUmodule* module) {
  return ready_call([&] {
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    std::fprintf(stderr,
                 "cohort: %s: PTX, cubins and fat binaries are code of a GPU and cannot run here: compile the kernels "
                 "with cohortcc into the program, and take them from it with cudaGetFuncBySymbol\n",
                 call);
    return CUDA_ERROR_INVALID_IMAGE;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char*) { return refuse_image("cuModuleLoad", module); }
CUresult cuModuleLoadData(CUmodule* module, const void*) { return refuse_image("cuModuleLoadData", module); }
CUresult cuModuleLoadFatBinary(CUmodule* module, const void*) { return refuse_image("cuModuleLoadFatBinary", module); }

CUresult cuModuleUnload(CUmodule module) {
  return context_call([&] {
    return symbol_table::instance().is_module(module_of(module)) ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return context_call([&] {
    function* f = nullptr;
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = symbol_table::instance().find_function(handle, &f);
    if (error != cudaSuccess) return to_result(error);
    const cohort_module* const found = symbol_table::instance().module_of(*f);
    *module = reinterpret_cast<CUmodule>(const_cast<cohort_module*>(found));
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuModuleGetFunction(CUfunction* found, CUmodule module, const char* name) {
  return context_call([&] {
    if (!found || !name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    function* f = nullptr;
    const cudaError_t error = symbol_table::instance().find_function_in(*module_of(module), name, &f);
    if (error == cudaSuccess) *found = reinterpret_cast<CUfunction>(f);
    return error == cudaErrorSymbolNotFound ? CUDA_ERROR_NOT_FOUND : to_result(error);
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return context_call([&] {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    variable v;
    const int device = current_device().index;
    if (!symbol_table::instance().find_variable_in(*module_of(module), name, device, &v)) return CUDA_ERROR_NOT_FOUND;
    if (address) *address = address_of(v.address);
    if (bytes) *bytes = v.bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return context_call([&] {
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    cudaFuncAttributes a;
    const cudaError_t error = cudaFuncGetAttributes(&a, function);
    if (error != cudaSuccess) return to_result(error);
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
    if (attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return runtime_call([&] { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return runtime_call([&] { return cudaFuncGetName(name, function); });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return runtime_call([&] { return cudaFuncGetParamInfo(function, index, offset, bytes); });
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

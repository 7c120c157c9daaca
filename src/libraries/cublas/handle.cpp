// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, their modes and streams, versions, and the texts of statuses.
#include <cublas_api.h>
#include <cuda_runtime_api.h>

#include <cstdio>

#include "libraries/common/refusal.hpp"
#include "libraries/common/statuses.hpp"
#include "libraries/common/version_part.hpp"
#include "libraries/cublas/call.hpp"
#include "libraries/cublas/openblas.hpp"

namespace cohort::cublas {

namespace {

constexpr libraries::status_text<cublasStatus_t> texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a required feature"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to device memory failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a license is missing"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "<unknown>", "unknown status"},
};

bool is_math_mode(cublasMath_t mode) {
  switch (mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) {
    case CUBLAS_DEFAULT_MATH:
    case CUBLAS_TENSOR_OP_MATH:
    case CUBLAS_PEDANTIC_MATH:
    case CUBLAS_TF32_TENSOR_OP_MATH:
    case CUBLAS_FP32_EMULATED_BF16X9_MATH:
    case CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH:
      return true;
    default:
      return false;
  }
}

}  // namespace

cublasStatus_t refuse(const char* name, const char* reason) {
  libraries::report_refusal(name, reason);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!has_openblas()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (cudaFree(nullptr) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  return statuses.create(handle);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  const cublasStatus_t status = statuses.destroy(handle, CUBLAS_STATUS_NOT_INITIALIZED);
  if (status == CUBLAS_STATUS_SUCCESS) cudaDeviceSynchronize();  // NVIDIA's function waits for the device, too
  return status;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (!value) return CUBLAS_STATUS_INVALID_VALUE;
  return cohort::libraries::read_version_part(parts, type, value) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

size_t cublasGetCudartVersion() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? static_cast<size_t>(version) : 0;
}

// OpenBLAS has work space of its own. A program's may lie anywhere in device memory, with the alignment of cudaMalloc.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return reinterpret_cast<uintptr_t>(workspace) % 256 == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return statuses.set(handle, &cublasContext::stream, stream, true);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return statuses.get(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return statuses.set(handle, &cublasContext::pointer_mode, mode,
                      mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return statuses.get(handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return statuses.set(handle, &cublasContext::atomics, mode,
                      mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return statuses.get(handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return statuses.set(handle, &cublasContext::math, mode, is_math_mode(mode));
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return statuses.get(handle, &cublasContext::math, mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return statuses.set(handle, &cublasContext::sm_count, count, count >= 0);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return statuses.get(handle, &cublasContext::sm_count, count);
}
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle, cublasEmulationStrategy_t strategy) {
  return statuses.set(handle, &cublasContext::emulation, strategy,
                      strategy >= CUBLAS_EMULATION_STRATEGY_DEFAULT && strategy <= CUBLAS_EMULATION_STRATEGY_EAGER);
}
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle, cublasEmulationStrategy_t* strategy) {
  return statuses.get(handle, &cublasContext::emulation, strategy);
}

const char* cublasGetStatusName(cublasStatus_t status) { return cohort::libraries::find_text(texts, status).name; }
const char* cublasGetStatusString(cublasStatus_t status) {
  return cohort::libraries::find_text(texts, status).sentence;
}

void cublasXerbla(const char* routine, int argument) {
  std::fprintf(stderr, "cohort: %s: argument %d has an illegal value\n", routine ? routine : "cuBLAS", argument);
}

}  // extern "C"

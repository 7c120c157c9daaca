// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, their pointer mode and stream, versions, and the texts of statuses.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include "libraries/common/statuses.hpp"
#include "libraries/common/version_part.hpp"
#include "libraries/cusparse/call.hpp"

namespace cohort::cusparse {

namespace {

constexpr libraries::status_text<cusparseStatus_t> texts[] = {
    {CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    {CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "insufficient resources"},
    {CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH", "the device lacks a required feature"},
    {CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR", "an access to device memory failed"},
    {CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED", "the function failed to execute"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
     "matrix type not supported"},
    {CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "unrecognized error code", "unrecognized error code"},
};

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (cudaFree(nullptr) != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return statuses.create(handle);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) { return destroy(handle, CUSPARSE_STATUS_NOT_INITIALIZED); }

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!version) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  return value && cohort::libraries::read_version_part(parts, type, value) ? CUSPARSE_STATUS_SUCCESS
                                                                           : CUSPARSE_STATUS_INVALID_VALUE;
}

const char* cusparseGetErrorName(cusparseStatus_t status) { return cohort::libraries::find_text(texts, status).name; }
const char* cusparseGetErrorString(cusparseStatus_t status) {
  return cohort::libraries::find_text(texts, status).sentence;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return statuses.set(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return statuses.get(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return statuses.set(handle, &cusparseContext::pointer_mode, mode,
                      mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return statuses.get(handle, &cusparseContext::pointer_mode, mode);
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, their pointer mode and stream, versions, and the texts of statuses.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <new>

#include "libraries/cusparse/call.hpp"

namespace cohort::cusparse {

namespace {

struct status_text {
  cusparseStatus_t status;
  const char* name;
  const char* sentence;
};
constexpr status_text texts[] = {
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
};

const status_text& text_of(cusparseStatus_t status) {
  static constexpr status_text unknown{CUSPARSE_STATUS_INTERNAL_ERROR, "unrecognized error code",
                                       "unrecognized error code"};
  for (const status_text& text : texts) {
    if (text.status == status) return text;
  }
  return unknown;
}

// Reads or writes a member of a handle.
template <class Member>
cusparseStatus_t get(cusparseHandle_t handle, Member cusparseContext::* member, Member* value) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!value) return CUSPARSE_STATUS_INVALID_VALUE;
  *value = handle->*member;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Member>
cusparseStatus_t set(cusparseHandle_t handle, Member cusparseContext::* member, Member value, bool is_valid = true) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_valid) return CUSPARSE_STATUS_INVALID_VALUE;
  handle->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

cusparseStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUSPARSE_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUSPARSE_STATUS_ALLOC_FAILED;
    default:
      return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (cudaFree(nullptr) != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cusparseContext;
  return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!version) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSPARSE_STATUS_INVALID_VALUE;
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}

const char* cusparseGetErrorName(cusparseStatus_t status) { return text_of(status).name; }
const char* cusparseGetErrorString(cusparseStatus_t status) { return text_of(status).sentence; }

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return set(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cusparseContext::stream, stream);
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return set(handle, &cusparseContext::pointer_mode, mode,
             mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return get(handle, &cusparseContext::pointer_mode, mode);
}

}  // extern "C"

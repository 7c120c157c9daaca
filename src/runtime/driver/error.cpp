// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.hpp"

namespace cohort::runtime {

namespace {

const char* find_name(CUresult error) {
  switch (error) {
#define COHORT_CU_CASE(name, number) \
  case name:                         \
    return #name;
    COHORT_CU_ERRORS(COHORT_CU_CASE)
#undef COHORT_CU_CASE
  }
  return nullptr;
}

}  // namespace

CUresult to_result(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorMissingConfiguration:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      break;
  }
  const auto same = static_cast<CUresult>(error);
  return find_name(same) ? same : CUDA_ERROR_UNKNOWN;
}

CUresult fail_call(CUresult error, const call_in_progress& call) noexcept {
  const char* const name = find_name(error);
  if (call.is_outermost() && error != CUDA_ERROR_NOT_READY) {
    log_error(name ? name : "an unknown error", cudaGetErrorString(static_cast<cudaError_t>(error)));
  }
  return error;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = find_name(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  if (!find_name(error)) return CUDA_ERROR_INVALID_VALUE;
  // Two numbers have no counterpart in the runtime API.
  *text = error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT ? "context already current"
          : error == CUDA_ERROR_KEY_ROTATION          ? "the keys of an encrypted channel are being rotated"
                                                      : cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

}  // extern "C"

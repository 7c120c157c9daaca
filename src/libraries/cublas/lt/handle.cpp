// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLt's handles, versions and the texts of statuses.
#include <cublasLt.h>
#include <cublas_api.h>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/openblas.hpp"

struct cublasLtContext {};

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!has_openblas()) return CUBLAS_STATUS_NOT_INITIALIZED;
  return statuses.create(handle);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return statuses.destroy(handle, CUBLAS_STATUS_NOT_INITIALIZED);
}

const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) { return cublasGetProperty(type, value); }

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLt's handles, versions and the texts of statuses.
#include <cublasLt.h>
#include <cublas_api.h>

#include "libraries/common/handle_table.hpp"
#include "libraries/cublas/openblas.hpp"

struct cublasLtContext {};

namespace {

using handles = cohort::libraries::handle_table<cublasLtContext>;

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!cohort::cublas::has_openblas()) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = handles::instance().create();
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return handles::instance().take(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) { return cublasGetProperty(type, value); }

}  // extern "C"

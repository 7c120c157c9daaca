// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, their modes and streams, versions, and the settings of algorithms.
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include "libraries/common/refusal.hpp"
#include "libraries/common/statuses.hpp"
#include "libraries/common/version_part.hpp"
#include "libraries/cusolver/call.hpp"
#include "libraries/cusolver/jacobi.hpp"
#include "libraries/cusolver/lapack.hpp"

struct cusolverDnParams {
  cusolverAlgMode_t algorithms[3] = {};
};

namespace cohort::cusolver {

namespace {

// A setting of Jacobi's method has no effect on results, which have full precision and ascending or descending order.
template <class Settings>
cusolverStatus_t accept(const Settings* settings, bool is_valid) {
  return settings && is_valid ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

// Writes a result of the latest call with these settings, after waiting for the handle's stream.
template <class Settings, class Value, class Read>
cusolverStatus_t result(cusolverDnHandle_t handle, const Settings* settings, Value* value, Read&& read) {
  if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!settings || !value) return CUSOLVER_STATUS_INVALID_VALUE;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSOLVER_STATUS_INTERNAL_ERROR;
  if (settings->results->is_batch) return CUSOLVER_STATUS_NOT_SUPPORTED;
  *value = read(*settings->results);
  return CUSOLVER_STATUS_SUCCESS;
}
double residual_of(const jacobi_results& results) { return results.residual; }
int sweeps_of(const jacobi_results&) { return 0; }

}  // namespace

cusolverStatus_t refuse(const char* name, const char* reason) {
  libraries::report_refusal(name, reason);
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

}  // namespace cohort::cusolver

using namespace cohort::cusolver;

extern "C" {

cusolverStatus_t cusolverGetVersion(int* version) {
  if (!version) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  return value && cohort::libraries::read_version_part(parts, type, value) ? CUSOLVER_STATUS_SUCCESS
                                                                           : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (!handle) return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!has_lapack() || cudaFree(nullptr) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return statuses.create(handle);
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  const cusolverStatus_t status = statuses.destroy(handle, CUSOLVER_STATUS_NOT_INITIALIZED);
  if (status == CUSOLVER_STATUS_SUCCESS) cudaDeviceSynchronize();  // NVIDIA's function waits for the device, too
  return status;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return statuses.set(handle, &cusolverDnContext::stream, stream, true);
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  return statuses.get(handle, &cusolverDnContext::stream, stream);
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode) {
  return statuses.set(handle, &cusolverDnContext::deterministic, mode,
                      mode == CUSOLVER_DETERMINISTIC_RESULTS || mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t* mode) {
  return statuses.get(handle, &cusolverDnContext::deterministic, mode);
}
cusolverStatus_t cusolverDnSetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t mode) {
  return statuses.set(handle, &cusolverDnContext::math, mode,
                      mode == CUSOLVER_DEFAULT_MATH || mode == CUSOLVER_FP32_EMULATED_BF16X9_MATH);
}
cusolverStatus_t cusolverDnGetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t* mode) {
  return statuses.get(handle, &cusolverDnContext::math, mode);
}
cusolverStatus_t cusolverDnSetEmulationStrategy(cusolverDnHandle_t handle, cudaEmulationStrategy strategy) {
  return statuses.set(handle, &cusolverDnContext::emulation, strategy,
                      strategy >= CUDA_EMULATION_STRATEGY_DEFAULT && strategy <= CUDA_EMULATION_STRATEGY_EAGER);
}
cusolverStatus_t cusolverDnGetEmulationStrategy(cusolverDnHandle_t handle, cudaEmulationStrategy* strategy) {
  return statuses.get(handle, &cusolverDnContext::emulation, strategy);
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) { return statuses.create(params); }
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return statuses.destroy(params, CUSOLVER_STATUS_INVALID_VALUE);
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  if (!params || function < CUSOLVERDN_GETRF || function > CUSOLVERDN_SYEVBATCHED) return CUSOLVER_STATUS_INVALID_VALUE;
  if (algorithm < CUSOLVER_ALG_0 || algorithm > CUSOLVER_ALG_2) return CUSOLVER_STATUS_INVALID_VALUE;
  params->algorithms[function] = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* settings) { return statuses.create(settings); }
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t settings) {
  return statuses.destroy(settings, CUSOLVER_STATUS_INVALID_VALUE);
}
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t settings, double) { return accept(settings, true); }
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t settings, int max_sweeps) {
  return accept(settings, max_sweeps >= 0);
}
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t settings, int) { return accept(settings, true); }
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t settings, double* residual) {
  return result(handle, settings, residual, residual_of);
}
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t settings, int* sweeps) {
  return result(handle, settings, sweeps, sweeps_of);
}

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* settings) { return statuses.create(settings); }
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t settings) {
  return statuses.destroy(settings, CUSOLVER_STATUS_INVALID_VALUE);
}
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t settings, double) { return accept(settings, true); }
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t settings, int max_sweeps) {
  return accept(settings, max_sweeps >= 0);
}
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t settings, int) { return accept(settings, true); }
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t settings, double* residual) {
  return result(handle, settings, residual, residual_of);
}
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t settings, int* sweeps) {
  return result(handle, settings, sweeps, sweeps_of);
}

}  // extern "C"

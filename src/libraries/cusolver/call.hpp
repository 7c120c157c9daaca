// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and a call with it: its checks, its status, its log.
#pragma once

#include <cusolverDn.h>

#include "libraries/common/argument_checks.hpp"
#include "libraries/common/statuses.hpp"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
  cusolverMathMode_t math = CUSOLVER_DEFAULT_MATH;
  cudaEmulationStrategy emulation = CUDA_EMULATION_STRATEGY_DEFAULT;
};

namespace cohort::cusolver {

// A call of a public function, whose name appears in logs, traces and reports.
struct call {
  cusolverDnHandle_t handle;
  const char* name;
};

inline constexpr libraries::status_set<cusolverStatus_t> statuses{
    CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_NOT_INITIALIZED, CUSOLVER_STATUS_ALLOC_FAILED,
    CUSOLVER_STATUS_INVALID_VALUE, CUSOLVER_STATUS_EXECUTION_FAILED};
inline cusolverStatus_t status_of(cudaError_t error) { return statuses.of(error); }
// Writes a line to the log, if the program has configured one.
void log_call(const char* name);
// Reports on stderr why a call is refused. Returns CUSOLVER_STATUS_NOT_SUPPORTED.
cusolverStatus_t refuse(const char* name, const char* reason);

// The arguments of a call: status() is the first error.
class checks : public libraries::argument_checks {
 public:
  explicit checks(const call& c) : call_(c) {
    if (c.handle) log_call(c.name);
  }

  cusolverStatus_t status() const {
    if (!call_.handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!hold()) return CUSOLVER_STATUS_INVALID_VALUE;
    return fit() ? CUSOLVER_STATUS_SUCCESS : refuse(call_.name, libraries::no_wide_indices);
  }

 private:
  const call& call_;
};

}  // namespace cohort::cusolver

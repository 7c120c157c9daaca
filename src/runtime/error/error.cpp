// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/error/error.hpp"

#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

thread_local cudaError_t latest_error = cudaSuccess;

struct error_text {
  const char* name;
  const char* text;
};

const error_text* find_text(cudaError_t error) {
  switch (error) {
#define COHORT_ERROR(code, sentence)                   \
  case code: {                                         \
    static constexpr error_text text{#code, sentence}; \
    return &text;                                      \
  }
#include "runtime/error/error_list.inc"
#undef COHORT_ERROR
  }
  return nullptr;
}

// The error that cudaGetLastError returns. A fatal error of the current device is visible in every thread.
cudaError_t visible_error() {
  const cudaError_t fatal = current_device().fatal_error.load(std::memory_order_acquire);
  return fatal != cudaSuccess ? fatal : latest_error;
}

}  // namespace

// Fatal errors are not stored here: the device keeps them until its reset.
cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && !is_fatal(error)) latest_error = error;
  return error;
}

last_error_guard::last_error_guard() : before_(latest_error) {}
last_error_guard::~last_error_guard() { latest_error = before_; }

bool is_fatal(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

void record_failure(device_state& device, cudaError_t error) {
  auto& slot = is_fatal(error) ? device.fatal_error : device.pending_error;
  cudaError_t none = cudaSuccess;
  slot.compare_exchange_strong(none, error);  // only the first error is kept: later errors may be its consequences
}

cudaError_t take_failure(device_state& device) {
  const cudaError_t fatal = device.fatal_error.load(std::memory_order_acquire);
  return fatal != cudaSuccess ? fatal : device.pending_error.exchange(cudaSuccess);
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = visible_error();
  latest_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return visible_error(); }

const char* cudaGetErrorName(cudaError_t error) {
  const error_text* found = find_text(error);
  return found ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const error_text* found = find_text(error);
  return found ? found->text : "unrecognized error code";
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cublasLoggerConfigure, cublasSetLoggerCallback.
#include <cublas_api.h>

#include <string>

#include "libraries/common/call_log.hpp"
#include "libraries/cublas/call.hpp"

namespace cohort::cublas {

namespace {

using libraries::log_calls;

constinit libraries::call_log<cublasLogCallback> calls(false);
constexpr int calls_mask = 1 << (log_calls - 1);

}  // namespace

void log_call(const char* name) {
  if (!calls.is_on(log_calls)) return;
  const std::string line = std::string("[cublas] ") + name + "\n";
  calls.write(line, [&](cublasLogCallback program) { program(line.c_str()); });
}

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasLoggerConfigure(int on, int standard_output, int standard_error, const char* file_name) {
  calls.set_file(nullptr);
  calls.set_standard_outputs(standard_output != 0, standard_error != 0);
  calls.set_mask(on != 0 ? calls_mask : 0);
  return !file_name || calls.open_file(file_name) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback program) {
  calls.set_callback(program);
  calls.set_mask(program || calls.has_outputs() ? calls_mask : 0);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* program) {
  if (!program) return CUBLAS_STATUS_INVALID_VALUE;
  *program = calls.callback();
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

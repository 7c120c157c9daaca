// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cublasLoggerConfigure, cublasSetLoggerCallback.
#include <cublas_api.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

#include "libraries/cublas/call.hpp"

namespace cohort::cublas {

namespace {

std::atomic<bool> is_on{false};
std::mutex mutex;
// The mutex guards all following variables.
bool to_stdout = false, to_stderr = false;
std::FILE* file = nullptr;
cublasLogCallback callback = nullptr;

}  // namespace

void log_call(const char* name) {
  if (!is_on.load(std::memory_order_relaxed)) return;
  const std::string line = std::string("[cublas] ") + name + "\n";
  cublasLogCallback program = nullptr;
  {
    std::lock_guard lock(mutex);
    for (std::FILE* const to : {to_stdout ? stdout : nullptr, to_stderr ? stderr : nullptr, file}) {
      if (to) std::fputs(line.c_str(), to);
    }
    if (file) std::fflush(file);
    program = callback;
  }
  if (program) program(line.c_str());
}

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasLoggerConfigure(int on, int standard_output, int standard_error, const char* file_name) {
  std::lock_guard lock(mutex);
  if (file) std::fclose(file);
  file = file_name ? std::fopen(file_name, "w") : nullptr;
  to_stdout = standard_output != 0;
  to_stderr = standard_error != 0;
  is_on.store(on != 0);
  return file_name && !file ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback program) {
  std::lock_guard lock(mutex);
  callback = program;
  is_on.store(program || to_stdout || to_stderr || file);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* program) {
  if (!program) return CUBLAS_STATUS_INVALID_VALUE;
  std::lock_guard lock(mutex);
  *program = callback;
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cusparseLoggerSetLevel() and its neighbours.
#include <cusparse.h>

#include <string>

#include "libraries/common/call_log.hpp"
#include "libraries/common/refusal.hpp"
#include "libraries/cusparse/call.hpp"

namespace cohort::cusparse {

namespace {

using libraries::log_calls, libraries::log_errors;

constinit libraries::call_log<cusparseLoggerCallback_t> calls(true);

void write(int level, const char* name, const char* message) {
  if (!calls.is_on(level)) return;
  std::string line = std::string("[cusparse][") + (level == log_errors ? "Error" : "Api") + "] " + name;
  if (*message) line += std::string(": ") + message;
  calls.write(line + "\n", [&](cusparseLoggerCallback_t program) { program(level, name, message); });
}

}  // namespace

void log_call(const char* name) { write(log_calls, name, ""); }

cusparseStatus_t refuse(const char* name, const char* reason) {
  libraries::report_refusal(name, reason);
  write(log_errors, name, reason);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t program) {
  calls.set_callback(program);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetFile(FILE* file) {
  calls.set_file(file);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerOpenFile(const char* log_file) {
  return calls.open_file(log_file) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseLoggerSetLevel(int level) {
  return calls.set_level(level) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseLoggerSetMask(int bits) {
  if (bits < 0 || bits >= 1 << log_calls) return CUSPARSE_STATUS_INVALID_VALUE;
  calls.set_mask(bits);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerForceDisable(void) {
  calls.disable();
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cusolverDnLoggerSetLevel and its neighbours.
#include <cusolverDn.h>

#include <string>

#include "libraries/common/call_log.hpp"
#include "libraries/cusolver/call.hpp"

namespace cohort::cusolver {

namespace {

using libraries::log_calls;

constinit libraries::call_log<cusolverDnLoggerCallback_t> calls(true);

}  // namespace

void log_call(const char* name) {
  if (!calls.is_on(log_calls)) return;
  calls.write(std::string("[cusolverDn] ") + name + "\n",
              [&](cusolverDnLoggerCallback_t program) { program(log_calls, name, "called"); });
}

}  // namespace cohort::cusolver

using namespace cohort::cusolver;

extern "C" {

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t program) {
  calls.set_callback(program);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetFile(FILE* file) {
  calls.set_file(file);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerOpenFile(const char* file_name) {
  return calls.open_file(file_name) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  return calls.set_level(level) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnLoggerSetMask(int mask) {
  calls.set_mask(mask);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerForceDisable() {
  calls.disable();
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"

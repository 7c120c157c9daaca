// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cusolverDnLoggerSetLevel and its neighbours.
#include <cusolverDn.h>

#include <atomic>
#include <cstdio>
#include <mutex>

#include "libraries/cusolver/call.hpp"

namespace cohort::cusolver {

namespace {

// Calls are logged as traces of the API.
constexpr int trace_level = 5;
constexpr int trace_mask = 1 << (trace_level - 1);

std::atomic<bool> is_on{false};
std::mutex mutex;
// The mutex guards all following variables.
bool is_disabled = false;
int mask = 0;
std::FILE* file = nullptr;  // null: stdout
bool owns_file = false;
cusolverDnLoggerCallback_t callback = nullptr;

void update() { is_on.store(!is_disabled && (mask & trace_mask) != 0); }
void use_file(std::FILE* next, bool owned) {
  if (owns_file) std::fclose(file);
  file = next;
  owns_file = owned;
}

}  // namespace

void log_call(const char* name) {
  if (!is_on.load(std::memory_order_relaxed)) return;
  cusolverDnLoggerCallback_t program = nullptr;
  {
    std::lock_guard lock(mutex);
    std::FILE* const to = file ? file : stdout;
    if (!callback || file) std::fprintf(to, "[cusolverDn] %s\n", name);
    std::fflush(to);
    program = callback;
  }
  if (program) program(trace_level, name, "called");
}

}  // namespace cohort::cusolver

using namespace cohort::cusolver;

extern "C" {

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t program) {
  std::lock_guard lock(mutex);
  callback = program;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetFile(FILE* next) {
  std::lock_guard lock(mutex);
  use_file(next, false);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerOpenFile(const char* file_name) {
  std::lock_guard lock(mutex);
  std::FILE* const opened = file_name ? std::fopen(file_name, "w") : nullptr;
  if (!opened) return CUSOLVER_STATUS_INVALID_VALUE;
  use_file(opened, true);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  if (level < 0 || level > trace_level) return CUSOLVER_STATUS_INVALID_VALUE;
  std::lock_guard lock(mutex);
  mask = (1 << level) - 1;  // a level contains those below it
  update();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerSetMask(int next) {
  std::lock_guard lock(mutex);
  mask = next;
  update();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerForceDisable() {
  std::lock_guard lock(mutex);
  is_disabled = true;
  update();
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"

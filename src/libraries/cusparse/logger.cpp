// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of calls: cusparseLoggerSetLevel() and its neighbours.
#include <cusparse.h>

#include <atomic>
#include <cstdio>
#include <mutex>

#include "libraries/cusparse/call.hpp"

namespace cohort::cusparse {

namespace {

// Levels of the guide. Each is also a bit of the mask: level n is bit n - 1.
constexpr int level_error = 1, level_api = 5;

std::atomic<int> mask{0};
std::atomic<bool> is_disabled{false};
std::mutex mutex;
// The mutex guards all following variables.
std::FILE* file = nullptr;
bool owns_file = false;
cusparseLoggerCallback_t callback = nullptr;

bool is_logged(int level) {
  return (mask.load(std::memory_order_relaxed) & (1 << (level - 1))) != 0 && !is_disabled.load();
}

void write(int level, const char* name, const char* message) {
  cusparseLoggerCallback_t program = nullptr;
  {
    std::lock_guard lock(mutex);
    std::FILE* const to = file ? file : callback ? nullptr : stdout;
    if (to) {
      std::fprintf(to, "[cusparse][%s] %s%s%s\n", level == level_error ? "Error" : "Api", name, *message ? ": " : "",
                   message);
      std::fflush(to);
    }
    program = callback;
  }
  if (program) program(level, name, message);
}

void take_file(std::FILE* taken, bool owned) {
  std::lock_guard lock(mutex);
  if (file && owns_file) std::fclose(file);
  file = taken;
  owns_file = owned;
}

}  // namespace

void log_call(const char* name) {
  if (is_logged(level_api)) write(level_api, name, "");
}

cusparseStatus_t refuse(const char* name, const char* reason) {
  std::fprintf(stderr, "cohort: %s is refused: %s\n", name, reason);
  if (is_logged(level_error)) write(level_error, name, reason);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t program) {
  std::lock_guard lock(mutex);
  callback = program;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetFile(FILE* taken) {
  take_file(taken, false);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerOpenFile(const char* log_file) {
  std::FILE* const opened = log_file ? std::fopen(log_file, "w") : nullptr;
  if (!opened) return CUSPARSE_STATUS_INVALID_VALUE;
  take_file(opened, true);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetLevel(int level) {
  if (level < 0 || level > level_api) return CUSPARSE_STATUS_INVALID_VALUE;
  mask.store((1 << level) - 1);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerSetMask(int bits) {
  if (bits < 0 || bits >= 1 << level_api) return CUSPARSE_STATUS_INVALID_VALUE;
  mask.store(bits);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLoggerForceDisable(void) {
  is_disabled.store(true);
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"

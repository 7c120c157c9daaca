// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_library.hpp"

#include <time.h>

#include <cstdio>
#include <cstring>

namespace cohort::engine {

namespace {

// Arguments that a printf format consumes.
int count_arguments(const char* format) {
  int count = 0;
  for (const char* c = format; *c; ++c) {
    if (*c != '%') continue;
    if (*++c == '%') continue;
    for (; *c && !std::strchr("diouxXeEfFgGaAcspn", *c); ++c) {
      if (*c == '*') ++count;
    }
    if (!*c) break;
    ++count;
  }
  return count;
}

}  // namespace

int print_from_kernel(const char* format, va_list arguments) {
  const worker* w = current_worker();
  const bool silent = w && w->silent;
  if (!silent && std::vprintf(format, arguments) < 0) return -1;
  return count_arguments(format);
}

uint64_t wall_clock_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace cohort::engine

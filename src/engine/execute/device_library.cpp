// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/device_library.hpp"

#include <time.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace cohort::engine {

namespace {

// The number of arguments that a printf format consumes.
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

// Formats into memory first: a fault at an argument of %s must not leave the C library with stdout locked. `silent`:
// writes nothing.
bool print(const char* format, va_list arguments, bool silent) {
  char text[512];
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  bool printed = length >= 0;
  if (printed && !silent && static_cast<size_t>(length) < sizeof text) {
    printed = std::fwrite(text, 1, static_cast<size_t>(length), stdout) == static_cast<size_t>(length);
  } else if (printed && !silent) {
    std::string longer(static_cast<size_t>(length) + 1, '\0');
    std::vsnprintf(longer.data(), longer.size(), format, again);
    printed = std::fwrite(longer.data(), 1, static_cast<size_t>(length), stdout) == static_cast<size_t>(length);
  }
  va_end(again);
  return printed;
}

}  // namespace

int print_from_kernel(const char* format, va_list arguments) {
  const worker* w = current_worker();
  const bool silent = w && w->silent;
  if (!print(format, arguments, silent)) return -1;
  return count_arguments(format);
}

uint64_t wall_clock_nanoseconds() {
  if (const worker* w = current_worker(); w && w->schedule) return w->schedule->now();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace cohort::engine

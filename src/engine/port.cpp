// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of port.hpp that never suspend.
#include <time.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "report.hpp"
#include "worker.hpp"

using namespace cohort::engine;

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

[[noreturn]] void fail_with(const void* place, int error, const char* message, va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, message, arguments);
  worker* w = current_worker();
  if (!w || !current_thread()) {
    std::fprintf(stderr, "cohort: called outside of a kernel: %s\n", text);
    std::abort();
  }
  w->failed = {};
  w->failed.error = error;
  w->failed.sentence = text;
  w->failed.place = place;
  give_up(*w);
}

}  // namespace

void cohort::engine::fail_at(const void* place, int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(place, error, message, arguments);
}

extern "C" {

int cohort_grid_is_cooperative(void) { return current_thread()->warp->block->grid->launch->cooperative != 0; }

void cohort_fail(int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(__builtin_return_address(0), error, message, arguments);
}

void cohort_fail_assert(const char* expression, const char* file, int line, const char* function) {
  worker* w = current_worker();
  w->failed = {error_assert, describe_assert(*current_thread(), expression, file, line, function), nullptr, true};
  give_up(*w);
}

int cohort_print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written < 0 ? -1 : count_arguments(format);
}

uint64_t cohort_clock(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return cohort_nanoseconds();
#endif
}

uint64_t cohort_nanoseconds(void) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

void* cohort_tagged_shared(const void* tag, size_t size, size_t alignment) {
  block& b = *current_thread()->warp->block;
  size_t used = b.grid->launch->kernel->static_shared_bytes + b.grid->launch->dynamic_shared_bytes;
  for (const tagged_storage& s : b.tagged) {
    if (s.tag == tag) return s.start;
    used += s.bytes;
  }
  const size_t limit = b.grid->device->shared_per_block_optin;
  if (size > limit || used + size > limit) {
    cohort_fail(
        error_launch_out_of_resources,
        "cohort::shared: %zu bytes more do not fit into the block's shared memory, of which %zu of %zu bytes are used",
        size, used, limit);
  }
  tagged_storage s{tag, std::unique_ptr<char[]>(new char[size + alignment]()), nullptr, size};
  const auto address = reinterpret_cast<uintptr_t>(s.memory.get());
  s.start = reinterpret_cast<char*>((address + alignment - 1) / alignment * alignment);
  b.tagged.push_back(std::move(s));
  return b.tagged.back().start;
}

}  // extern "C"

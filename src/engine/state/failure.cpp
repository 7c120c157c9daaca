// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/failure.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

void give_up(worker& w) {
  // The registers are saved but never resumed: a fiber with registers counts as started, and its stack must be given
  // back.
  leave_for(w.home, *current_lane()->fiber->registers);
}

void fail_with(const void* place, int error, const char* message, va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, message, arguments);
  worker* w = current_worker();
  if (!w || !current_lane()) {
    std::fprintf(stderr, "cohort: called outside of a kernel: %s\n", text);
    std::abort();
  }
  w->failed = {};
  w->failed.error = error;
  w->failed.sentence = text;
  w->failed.place = place;
  give_up(*w);
}

void fail_at(const void* place, int error, const char* message, ...) {
  va_list arguments;
  va_start(arguments, message);
  fail_with(place, error, message, arguments);
  // cppcheck-suppress va_end_missing; fail_with does not return
}

}  // namespace cohort::engine

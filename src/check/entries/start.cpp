// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of each program with instrumented code: accessor.cpp refers to cohort_check_starts.
#include "check/events/engine_events.hpp"
#include "check/events/runtime_events.hpp"
#include "check/report/findings.hpp"

extern "C" {
extern const char cohort_check_starts;
const char cohort_check_starts = 1;
}

namespace cohort::check {

namespace {

__attribute__((constructor)) void begin_checking() {
  begin_reports();
  follow_engine();
  follow_runtime();
}

}  // namespace

}  // namespace cohort::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/accessor.hpp"

#include "check/memory/enabled.hpp"
#include "check/memory/tool_ports.hpp"

// Makes the linker add start.cpp to the program: all functions that instrumented code calls need it.
extern "C" const char cohort_check_starts;

namespace cohort::check {

namespace {

[[gnu::used]] const char* const starts = &cohort_check_starts;

}  // namespace

const bool checks_memory = is_enabled(check_kind::memory);
const bool checks_sync = is_enabled(check_kind::sync);

__thread running_block last_block __attribute__((tls_model("initial-exec"))) = {};

block_clock* enter_block(tools::block_view b) {
  block_clock* clock = &clock_of(b);
  if (clock->rank != static_cast<uint32_t>(b.rank())) {  // the previous block with this id ended without an event
    drop_clock(b);
    clock = &clock_of(b);
  }
  last_block = {b, clock, launch_ends.load(std::memory_order_acquire), clock->rank};
  return clock;
}

}  // namespace cohort::check

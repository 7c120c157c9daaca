// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the engine that a debugger reads. The engine is built without debug information, so a table in the
// program holds the offsets of the fields. src/gdb/cohort_gdb.py reads it.
#pragma once

#include <cstdint>

extern "C" {

struct cohort_debug_field {
  const char* name;  // "block.live"; null closes the table
  uint64_t value;    // offset in bytes, or a size
};
extern const cohort_debug_field cohort_debug_layout[];

// The block that was described last. Valid until cohort_debug_report() returns.
extern const void* cohort_debug_block;

// An empty function for a breakpoint. Called after a launch failed and its report was printed, while the launch still
// exists.
void cohort_debug_report(const char* text);
}

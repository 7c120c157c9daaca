// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cause of a failed launch, stored by the failing lane or the signal handler. The report is written later, in the
// home context of the worker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cohort/base/cuda_error.hpp>

namespace cohort::engine {

struct lane;
struct worker;

struct failure {
  int error = error_none;
  std::string sentence;
  const void* place = nullptr;    // return address of the call, or one byte after the start of the faulting instruction
  int signal = 0;                 // number of a fault's signal
  const void* address = nullptr;  // address that the fault accessed
  bool misaligned = false;        // the fault is about the address's alignment
  bool called = false;            // the fault is a call of `address`, which is no code
  bool overrun = false;           // the words above the kernel's stack frame were overwritten
  static constexpr int most_callers = 24;
  const void* callers[most_callers] = {};  // return addresses around the fault, innermost first
  int caller_count = 0;
  bool unwinding = false;              // the handler walks the stack; a fault in it ends the walk
  bool lane_known = true;              // false: any lane of `threads` or of the block may have failed
  std::vector<uint64_t> threads = {};  // ranks in the block; empty: all
  const lane* failed_lane = nullptr;   // null: the current lane

  // True for failures that do not show which of several threads with one stack frame failed.
  bool needs_lane() const { return signal || overrun; }
  // True if both failures have one cause. An overrun may end in a fault of the return, or in a return whose check
  // fails.
  bool is_like(int other_signal, bool other_overran) const {
    return overrun == other_overran && (overrun || (signal && signal == other_signal));
  }
};

// Leaves the running fiber for ever. The worker ends the launch with `w.failed`.
[[noreturn]] void give_up(worker& w);

// Fails the launch with CUDA error `error` at the kernel's code address `place`. `message` is a printf format.
[[noreturn]] __attribute__((cold, format(printf, 3, 4))) void fail_at(const void* place, int error, const char* message,
                                                                      ...);
// fail_at() for callers with a va_list.
[[noreturn]] __attribute__((cold)) void fail_with(const void* place, int error, const char* message,
                                                  __builtin_va_list arguments);

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One look of a loop that waits for another OS thread.
#pragma once

namespace cohort::engine {

// Lets the CPU's other hardware thread go ahead.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace cohort::engine

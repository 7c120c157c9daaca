// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

// One poll of a loop that waits for another OS thread: yields execution resources to the core's other hardware thread.
inline void cpu_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace cohort::engine

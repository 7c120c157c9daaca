// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pause of a polling loop on the host.
#pragma once

namespace cohort {
namespace detail {

/// Yields execution resources to the core's other hardware thread, once for each poll of a loop that waits for another
/// OS thread. Does nothing on processors other than x86-64, where the hint needs assembly.
inline void cpu_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace detail
}  // namespace cohort

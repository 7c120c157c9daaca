// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls in progress at a fault. A fault in the C library is reported at the kernel's call of it.
#pragma once

#include <unwind.h>

#include <cstdint>

#include "engine/state/failure.hpp"

namespace cohort::engine {

// Stores the return addresses of the calls around the instruction at `program_counter`, innermost first. The handler of
// a fault's signal calls this, so it walks over the signal's frame first. 0: stores all calls. It allocates nothing and
// takes no lock (glibc finds unwind tables without one). The stack may be damaged: the signal handler must end a walk
// that faults itself.
inline void store_callers(uintptr_t program_counter, failure& f) {
  struct walk {
    uintptr_t program_counter;
    bool inside;
    failure& f;
  };
  walk state{program_counter, program_counter == 0, f};
  f.caller_count = 0;
  const auto visit = [](_Unwind_Context* frame, void* raw) {
    walk& w = *static_cast<walk*>(raw);
    const uintptr_t at = _Unwind_GetIP(frame);
    if (w.inside) w.f.callers[w.f.caller_count++] = reinterpret_cast<const void*>(at);
    w.inside = w.inside || at == w.program_counter;
    return w.f.caller_count < failure::most_callers && at != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
  };
  _Unwind_Backtrace(visit, &state);
}

}  // namespace cohort::engine

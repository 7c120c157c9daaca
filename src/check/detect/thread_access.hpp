// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of running threads: each is compared with what its shadow slots hold, and stored there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/order/accessor.hpp"

namespace cohort::check {

// Whether a fast path may call functions, which some cases of a block or word need once. Without calls its values stay
// in registers.
enum class effort : uint8_t { no_calls, calls };

// Checks an access of the running thread, or of host code. `place`: return address of the instrumented access.
void check_access(const void* address, size_t bytes, uint8_t flags, const void* place);
// check_access() for a thread that is known.
void check_access_of(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place);

// Reports an update of a word that was never written, because an update reads the word.
void check_written(const accessor& c, const void* address, size_t bytes, const void* place);
// After a read of a word: if the host wrote it as a flag, the operation acquires the host's earlier accesses.
void acquire_from_host(const accessor& c, const void* address);

}  // namespace cohort::check

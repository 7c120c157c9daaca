// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variable or allocation of device code that holds an address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// The bytes of an access: `inside` of one variable or allocation; `outside`, where they begin in one, or near one, and
// leave it; `elsewhere`: none is near.
enum class held : uint8_t { inside, outside, elsewhere };

// The padding behind a device variable, which the compiler's plugin adds.
constexpr uintptr_t variable_padding = 16;

// The device variable that contains the address, or in whose padding it lies.
bool find_variable(uintptr_t at, tools::variable* found);

// The shared memory of a block. `around`: if not null, receives the range of a variable that holds all bytes.
held in_shared(tools::block_view b, uintptr_t at, size_t bytes, address_range* around = nullptr);
// Allocations, and the heap of kernels.
held in_allocations(uintptr_t at, size_t bytes);
// Device variables. `around`: as for in_shared().
held in_variables(uintptr_t at, size_t bytes, address_range* around = nullptr);

// The range of the shared variable around an address in the block's shared memory; unchanged if none is known.
void find_shared_range(tools::block_view b, const void* address, address_range* around);
// Whether the bytes lie in a __constant__ variable.
bool is_constant(uintptr_t at, size_t bytes);

}  // namespace cohort::check

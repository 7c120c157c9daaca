// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variable or allocation of device code that holds an address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// Where the bytes of an access are. `inside`: in one variable or allocation. `outside`: they begin in or near one and
// leave it. `elsewhere`: none is near.
enum class held : uint8_t { inside, outside, elsewhere };

// Bytes of padding after a device variable, which the compiler's plugin adds.
constexpr uintptr_t variable_padding = 16;

// Finds the device variable that contains the address, or whose padding does.
bool find_variable(uintptr_t at, tools::variable* found);

// Compares the bytes with a block's shared memory. `around`: if not null, receives the range of a variable that
// contains all of them.
held in_shared(tools::block_view b, uintptr_t at, size_t bytes, address_range* around = nullptr);
// Compares the bytes with allocations and the heap of kernels.
held in_allocations(uintptr_t at, size_t bytes);
// Compares the bytes with device variables. `around`: if not null, receives the range of a variable that contains all
// of them.
held in_variables(uintptr_t at, size_t bytes, address_range* around = nullptr);

// Sets `around` to the shared variable at an address in the block's shared memory; leaves it unchanged if none is
// known.
void find_shared_range(tools::block_view b, const void* address, address_range* around);
// Whether the bytes lie in a __constant__ variable.
bool is_constant(uintptr_t at, size_t bytes);

}  // namespace cohort::check

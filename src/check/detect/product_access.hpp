// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of warpgroups (wgmma), which read shared memory and access their accumulators until their warp has waited.
// Checks accesses before that wait, and the fences that a product needs.
#pragma once

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

/// Checks the writes that the product reads, and marks its reads as asynchronous until its end.
void start_product(const tools::product_started& e);
void end_product(const tools::product_executed& e);

/// Reports an access of the running thread to an accumulator of a product that it has not waited for. `address` lies on
/// its stack.
void check_accumulator(const void* address, const void* place);

}  // namespace cohort::check

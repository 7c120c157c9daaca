// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows streams, events, copies and allocations through the events of the runtime.
#pragma once

#include <memory>

#include "check/order/operations.hpp"

namespace cohort::check {

void follow_runtime();

// Returns the operation of a launch that begins on this OS thread. A launch outside of streams, such as one by
// cohort::launch, gets an operation of its own.
std::shared_ptr<followed_operation> operation_of_launch();

}  // namespace cohort::check

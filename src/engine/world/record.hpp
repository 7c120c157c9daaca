// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cohort/base/world_step.hpp>
#include <cstdint>

namespace cohort::engine {

using detail::world_step;

// The first bytes that a process sends in an exchange.
struct world_record {
  world_step step = world_step::barrier;
  uint32_t has_messages = 0;     // 1: the process has messages for single processes
  uint64_t value = 0;            // all processes must have the same; see the steps
  uint64_t published_bytes = 0;  // of data for all processes, behind the record if there is room, else separate
};

}  // namespace cohort::engine

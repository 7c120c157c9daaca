// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordinary accesses and those of the asynchronous proxy, which bulk copies and products of warpgroups use. After an
// ordinary write, fence.proxy.async orders it before them (PTX ISA, "Proxies").
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// Reports each unit of 16 bytes with an ordinary write of the block that no fence.proxy.async orders before what
// `thread` does now: it reads them through the asynchronous proxy, at `place`.
void check_fenced(block_clock& c, const void* first, size_t bytes, uint32_t thread, const void* place);
// Records that a thread has ordered its ordinary accesses before asynchronous ones.
void pass_proxy_fence(const tools::proxy_fenced& e);

}  // namespace cohort::check

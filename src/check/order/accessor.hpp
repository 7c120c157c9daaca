// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that runs on this OS thread: the accessor of an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"
#include "check/order/launches.hpp"

namespace cohort::check {

// Whether --check selected the check. Set when the program starts, before any kernel runs.
extern const bool checks_memory, checks_sync;

// The block that this OS thread ran last. Its clock may have been destroyed at the end of a launch.
struct running_block {
  tools::block_view block;
  block_clock* clock = nullptr;
  uint32_t launch_ends = 0;
  uint32_t rank = 0;
};
extern __thread running_block last_block __attribute__((tls_model("initial-exec")));
// Returns the block's clock and makes it the last one of this OS thread.
__attribute__((noinline)) block_clock* enter_block(tools::block_view b);

// Whether only the running thread and the library access the address: it is on the thread's own stack, or in the
// staging buffer of collectives.
inline bool is_private(tools::thread_view thread, const void* address) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (at >= here && at < reinterpret_cast<uintptr_t>(thread.stack_top())) return true;
  return thread.block().is_staging(address);
}

// The clock of the block, if it is the one that this OS thread ran last; else null.
inline block_clock* last_clock(tools::block_view b) {
  const running_block& last = last_block;
  const bool is_last = last.block == b && last.rank == static_cast<uint32_t>(b.rank()) &&
                       last.launch_ends == launch_ends.load(std::memory_order_acquire);
  return __builtin_expect(is_last, 1) ? last.clock : nullptr;
}

inline accessor accessor_of(tools::thread_view thread) {
  block_clock* const last = last_clock(thread.block());
  return {last ? last : enter_block(thread.block()), thread.rank()};
}

// The thread that runs on this OS thread. Its block is null outside of kernels, inside the operator of a collective,
// and for private addresses.
inline accessor current_accessor(const void* address) {
  const tools::thread_view thread = tools::current_thread();
  if (!thread || thread.block().runs_operator() || is_private(thread, address)) return {nullptr, 0};
  return accessor_of(thread);
}

// current_accessor() without a function call, for addresses that are not private. The block is also null where a call
// would be needed.
__attribute__((always_inline)) inline accessor quick_accessor() {
  const tools::thread_view thread = tools::current_thread();
  if (!thread || thread.block().runs_operator()) return {nullptr, 0};
  return {last_clock(thread.block()), thread.rank()};
}

}  // namespace cohort::check

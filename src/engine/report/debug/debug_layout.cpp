// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/debug/debug_layout.hpp"

#include <cstddef>

#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

// The compilers that build the engine also give fixed offsets to classes without standard layout.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace {

using namespace cohort::engine;

#if defined(COHORT_LIGHT_SWITCH)
const void* const restore_address = reinterpret_cast<const void*>(&cohort_switch_restore);
#else
const void* const restore_address = nullptr;
#endif

}  // namespace

extern "C" {

const void* cohort_debug_block = nullptr;
// The resume address of contexts that have their source place in the first word of their stack; null if there are none.
extern const void* const cohort_debug_restore;
const void* const cohort_debug_restore = restore_address;

const cohort_debug_field cohort_debug_layout[] = {
    {"thread.index", offsetof(cohort_thread_context, thread_index)},
    {"thread.rank", offsetof(cohort_thread_context, thread_rank)},
    {"thread.block", offsetof(cohort_thread_context, block)},
    {"block.index", offsetof(cohort_block_context, block_index)},
    {"block.dim", offsetof(cohort_block_context, block_dim)},
    {"block.grid_dim", offsetof(cohort_block_context, grid_dim)},
    {"block.grid", offsetof(block, grid)},
    {"block.threads", offsetof(block, threads_total)},
    {"block.warps", offsetof(block, warps)},
    {"block.lanes", offsetof(block, lanes)},
    {"block.op_name", offsetof(block, barrier) + offsetof(block_barrier, op_name)},
    {"block.waiting", offsetof(block, waiting)},
    {"block.mbarriers", offsetof(block, mbarriers)},
    {"mbarriers.waiting", offsetof(mbarrier_table, waiting)},
    {"mbarriers.waits", offsetof(mbarrier_table, waits)},
    {"mbarrier_wait.size", sizeof(mbarrier_wait)},
    {"mbarrier_wait.word", offsetof(mbarrier_wait, word)},
    {"mbarrier_wait.phase", offsetof(mbarrier_wait, phase)},
    {"mbarrier_wait.is_over", offsetof(mbarrier_wait, is_over)},
    {"barriers", cohort_barriers},
    {"warps", warps_per_block},
    {"warp.size", sizeof(warp)},
    {"warp.ready", offsetof(warp, ready)},
    {"warp.live", offsetof(warp, live)},
    {"warp.at_wide", offsetof(warp, at_wide)},
    {"warp.converging", offsetof(warp, converging)},
    {"warp.spinning", offsetof(warp, spinning)},
    {"warp.in_collective", offsetof(warp, in_collective)},
    {"warp.open", offsetof(warp, open)},
    {"warp.opened", offsetof(warp, opened)},
    {"rendezvous.size", sizeof(rendezvous)},
    {"rendezvous.mask", offsetof(rendezvous, mask)},
    {"rendezvous.arrived", offsetof(rendezvous, arrived)},
    {"rendezvous.op_name", offsetof(rendezvous, op_name)},
    {"lane.size", sizeof(lane)},
    {"lane.place", offsetof(lane, place)},
    {"lane.fiber", offsetof(lane, fiber)},
    {"fiber.registers", offsetof(fiber, registers)},
    {"context.resume", context::resume * sizeof(void*)},
    {"running.warp", offsetof(running_warp, warp)},
    {"running.ready", offsetof(running_warp, ready)},
    {"worker.may_wait", offsetof(worker, may_wait)},
    {"worker.may_suspend", offsetof(worker, may_suspend)},
    {"grid.launch", offsetof(grid, launch)},
    {"grid.gang_width", offsetof(grid, gang_width)},
    {"grid.resident", offsetof(grid, resident)},
    {"launch.kernel", offsetof(cohort_launch, kernel)},
    {"kernel.name", offsetof(cohort_kernel, name)},
    {nullptr, 0},
};

__attribute__((noinline)) void cohort_debug_report(const char*) {
  static_cast<void>(*const_cast<const void* volatile*>(&cohort_debug_block));
}
}

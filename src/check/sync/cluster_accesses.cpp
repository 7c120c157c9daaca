// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/cluster_accesses.hpp"

#include <string>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"
#include "check/order/happens_before.hpp"
#include "check/report/findings.hpp"
#include "check/report/locations.hpp"
#include "check/report/memory_findings.hpp"

namespace cohort::check {

namespace {

// Whether the access happens before the end of a thread of the block.
bool is_ordered_before_end(const cluster_accessor& by, const cluster_access& latest, const block_clock& b) {
  record made;
  made.launch = b.launch->number;
  made.block = by.block;
  made.tick = latest.tick;
  made.outer = latest.outer;
  made.first_thread = static_cast<uint16_t>(first_of(by.thread, threads_of_warp));
  made.extent = threads_of_warp;
  made.flags = by.flags;
  made.place = by.place;
  const uint32_t node = lanes_per_warp + by.thread % lanes_per_warp;
  // Without flags the order is equal for all threads of the block, so one of them is enough.
  const uint32_t last = b.may_have_flags() ? b.block.threads() : 1;
  for (uint32_t thread = 0; thread < last; ++thread) {
    if (happens_before(made, node, {const_cast<block_clock*>(&b), thread})) return true;
  }
  return false;
}

}  // namespace

void note_cluster_access(const accessor& c, const access& now, tools::block_view owner) {
  block_clock* const clock = find_clock(owner);
  if (!clock) {
    add_memory_problem(memory_problem::ended_block, c, now, [](const void* address, const accessor& by) {
      return "in " + describe_location(address, by.block->block) + ", which had ended";
    });
    return;
  }
  const uint8_t flags = now.flags & static_cast<uint8_t>(~is_async_copy);
  clock->cluster_accesses[{c.block->rank, c.thread, now.place, flags}] = {now.address, c.block->tick, c.block->outer};
}

void report_cluster_accesses(block_clock& b) {
  for (const auto& [by, latest] : b.cluster_accesses) {
    if (is_ordered_before_end(by, latest, b)) continue;
    const access now{latest.address, by.place, by.flags};
    add_memory_problem(memory_problem::ended_block, b, by.block, by.thread, now,
                       [](const void* address, const accessor& owner) {
                         return "in " + describe_location(address, owner.block->block) + ", which may have ended";
                       });
  }
}

}  // namespace cohort::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/product_access.hpp"

#include <cstddef>
#include <cstdint>

#include "check/detect/thread_access.hpp"
#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

constexpr size_t unit_bytes = 16;  // a matrix in shared memory consists of such units

// Calls use(unit) for units that were written. Bytes that a bulk copy brought have no shadow.
template <class Use>
void for_each_written_unit(const tools::product_reads& e, Use use) {
  for (size_t i = 0; i < e.count; ++i) {
    const auto first = reinterpret_cast<uintptr_t>(e.runs[i].first);
    for (uintptr_t at = first; at < first + e.runs[i].bytes; at += unit_bytes) {
      if (write_of(slot_of(at).load(std::memory_order_relaxed)) != 0) use(at);
    }
  }
}

// Reports an ordinary write of the launch behind which no thread of the block has executed fence.proxy.async.
void check_fenced(block_clock& c, const tools::product_reads& e, uintptr_t at) {
  const uint64_t word = slot_of(at).load(std::memory_order_acquire);
  access_id write = write_of(word);
  if (write == split_mark) write = write_of(split_slots[size_t{reads_of(word)} * 4].load(std::memory_order_relaxed));
  record by;
  if (!write || !record_ring::instance().read(number_of(write), &by)) return;
  const bool is_of_block = by.launch == c.launch->number && by.block == c.rank && by.extent <= threads_of_block;
  if (!is_of_block || (by.flags & by_operation) || by.tick < c.proxy_fence) return;
  const uint32_t writer = by.first_thread + (by.extent == threads_of_warp ? first_lane_of(node_of(write)) : 0);
  add_sync_problem(sync_problem::unfenced_write, wait_kind::warp, side_of(c, writer, by.address()),
                   side_of(c, e.thread, e.place));
}

void mark_reads(block_clock& c, const tools::product_reads& e, uint8_t flags) {
  const accessor reader{&c, e.thread};
  for_each_written_unit(
      e, [&](uintptr_t at) { check_access_of(reader, reinterpret_cast<const void*>(at), unit_bytes, flags, e.place); });
}

}  // namespace

void start_product(const tools::product_started& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;  // no thread of the block has accessed anything
  if (checks_sync) {
    if (!e.is_fenced) {
      add_sync_problem(sync_problem::unfenced_product, wait_kind::warp, side_of(*c, e.thread, e.place), {});
    }
    for_each_written_unit(e, [&](uintptr_t at) { check_fenced(*c, e, at); });
  }
  mark_reads(*c, e, is_async_copy);
}

void end_product(const tools::product_executed& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;
  ++c->tick;
  mark_reads(*c, e, completes_copy);
}

void pass_proxy_fence(const tools::proxy_fenced& e) {
  if (block_clock* const c = find_clock(e.block)) c->proxy_fence = ++c->tick;
}

void check_accumulator(const void* address, const void* place) {
  const tools::thread_view thread = tools::current_thread();
  if (!checks_sync || !thread) return;
  const void* const started = thread.block().product_of_accumulator(thread.rank(), address);
  if (!started) return;
  const accessor c = accessor_of(thread);
  add_sync_problem(sync_problem::early_accumulator, wait_kind::warp, side_of(*c.block, c.thread, place),
                   side_of(*c.block, c.thread, started));
}

}  // namespace cohort::check

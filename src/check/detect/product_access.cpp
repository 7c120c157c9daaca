// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/product_access.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "check/detect/proxy_fences.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/order/flags.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

constexpr uint32_t threads_of_warpgroup = 128;

void mark_reads(block_clock& c, const tools::product_reads& e, uint8_t flags) {
  const accessor reader{&c, e.thread};
  for (size_t i = 0; i < e.count; ++i) check_access_of(reader, e.runs[i].first, e.runs[i].bytes, flags, e.place);
}

// The flag that the waits for products of a warpgroup acquire. No memory has such an address.
uintptr_t flag_of_products(block_clock& c, uint32_t thread) {
  static std::atomic<uintptr_t> used{uintptr_t{1} << 62};
  constexpr uint32_t warpgroups = 1024 / threads_of_warpgroup;
  if (c.product_flags == 0) c.product_flags = used.fetch_add(warpgroups);
  return c.product_flags + thread / threads_of_warpgroup;
}

}  // namespace

void start_product(const tools::product_started& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;  // no thread of the block has accessed anything
  if (checks_sync) {
    if (!e.is_fenced) {
      add_sync_problem(sync_problem::unfenced_product, wait_kind::warp, side_of(*c, e.thread, e.place), {});
    }
    for (size_t i = 0; i < e.count; ++i) check_fenced(*c, e.runs[i].first, e.runs[i].bytes, e.thread, e.place);
  }
  // After the wait of another warp the product is complete, whatever this warp has executed of it.
  mark_reads(*c, e, e.is_executed ? by_async_proxy : is_async_copy);
}

void end_product(const tools::product_executed& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;
  ++c->tick;
  mark_reads(*c, e, e.is_first ? completes_copy : completes_copy | by_async_proxy);
  // The wait of one warp shows that the product of the warpgroup is complete.
  const uintptr_t flag = flag_of_products(*c, e.thread);
  if (e.is_first) release_operation({c, e.thread}, flag, {});
  for (uint32_t lane = 0; lane < lanes_per_warp; ++lane) acquire_flag({c, e.thread + lane}, flag, scope::device, true);
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

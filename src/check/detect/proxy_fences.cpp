// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/proxy_fences.hpp"

#include <algorithm>
#include <atomic>

#include "check/history/history.hpp"
#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/order/flags.hpp"
#include "check/order/launches.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

constexpr size_t unit_bytes = 16;  // the asynchronous proxy accesses memory in such units

fence_point fence_of(block_clock& c, uint32_t thread) {
  const thread_clock* const t = c.find_thread(thread);
  return t ? t->proxy_fence : fence_point{};
}

// Whether a fence orders the write of `writer` before an asynchronous access by `reader`: a fence of the writer after
// the write, a fence of the reader, or a fence of another thread after a barrier.
bool is_fenced(block_clock& c, const record& write, uint32_t node, uint32_t writer, uint32_t reader) {
  if (write.tick < c.proxy_fenced_below || write.tick < fence_of(c, writer).own) return true;
  const fence_point fence = fence_of(c, reader);
  if (writer / lanes_per_warp == reader / lanes_per_warp && write.tick < fence.warp) return true;
  // The checker does not know which flags the reader had acquired at its fence, so the flags that it has acquired by
  // now stand for them.
  return write.tick < fence.own && flags_order(write, node, {&c, reader});
}

// is_fenced() for the write of an unknown thread of the record: one fence stands for all of them.
bool is_fenced_by_any(block_clock& c, const record& write, uint32_t node, uint32_t reader) {
  const bool is_of_warp = write.extent == threads_of_warp;
  const uint32_t first = write.first_thread + (is_of_warp ? first_lane_of(node) : 0);
  const uint32_t count = is_of_warp ? lane_count_of(node) : 1u << write.extent;
  const uint32_t end = std::min(first + count, c.block.threads());
  for (uint32_t writer = first; writer < end; ++writer) {
    if (is_fenced(c, write, node, writer, reader)) return true;
  }
  return false;
}

// is_fenced() for a write of another block that a barrier of blocks orders before what `c` does now: a fence of the
// writer's block after the write, or one of this block after the barrier.
bool is_fenced_between_blocks(block_clock& c, const record& write) {
  return write.outer < c.proxy_fenced_outer || c.launch->is_proxy_fenced(write.block, write.tick);
}

// Whether a barrier of the cluster or of the grid orders the write of another block before what `c` does now.
bool is_ordered_by_blocks(const block_clock& c, const record& write) {
  if (write.outer < c.grid_ordered_below || write.outer < c.session_ordered_below) return true;
  return write.outer < c.cluster_ordered_below && cluster_of_rank(c.block, write.block) == c.cluster;
}

// Atomics of device scope are left out: reductions by bulk copies have such records.
bool is_ordinary(uint8_t flags) {
  if (!(flags & is_write) || (flags & (by_operation | is_async_copy)) || is_by_async_proxy(flags)) return false;
  return !(flags & is_strong) || scope_of(flags) != scope::device;
}

bool needs_fence(block_clock& c, const record& write, uint32_t node, uint32_t reader) {
  if (write.launch != c.launch->number || !is_ordinary(write.flags) || write.extent > threads_of_block) return false;
  if (write.block == c.rank) return !is_fenced_by_any(c, write, node, reader);
  return is_ordered_by_blocks(c, write) && !is_fenced_between_blocks(c, write);
}

// Checks the accesses in one slot. Returns true if it has reported one.
bool check_slot(block_clock& c, uint64_t value, uint32_t thread, const void* place) {
  const history all(value);
  for (uint32_t i = 0; i < all.size(); ++i) {
    const record& write = all.by(i);
    const uint32_t node = node_of(all.id(i));
    if (!needs_fence(c, write, node, thread)) continue;
    const uint32_t writer = write.first_thread + (write.extent == threads_of_warp ? first_lane_of(node) : 0);
    sync_side written = side_of(c, writer, write.address());
    written.access.block = write.block;
    add_sync_problem(sync_problem::unfenced_write, wait_kind::warp, written, side_of(c, thread, place));
    return true;
  }
  return false;
}

bool check_word(block_clock& c, uintptr_t at, uint32_t thread, const void* place) {
  const uint64_t word = slot_of(at).load(std::memory_order_acquire);
  if (write_of(word) != split_mark) return check_slot(c, word, thread, place);
  const slot* const parts = &split_slots[size_t{reads_of(word)} * 4];
  uint64_t last = 0;
  for (int byte = 0; byte < 4; ++byte) {
    const uint64_t value = parts[byte].load(std::memory_order_relaxed);
    if (value != last && check_slot(c, value, thread, place)) return true;
    last = value;
  }
  return false;
}

void check_unit(block_clock& c, uintptr_t at, uint32_t thread, const void* place) {
  for (uintptr_t word = at; word < at + unit_bytes; word += 4) {
    if (check_word(c, word, thread, place)) return;
  }
}

}  // namespace

void check_fenced(block_clock& c, const void* first, size_t bytes, uint32_t thread, const void* place) {
  if (!checks_sync) return;
  const auto begin = reinterpret_cast<uintptr_t>(first);
  for (uintptr_t unit = begin; unit < begin + bytes; unit += unit_bytes) check_unit(c, unit, thread, place);
}

void pass_proxy_fence(const tools::proxy_fenced& e) {
  block_clock* const c = find_clock(e.block);
  if (!c) return;  // no thread of the block has accessed anything
  ++c->tick;
  c->thread(e.thread).proxy_fence = known_now({c, e.thread});
  c->proxy_fenced_below = std::max(c->proxy_fenced_below, c->ordered_below);
  c->proxy_fenced_outer = std::max({c->grid_ordered_below, c->session_ordered_below, c->cluster_ordered_below});
  c->launch->pass_proxy_fence(c->rank, c->tick);
}

}  // namespace cohort::check

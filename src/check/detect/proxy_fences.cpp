// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/proxy_fences.hpp"

#include <algorithm>
#include <atomic>

#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/order/accessor.hpp"
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
  // The flags that the reader had acquired at its fence are not known: those of now stand for them.
  return write.tick < fence.own && flags_order(write, node, {&c, reader});
}

// Reports a write of the word that no fence orders. False if the word has no such write.
bool check_word(block_clock& c, uintptr_t at, uint32_t thread, const void* place) {
  const uint64_t word = slot_of(at).load(std::memory_order_acquire);
  access_id write = write_of(word);
  if (write == split_mark) write = write_of(split_slots[size_t{reads_of(word)} * 4].load(std::memory_order_relaxed));
  record by;
  if (!write || !record_ring::instance().read(number_of(write), &by)) return false;
  const bool is_of_block = by.launch == c.launch->number && by.block == c.rank && by.extent <= threads_of_block;
  const bool is_ordinary = !(by.flags & (by_operation | is_async_copy)) && !is_by_async_proxy(by.flags);
  if (!is_of_block || !is_ordinary) return false;
  const uint32_t writer = by.first_thread + (by.extent == threads_of_warp ? first_lane_of(node_of(write)) : 0);
  if (is_fenced(c, by, node_of(write), writer, thread)) return false;
  add_sync_problem(sync_problem::unfenced_write, wait_kind::warp, side_of(c, writer, by.address()),
                   side_of(c, thread, place));
  return true;
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
}

}  // namespace cohort::check

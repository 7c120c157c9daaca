// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/bulk_access.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "check/detect/proxy_fences.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/record.hpp"
#include "check/order/clocks.hpp"
#include "check/order/flags.hpp"

namespace cohort::check {

namespace {

uint8_t write_flags(const tools::bulk_copy_bytes& e) {
  return e.reduces ? is_write | is_strong | flags_of(scope::device) : is_write | by_async_proxy;
}

void check_sources(const accessor& c, const tools::bulk_copy_bytes& e, uint8_t flags) {
  for (size_t i = 0; i < e.count; ++i) {
    if (e.runs[i].from) check_access_of(c, e.runs[i].from, e.runs[i].bytes, flags, e.place);
  }
}

void check_destinations(const accessor& c, const tools::bulk_copy_bytes& e, uint8_t flags) {
  for (size_t i = 0; i < e.count; ++i) {
    if (e.runs[i].to) check_access_of(c, e.runs[i].to, e.runs[i].bytes, flags, e.place);
  }
}

const void* destination_of(const tools::bulk_copy_bytes& e) { return e.count == 0 ? nullptr : e.runs[0].to; }

// The thread whose access the end of the copy is: the thread that has started the copy or, if its block has ended, a
// thread of the block that the copy writes to.
accessor ender_of(const tools::bulk_copy_bytes& e) {
  if (block_clock* const c = find_clock(e.block)) return {c, e.thread};
  for (const tools::block_view member : tools::block_view(e.block).cluster()) {
    block_clock* const c = find_clock(member);
    if (c && member.holds_shared(destination_of(e))) return {c, 0};
  }
  return {nullptr, 0};
}

fence_point take_begin_of(block_clock& c, const void* to) {
  const auto found =
      std::find_if(c.bulk_copies.begin(), c.bulk_copies.end(), [&](const auto& each) { return each.to == to; });
  if (found == c.bulk_copies.end()) return {};
  const fence_point begun = found->begun;
  c.bulk_copies.erase(found);
  return begun;
}

}  // namespace

void start_bulk_copy(const tools::bulk_copy_bytes& e) {
  const accessor c{&clock_of(e.block), e.thread};
  for (size_t i = 0; i < e.count; ++i) {
    if (e.runs[i].from) check_fenced(*c.block, e.runs[i].from, e.runs[i].bytes, e.thread, e.place);
  }
  check_sources(c, e, is_async_copy);
  if (e.mbarrier) {
    check_destinations(c, e, write_flags(e) | is_async_copy);
    // The count of the bytes is an atomic of the mbarrier: its initialisation must come before.
    check_access_of(c, e.mbarrier, sizeof *e.mbarrier, is_write | is_strong | flags_of(scope::device), e.place);
  }
  ++c.block->tick;
  if (e.mbarrier) c.block->bulk_copies.push_back({destination_of(e), known_now(c)});
}

void end_bulk_read(const tools::bulk_copy_bytes& e) {
  const accessor c{&clock_of(e.block), e.thread};
  ++c.block->tick;
  check_sources(c, e, completes_copy);
}

void end_bulk_copy(const tools::bulk_copy_bytes& e) {
  const accessor c = ender_of(e);
  if (!c.block) return;  // no thread is left that could access the bytes
  ++c.block->tick;
  if (!e.was_read) check_sources(c, e, completes_copy);
  check_destinations(c, e, e.mbarrier ? write_flags(e) | completes_copy : write_flags(e));
  if (e.mbarrier) release_operation(c, arrivals_at(e.mbarrier), take_begin_of(*c.block, destination_of(e)));
}

void complete_phase(const tools::bulk_completed_phase& e) {
  const auto phase = reinterpret_cast<uintptr_t>(e.mbarrier);
  for (const tools::block_view member : tools::block_view(e.block).cluster()) {
    block_clock* const c = find_clock(member);
    if (c && member.holds_shared(e.mbarrier)) return pass_on_flag({c, 0}, arrivals_at(e.mbarrier), phase);
  }
}

}  // namespace cohort::check

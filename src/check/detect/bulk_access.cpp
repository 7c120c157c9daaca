// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/bulk_access.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "check/detect/proxy_fences.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/record.hpp"
#include "check/order/clocks.hpp"
#include "check/order/copies_in_flight.hpp"
#include "check/order/flags.hpp"
#include "check/order/launches.hpp"

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

// The end of a copy counts as an access of this thread: the thread that has started the copy or, if its block has
// ended, a thread of the block that the copy writes to.
accessor ender_of(const tools::bulk_copy_bytes& e) {
  if (block_clock* const c = find_clock(e.block)) return {c, e.thread};
  for (const tools::block_view member : tools::block_view(e.block).cluster()) {
    block_clock* const c = find_clock(member);
    if (c && member.holds_shared(destination_of(e))) return {c, 0};
  }
  return {nullptr, 0};
}

// This mutex makes the start or the end of a copy one step with its marks in shadow memory: the end of a copy looks for
// other copies that still read its source.
std::mutex& steps() {
  static auto* const only = new std::mutex;
  return *only;
}

copy_in_flight describe(const accessor& c, const tools::bulk_copy_bytes& e) {
  copy_in_flight copy{e.number, c.block->launch->number, c.block->rank, e.mbarrier, {}, {}};
  for (size_t i = 0; i < e.count; ++i) {
    const auto first = reinterpret_cast<uintptr_t>(e.runs[i].from);
    if (first) copy.sources.push_back({first, first + e.runs[i].bytes});
  }
  return copy;
}

}  // namespace

void start_bulk_copy(const tools::bulk_copy_bytes& e) {
  const accessor c{&clock_of(e.block), e.thread};
  for (size_t i = 0; i < e.count; ++i) {
    if (e.runs[i].from) check_fenced(*c.block, e.runs[i].from, e.runs[i].bytes, e.thread, e.place);
  }
  const std::lock_guard lock(steps());
  copy_in_flight copy = describe(c, e);
  check_sources(c, e, is_async_copy);
  if (e.mbarrier) {
    check_destinations(c, e, write_flags(e) | is_async_copy);
    // The count of the bytes is an atomic of the mbarrier: its initialisation must come before.
    check_access_of(c, e.mbarrier, sizeof *e.mbarrier, is_write | is_strong | flags_of(scope::device), e.place);
  }
  ++c.block->tick;
  if (e.mbarrier) copy.begun = known_now(c);
  copies_in_flight::instance().add(std::move(copy));
}

void end_bulk_read(const tools::bulk_copy_bytes& e) {
  const accessor c{&clock_of(e.block), e.thread};
  ++c.block->tick;
  const std::lock_guard lock(steps());
  copies_in_flight::instance().end_reads(e.number);
  check_sources(c, e, completes_copy);
}

void end_bulk_copy(const tools::bulk_copy_bytes& e) {
  const std::lock_guard lock(steps());
  const copy_in_flight copy = copies_in_flight::instance().take(e.number);
  const accessor c = ender_of(e);
  if (!c.block) return;  // no thread is left that could access the bytes
  ++c.block->tick;
  if (!e.was_read) check_sources(c, e, completes_copy);
  check_destinations(c, e, e.mbarrier ? write_flags(e) | completes_copy : write_flags(e));
  if (!e.mbarrier) return;
  const bool is_of_block = copy.launch == c.block->launch->number && copy.block == c.block->rank;
  release_operation(c, arrivals_at(e.mbarrier), is_of_block ? copy.begun : fence_point{});
}

void complete_phase(const tools::bulk_completed_phase& e) {
  const auto phase = reinterpret_cast<uintptr_t>(e.mbarrier);
  for (const tools::block_view member : tools::block_view(e.block).cluster()) {
    block_clock* const c = find_clock(member);
    if (c && member.holds_shared(e.mbarrier)) return pass_on_flag({c, 0}, arrivals_at(e.mbarrier), phase);
  }
}

}  // namespace cohort::check

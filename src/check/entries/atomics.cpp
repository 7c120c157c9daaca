// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/entries/atomics.hpp"

#include <cohort/machine/cpu/port.hpp>

#include "check/detect/bounds.hpp"
#include "check/detect/fast_access.hpp"
#include "check/detect/operation_access.hpp"
#include "check/detect/thread_access.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/flags.hpp"

namespace cohort::check {

namespace {

// Facts of the innermost atomic function that the running thread executes.
struct atomic_function {
  const cohort_thread_context* thread = nullptr;
  uint32_t facts = 0;
};
__thread atomic_function inside __attribute__((tls_model("initial-exec"))) = {};

uint32_t function_facts() { return inside.thread == cohort_current_thread ? inside.facts : 0; }

scope scope_here(uint32_t facts) {
  const bool is_block = !(facts & volatile_fact) && (function_facts() & block_scope);
  return is_block ? scope::block : static_cast<scope>(facts & scope_bits);
}

// The address that identifies the flag of an atomic operation. The arrivals at an mbarrier are a flag of their own, at
// an address that no word has, because a thread that waits acquires complete phases only.
uintptr_t flag_at(const void* address) {
  return reinterpret_cast<uintptr_t>(address) + ((function_facts() & (arrives | collects)) != 0 ? 1 : 0);
}

uint8_t access_flags(uint32_t facts) {
  uint8_t flags = 0;
  if (facts & writes_value) flags |= is_write;
  if (facts & volatile_fact) flags |= is_volatile;
  if (!(facts & volatile_fact) || (facts & polls)) flags |= is_strong;
  return flags;
}

}  // namespace

void let_others_run(const void* place) {
  if (!tools::is_scheduled()) return;
  // Other threads may run now and enter functions of their own, so the facts are restored for this thread.
  const atomic_function mine = {cohort_current_thread, function_facts()};
  tools::pass_preemption_point(place);
  inside = mine;
}

void begin_atomic(const void* address, size_t bytes, uint32_t facts, const void* place) {
  const accessor c = current_accessor(address);
  if (!c.block && cohort_current_thread) return;
  const scope s = scope_here(facts);
  const uint8_t flags = flags_of(s) | access_flags(facts);
  if (!c.block) {
    // Only end_atomic() checks a read: the value that it reads may have been written just before.
    if (facts & writes_value) check_host_access(address, bytes, flags, place);
    return;
  }
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!(facts & volatile_fact)) check_alignment(address, bytes, flags, place);
  const bool may_be_fast = (facts & writes_value) && !(facts & volatile_fact);
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56;
  const bool is_checked = may_be_fast && (fast_access<effort::no_calls>(c, packed, flags).check_atomic(at, bytes) ||
                                          fast_access<effort::calls>(c, packed, flags).check_atomic(at, bytes));
  if (!is_checked) {
    if (facts & updates) check_written(c, address, bytes, place);
    check_access_of(c, address, bytes, flags, place);
  }
  // Where the block has no fences, an update or exchange without release semantics releases nothing.
  if ((facts & writes_value) && (c.block->has_fences || (facts & (releases | stores_only)))) {
    release_flag(c, flag_at(address), s, facts & releases, facts & stores_only);
    if (function_facts() & publishes) {
      if (!(facts & releases)) pass_on_collected(c, at, s);
      drop_collected(c);
    }
  }
}

void end_atomic(const void* address, size_t bytes, uint32_t facts, const void* place) {
  if (!cohort_current_thread && (facts & reads_value) && !(facts & writes_value)) {
    return check_host_access(address, bytes, flags_of(scope::system) | access_flags(facts), place);
  }
  if (!(facts & reads_value) || ((facts & volatile_fact) && !(facts & polls))) return;
  const accessor c = current_accessor(address);
  if (!c.block) return;
  acquire_from_host(c, address);
  if (function_facts() & arrives) return;
  // An exchange or addition whose result the program uses acquires by itself, as CUDA programs expect. A load, and a
  // compare-and-exchange that takes a lock, acquire only at the next fence or barrier.
  const bool takes = (facts & compares) && (function_facts() & takes_lock);
  const bool only_pends = takes || (function_facts() & only_releases);
  const bool now = (facts & acquires) || ((facts & writes_value) && !only_pends);
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (takes && !(facts & acquires)) take_lock(c, at);
  if (function_facts() & collects) {
    collect_flag(c, flag_at(address), scope_here(facts));
  } else {
    acquire_flag(c, at, scope_here(facts), now);
  }
}

}  // namespace cohort::check

using namespace cohort::check;

extern "C" {

void cohort_check_before_atomic(const void* address, uint64_t bytes, uint32_t facts) {
  let_others_run(__builtin_return_address(0));
  begin_atomic(address, bytes, facts, __builtin_return_address(0));
}
void cohort_check_after_atomic(const void* address, uint64_t bytes, uint32_t facts) {
  end_atomic(address, bytes, facts, __builtin_return_address(0));
}
void cohort_check_fence(void) {
  let_others_run(__builtin_return_address(0));
  const accessor c = current_accessor(nullptr);
  if (c.block) fence(c, scope_here(static_cast<uint32_t>(scope::system)));
}
void cohort_check_enter(uint32_t facts) { inside = {cohort_current_thread, facts}; }
void cohort_check_leave(void) { inside = {}; }

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/entries/atomics.hpp"

#include <cohort/machine/cpu/port.hpp>

#include "check/detect/access_site.hpp"
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

// The address that identifies the flag of an atomic operation.
uintptr_t flag_at(const void* address) {
  const bool is_arrival = (function_facts() & (arrives | collects)) != 0;
  return is_arrival ? arrivals_at(address) : reinterpret_cast<uintptr_t>(address);
}

// The flags of most updates: their scope is not in the name of their function.
constexpr uint8_t usual_update = is_write | is_strong | flags_of(scope::system);

// Calls `use` with the access at `site` for a usual update of 4 or 8 bytes, and returns its result. Else returns false.
template <class Use>
bool at_usual_site(const accessor& c, size_t bytes, uint8_t flags, access_site& site, const Use& use) {
  if (flags != usual_update) return false;
  if (bytes == 4) return use(site_access<4, usual_update, effort::no_calls>(c, site));
  return bytes == 8 && use(site_access<8, usual_update, effort::no_calls>(c, site));
}

// Checks an update by what its site has learned. False: check_update() must check it.
bool check_update_at_site(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place) {
  access_site& site = site_at(place);
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56;
  return at_usual_site(c, bytes, flags, site, [&](auto&& access) {
    return access.is_known(c, site, packed) && access.check(reinterpret_cast<uintptr_t>(address));
  });
}

// Checks an update of one value. False: check_access_of() must check it.
bool check_update(const accessor& c, const void* address, size_t bytes, uint8_t flags, const void* place) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{bytes} << 56;
  const unknown_access now = {c, place, packed, flags, at, bytes};
  access_site* const site = flags == usual_update ? prepare_site(now, 0) : nullptr;
  if (site && at_usual_site(c, bytes, flags, *site, [&](auto&& access) { return access.check(at); })) return true;
  fast_access<effort::calls> fast(c, packed, flags);
  if (!fast.check_atomic(at, bytes)) return false;
  if (site) learn_site(*site, now, fast.last_seen(), fast.last_stored());
  return true;
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
  const bool is_checked = may_be_fast && (check_update_at_site(c, address, bytes, flags, place) ||
                                          check_update(c, address, bytes, flags, place));
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/events/runtime_events.hpp"

#include <string>

#include "check/detect/bounds.hpp"
#include "check/detect/operation_access.hpp"
#include "check/memory/allocations.hpp"
#include "check/memory/enabled.hpp"
#include "check/memory/record.hpp"
#include "check/memory/shadow.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/accessor.hpp"
#include "check/order/flags.hpp"
#include "check/report/findings.hpp"
#include "check/report/memory_findings.hpp"
#include "check/sync/kept_pointers.hpp"

namespace cohort::check {

namespace {

std::shared_ptr<followed_operation>& executed() { return tools::of_thread<std::shared_ptr<followed_operation>>(); }

std::shared_ptr<followed_operation> followed_of(tools::operation_view op) {
  if (!op.followed()) op.followed() = std::make_shared<followed_operation>();
  return std::static_pointer_cast<followed_operation>(op.followed());
}

const followed_operation* find_followed(tools::operation_view op) {
  return static_cast<const followed_operation*>(op.followed().get());
}

operation_facts facts_of_operation(tools::operation_view op) {
  operation_facts facts;
  if (op.is_host_function()) {
    facts.sort = operation_sort::host_function;
  } else if (const char* const name = op.library_call()) {
    facts.sort = operation_sort::library;
    facts.kernel = name;
  } else {
    facts.sort = op.is_copy() ? operation_sort::copy : operation_sort::fill;
  }
  return facts;
}

// Whether kernels can access the memory. Other memory of the host is not followed.
bool is_followed(const void* first) {
  tools::allocation known;
  tools::variable v;
  return tools::find_allocation(first, &known) || tools::find_variable(first, &v);
}

class follower : public tools::operation_listener {
 public:
  void ordered(tools::operation& op, const tools::operation& before) override {
    if (const followed_operation* const earlier = find_followed(before)) follow(*followed_of(op), *earlier);
  }
  void submitted(tools::operation& op) override {
    const tools::operation_view view = op;
    // operations_overlap is set before a kernel runs, because a copy in another stream may change a slot between a
    // thread's load and store of the slot.
    if (view.has_other_streams()) note_overlap();
    submit(*followed_of(op), !view.is_mark());
  }
  void continued(tools::operation& op, const tools::operation& running) override {
    const followed_operation* const known = find_followed(running);
    if (known) submit_part(*followed_of(op), *known, !tools::operation_view(op).is_mark());
  }
  void launched(tools::operation& op, const tools::operation& running) override {
    const followed_operation* const known = find_followed(running);
    if (!known) return;
    const std::shared_ptr<followed_operation> followed = followed_of(op);
    inherit_order(*followed, *known);
    const tools::thread_view thread = tools::current_thread();
    if (!thread) return;
    const accessor launching = accessor_of(thread);
    followed->launched_after = release_launch(launching, reinterpret_cast<uintptr_t>(followed.get()));
    followed->launcher = {launching.block->launch->number, launching.block->rank, launching.thread};
  }
  void awaited(const tools::operation& op) override {
    if (const followed_operation* const known = find_followed(op)) wait_on_host(*known);
    const auto error = static_cast<cudaError_t>(report_findings());
    if (error != cudaSuccess) tools::operation_view(op).fail_device(error);
  }
  void begins(tools::operation& op) override {
    followed_operation& followed = *(executed() = followed_of(op));
    executed_operation = &followed;
    if (!tools::operation_view(op).is_kernel()) followed.number = add_number(followed, facts_of_operation(op));
  }
  cudaError_t ends(tools::operation& op) override {
    executed() = nullptr;
    executed_operation = nullptr;
    // The launch has reported its own findings.
    if (tools::operation_view(op).is_kernel()) return cudaSuccess;
    end_number(followed_of(op)->number);
    return static_cast<cudaError_t>(report_findings());
  }
  void accesses(const void* first, size_t bytes, bool writes) override {
    if (writes) drop_kept_pointers(first, bytes);
    if (executed() && is_followed(first)) {
      check_operation_access(*executed(), first, bytes, writes ? uint8_t{is_write} : uint8_t{0});
    }
  }
  void allocated(const void* first, size_t bytes, const void* site) override {
    note_allocation(first, bytes);
    clear_range(first, bytes);
    drop_kept_pointers(first, bytes);
    add_allocation(first, bytes, site ? static_cast<const struct call_site*>(site) : current_call_site());
    memory_changes.fetch_add(1);
  }
  void shares_variable(const void* first, size_t bytes) override { note_variable(first, bytes); }
  void freed(const void* first, bool by_reset, const void* site) override {
    if (by_reset && is_enabled(check_kind::memory)) add_leak(first);
    free_allocation(first, site ? static_cast<const struct call_site*>(site) : current_call_site());
    memory_changes.fetch_add(1);
    if (by_reset) report_findings();
  }
  const void* call_site() override { return current_call_site(); }
  void allocated_in_kernel(const void* first, size_t bytes) override {
    clear_range(first, bytes);
    drop_kept_pointers(first, bytes);
    memory_changes.fetch_add(1);
  }
  // A refused call causes no operation event, so its finding is printed at once.
  void requests(const void* first, size_t bytes, bool writes, bool fills) override {
    if (check_request(first, bytes, writes, fills)) report_findings();
  }
  void refuses_free(const void* memory) override {
    if (check_refused_free(memory)) report_findings();
  }
  bool refuses_pageable_memory() override { return is_enabled(check_kind::memory); }
  void copied(const void* to, const void* from, size_t bytes) override {
    if (executed()) copy_unwritten(to, from, bytes);
    move_kept_pointers(to, from, bytes);
  }
  std::string history_of(const void* base) override {
    known_allocation known;
    if (!find_allocation(base, &known) || known.base != base) return "";
    const std::string made = known.made ? place_of(*known.made) : "", freed = known.freed ? place_of(*known.freed) : "";
    return (freed.empty() ? "" : " at " + freed) + (made.empty() ? "" : ", allocated at " + made);
  }
};

}  // namespace

void follow_runtime() { tools::follow_operations(*new follower, is_enabled(check_kind::memory)); }

std::shared_ptr<followed_operation> operation_of_launch() {
  if (executed()) return executed();
  auto made = std::make_shared<followed_operation>();
  made->host_waits = true;
  submit(*made, true);
  return made;
}

}  // namespace cohort::check

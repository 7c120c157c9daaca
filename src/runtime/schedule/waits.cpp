// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of the host for streams and devices, and edges that are made only for a listener.
#include "runtime/schedule/operation_edges.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

void scheduler::tell_awaited(const operation_ref& op) {
  if (installed_operation_listener && op) installed_operation_listener->awaited(*op);
}

void scheduler::note_idle(stream& s) {
  if (installed_operation_listener) wait_for_stream(s);
}

void scheduler::note_departure(const stream& s) {
  if (!installed_operation_listener || !s.last) return;
  const auto mark = std::make_shared<operation>(operation_kind::mark);
  if (s.device->departed) installed_operation_listener->ordered(*mark, *s.device->departed);
  installed_operation_listener->ordered(*mark, *s.last);
  mark->at.store(operation::step::finished, std::memory_order_release);
  s.device->departed = mark;
}

void scheduler::wait_for_stream(stream& s) {
  operation_ref last;
  {
    auto held = lock();
    // An idle stream has nothing to wait for, but a listener needs the edges to all blocking streams.
    if (s.is_legacy && (installed_operation_listener || !is_idle_locked(s))) {
      const auto mark = std::make_shared<operation>(operation_kind::mark);
      link_stream(s, mark);
      note_submitted(mark);
      start_or_queue(mark);
    }
    last = s.last;
  }
  wait(last);
}

void scheduler::wait_for_device(device_state& device) {
  const auto all = std::make_shared<operation>(operation_kind::mark);
  {
    auto held = lock();
    all->device = &device;
    link(all, device.legacy.last);
    link(all, device.departed);
    for (const auto& s : device.streams) link(all, s->last);
    if (all->predecessors.empty()) return tell_awaited(all);
  }
  wait(all);
}

void scheduler::wait_for_all_devices() {
  for (int i = 0; i < device_count(); ++i) wait_for_device(device_at(i));
}

}  // namespace cohort::runtime

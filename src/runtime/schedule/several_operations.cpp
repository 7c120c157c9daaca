// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Submissions of several operations, or to several streams, at once.
#include "../state/operation_listener.hpp"
#include "scheduler.hpp"

namespace cohort::runtime {

operation_ref scheduler::submit_graph_locked(stream& s, const std::vector<planned>& plan, const operation_ref& extra) {
  const auto begin = std::make_shared<operation>(operation_kind::mark);
  link_stream(s, begin);
  link(begin, extra);
  note_submitted(begin);
  start_or_queue(begin);
  const auto end = std::make_shared<operation>(operation_kind::mark);
  end->device = s.device;
  link(end, begin);
  for (const planned& each : plan) {
    each.op->device = each.device ? each.device : s.device;
    each.op->priority += s.priority;
    link(each.op, begin);
    link(each.op, each.extra);
    for (size_t before : each.after) link(each.op, plan[before].op);
    note_submitted(each.op);
    start_or_queue(each.op);
    link(end, each.op);
  }
  s.last = end;
  note_submitted(end);
  start_or_queue(end);
  return end;
}

void scheduler::continue_with(operation& running, const std::vector<planned>& plan, const operation_ref& last,
                              const operation_ref& end) {
  auto held = lock();
  const auto append = [&](const operation_ref& op, device_state* device) {
    op->device = device ? device : running.device;
    op->priority += running.priority;
    op->wanted_by = running.wanted_by;
    link(op, running);
  };
  const auto submit_part = [&](const operation_ref& op) {
    if (installed_operation_listener) installed_operation_listener->continued(*op, running);
  };
  append(last, nullptr);
  for (const planned& each : plan) {
    append(each.op, each.device);
    link(each.op, each.extra);
    for (size_t before : each.after) link(each.op, plan[before].op);
    submit_part(each.op);
    link(last, each.op);
  }
  submit_part(last);
  link(end, last);
  end->has_late_edges = true;
}

void scheduler::submit_together(std::span<stream* const> streams, const operation_ref& op) {
  auto held = lock();
  for (stream* s : streams) link_stream(*s, op);
  note_submitted(op);
  start_or_queue(op);
}

}  // namespace cohort::runtime

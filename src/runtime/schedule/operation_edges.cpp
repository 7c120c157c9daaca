// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/operation_edges.hpp"

#include <atomic>
#include <utility>

#include "runtime/state/device_state.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

void link(const operation_ref& op, const operation_ref& predecessor) {
  if (predecessor) link(op, *predecessor);
}

void link(const operation_ref& op, operation& predecessor) {
  if (installed_operation_listener) installed_operation_listener->ordered(*op, predecessor);
  add_edge(op, predecessor);
}

void add_edge(const operation_ref& op, operation& predecessor) {
  if (predecessor.finished()) return;
  op->predecessors.push_back(&predecessor);
  predecessor.followers.push_back(op);
}

void order_late(operation& op, const operation& before) {
  installed_operation_listener->ordered(op, before);
  op.has_late_edges = true;
}

void order_after_host(operation& op) {
  operation now(operation_kind::mark);
  installed_operation_listener->submitted(now);
  order_late(op, now);
}

void link_stream(stream& s, const operation_ref& op) {
  if (!op->device) {
    op->device = s.device;
    op->stream = static_cast<uint32_t>(s.id);
    op->priority += s.priority;
  } else {
    op->other_devices.push_back(s.device);
  }
  link(op, s.last);
  if (s.is_legacy) {
    for (const auto& other : s.device->streams) {
      if (other->blocking()) link(op, other->last);
    }
    link(op, s.device->departed);
  } else if (s.blocking()) {
    link(op, s.device->legacy.last);
  }
  s.last = op;
}

void note_submitted(const operation_ref& op) {
  if (installed_operation_listener) installed_operation_listener->submitted(*op);
}

void mark_wanted(operation& target, uint64_t token) {
  std::vector<operation*> open{&target};
  target.wanted_by = token;
  while (!open.empty()) {
    operation* const op = open.back();
    open.pop_back();
    for (operation* predecessor : op->predecessors) {
      if (predecessor->wanted_by == token) continue;
      predecessor->wanted_by = token;
      open.push_back(predecessor);
    }
  }
}

// Marks operations as finished. Followers move into `unfinished`, which keeps them alive while raw pointers refer to
// them.
void abandon(std::vector<operation_ref> unfinished) {
  std::vector<operation*> open;
  open.reserve(unfinished.size());
  for (const operation_ref& op : unfinished) open.push_back(op.get());
  while (!open.empty()) {
    operation* const op = open.back();
    open.pop_back();
    if (!op || op->finished()) continue;
    if (op->kind == operation_kind::mark) op->execute();
    op->at.store(operation::step::finished, std::memory_order_release);
    open.insert(open.end(), op->predecessors.begin(), op->predecessors.end());
    op->predecessors.clear();
    for (operation_ref& follower : op->followers) {
      open.push_back(follower.get());
      unfinished.push_back(std::move(follower));
    }
    op->followers.clear();
  }
}

}  // namespace cohort::runtime

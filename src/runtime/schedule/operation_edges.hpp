// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges between operations, by which one waits for another. The scheduler's lock guards all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/state/operation.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// Makes `op` wait for `predecessor`, which may be null or finished.
void link(const operation_ref& op, const operation_ref& predecessor);
void link(const operation_ref& op, operation& predecessor);
// Makes `op` wait for `predecessor` without a report to the listener.
void add_edge(const operation_ref& op, operation& predecessor);
// Adds the edges that the order of streams requires, and makes `op` the last operation of its stream.
void link_stream(stream& s, const operation_ref& op);
// Reports to the listener that `op`, which runs, has found the effect of `before`: what follows `op` happens after
// `before`. pre: a listener is installed
void order_late(operation& op, const operation& before);
// Reports to the listener that `op`, which runs, happens after all that the host has done. pre: a listener is installed
void order_after_host(operation& op);
// Reports to the listener that the edges of `op` are complete.
void note_submitted(const operation_ref& op);

// Marks `target` and all operations that must finish before it with the token.
void mark_wanted(operation& target, uint64_t token);
// Marks these operations, their predecessors and their followers as finished.
void abandon(std::vector<operation_ref> unfinished);

}  // namespace cohort::runtime

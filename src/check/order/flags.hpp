// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order that programs make by memory: flags, locks and counters, with fences. A release appends what the releasing
// thread has fenced to the list of the location; an acquire takes the list up to its present end.
#pragma once

#include <cstdint>

#include "check/memory/record.hpp"
#include "check/order/acquired_flags.hpp"

namespace cohort::check {

struct accessor;

void add_acquired(acquired_flags& to, const acquired_flags& more);

// A fence of the thread: later stores of it to flags release what it knows now, and what it has read from flags counts.
void fence(const accessor& c, scope s);
// The thread writes a flag. `orders`: the operation is a release by itself. `replaces`: earlier releases end here.
void release_flag(const accessor& c, uintptr_t address, scope s, bool orders, bool replaces);
// The thread has read a flag. `now`: no fence is needed for it to count.
void acquire_flag(const accessor& c, uintptr_t address, scope s, bool now);
// The thread has read a flag for others: its releases pass it on, until drop_collected() takes it from the thread.
void collect_flag(const accessor& c, uintptr_t address, scope s);
void drop_collected(const accessor& c);
// The thread has compared and exchanged the word at `address`.
void take_lock(const accessor& c, uintptr_t address);
// A barrier of threads orders what they have read from flags.
void acquire_pending(acquired_flags& acquired, acquired_flags& pending);

// Whether flags order the access `a` before what `c` does now.
bool flags_order(const record& a, uint32_t node, const accessor& c);

}  // namespace cohort::check

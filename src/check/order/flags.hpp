// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Happens-before by memory operations: flags, locks and counters, with fences. A release appends the thread's fenced
// accesses to the location's list; an acquire takes the list up to its present end.
#pragma once

#include <cstdint>

#include "check/memory/record.hpp"
#include "check/order/acquired_flags.hpp"

namespace cohort::check {

struct accessor;

void add_acquired(acquired_flags& to, const acquired_flags& more);

// A fence of the thread: later stores to flags release all earlier accesses, and flags that were read before are
// acquired.
void fence(const accessor& c, scope s);
// Releases at a write of a flag. `orders`: the operation itself is a release. `replaces`: it ends the release sequence.
void release_flag(const accessor& c, uintptr_t address, scope s, bool orders, bool replaces);
// The flag of the arrivals at an mbarrier, beside that of its complete phases, which has the word's address. No word
// has this address. A thread that waits acquires complete phases only.
inline uintptr_t arrivals_at(const void* mbarrier) { return reinterpret_cast<uintptr_t>(mbarrier) + 1; }
// The accesses that happen before this point of the thread, apart from the order by flags.
fence_point known_now(const accessor& c);
// Releases, for an asynchronous operation of the thread that ends now, what happened before its start, and the accesses
// at the present tick, which are the operation's. `begun`: known_now() after the start.
void release_operation(const accessor& c, uintptr_t address, const fence_point& begun);
// Releases the flag `to` with the releases of the flag `from`, and nothing of the thread's own.
void pass_on_flag(const accessor& c, uintptr_t from, uintptr_t to);
// Acquires at a read of a flag. `now`: without a later fence.
void acquire_flag(const accessor& c, uintptr_t address, scope s, bool now);
// Acquires a flag only to pass it on: the thread's next releases include it, until drop_collected() removes it.
void collect_flag(const accessor& c, uintptr_t address, scope s);
void drop_collected(const accessor& c);
// Releases the flag at `address` with the flags of collect_flag(), and nothing of the thread's own.
void pass_on_collected(const accessor& c, uintptr_t address, scope s);
// The accesses that happen before this point of the thread, for the grid that it launches here. `key`: an address that
// no other launch in progress has.
acquired_flags release_launch(const accessor& c, uintptr_t key);
// Records that the thread has taken the lock at `address` by a compare-and-exchange.
void take_lock(const accessor& c, uintptr_t address);
// At a barrier: moves flags that were read without a fence to the acquired ones.
void acquire_pending(acquired_flags& acquired, acquired_flags& pending);

// Whether flags order the access `a` by the lanes `node` before what `c` does now.
bool flags_order(const record& a, uint32_t node, const accessor& c);
// Whether flags that an operation has acquired order the access before it.
bool flags_order(const record& a, uint32_t node, const acquired_flags& acquired);

}  // namespace cohort::check

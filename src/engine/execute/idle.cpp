// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/idle.hpp"

#include <sched.h>

#include <cohort/base/cpu_pause.hpp>

#include "engine/report/report.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

namespace {

// Polls before the worker sleeps: a wake-up by the OS costs as much as a thousand polls.
constexpr int spin_limit = 4000;
// Polls of a transport before each further one gives the CPU to another OS thread.
constexpr int transport_spin_limit = 200;

void fail_if_stuck(session& s, uint32_t seen) {
  if (s.is_stuck(seen)) fail_stuck_session(s);
}

}  // namespace

bool wait_for_event(worker& w, uint32_t seen) {
  session& s = *w.grid->shared;
  int transport_polls = 0;
  for (int poll = 0; poll < spin_limit; ++poll) {
    if (s.events.load(std::memory_order_acquire) != seen) return !s.failed();
    if (s.transport && s.transport->poll()) {
      poll = 0;  // an exchange is in flight, and no other thread announces its end
      w.begin_round();
      if (++transport_polls > transport_spin_limit) sched_yield();
    } else {
      detail::cpu_pause();
    }
  }
  w.idle_at.store(worker::idle(seen), std::memory_order_seq_cst);
  fail_if_stuck(s, seen);
  s.events.wait(seen, std::memory_order_acquire);
  w.idle_at.store(0, std::memory_order_relaxed);
  return !s.failed();
}

void finish_share(worker& w) {
  session& s = *w.grid->shared;
  // All workers that could poll an exchange may have fallen asleep before it began.
  while (s.transport && s.transport->poll()) sched_yield();
  const uint32_t seen = s.events.load(std::memory_order_seq_cst);
  w.idle_at.store(worker::finished, std::memory_order_seq_cst);
  fail_if_stuck(s, seen);
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/watch/watchdog.hpp"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>
#include <variant>

#include "engine/execute/executor.hpp"
#include "engine/report/call_stack.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/report.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {

namespace {

// A lane that neither waits nor returns may be computing, so it gets this many time-outs.
constexpr double computing_factor = 10;
// A launch that makes progress for this many time-outs is reported once: it may be an endless loop around a barrier.
constexpr double long_factor = 10;
// Launches often follow each other. The watchdog polls for two seconds after a launch, so the next one need not wake
// it.
constexpr int polls_before_sleep = 8;
constexpr auto poll_interval = std::chrono::milliseconds(250);
// A launch over its limit ends at its next wait. A lane without a wait for this time is interrupted.
constexpr auto time_to_wait = std::chrono::seconds(1);
// A worker that a signal does not reach in the kernel, or that executes the engine's own code, is ended after this
// time.
constexpr auto time_to_leave = std::chrono::seconds(1);

// CPU time of the worker's OS thread, because a busy machine may not run it at all. Zero if the worker runs no share of
// a launch.
std::chrono::nanoseconds time_on_cpu(const worker& w) {
  clockid_t clock{};
  timespec time{};
  if (!w.shares.load(std::memory_order_acquire) || pthread_getcpuclockid(w.os_thread, &clock) != 0) return {};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void watchdog::start() {
  if (!is_on()) return;
  try {
    std::thread(&watchdog::run, this).detach();
  } catch (const std::system_error&) {
    std::fputs(
        "cohort: warning: COHORT_TIMEOUT and COHORT_LAUNCH_LIMIT have no effect: the system starts no more OS "
        "threads\n",
        stderr);
  }
}

void watchdog::begin(grid& g) {
  if (!is_on()) return;
  const std::lock_guard lock(mutex_);
  watched_ = &g;
  ++launches_;
  if (limit_seconds_ > 0) began_ = clock::now();
  if (sleeps_) wake_.notify_one();
}

void watchdog::end() {
  if (!is_on()) return;
  const std::lock_guard lock(mutex_);
  watched_ = nullptr;
}

void watchdog::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    for (int poll = 0; poll < polls_before_sleep && !watched_; ++poll) wake_.wait_for(lock, poll_interval);
    sleeps_ = true;
    while (!watched_) wake_.wait(lock);
    sleeps_ = false;
    watch(*watched_, lock);
  }
}

watchdog::observation watchdog::observe(const grid& g) {
  uint64_t progress = 0;
  bool computing = false;
  for (size_t i = 0; i < g.workers; ++i) {
    const worker& w = executors_[i]->worker_state();
    progress += w.progress.load(std::memory_order_relaxed);
    const uint64_t rounds = w.rounds.load(std::memory_order_relaxed);
    // A worker whose home fiber has run since the last tick does not compute: its lanes yield.
    const bool computes = w.computing.load(std::memory_order_relaxed);
    computing |= computes && rounds == rounds_seen_[i];
    const bool waits = w.explains.load(std::memory_order_relaxed) ||
                       (g.launch->cooperative && w.idle_at.load(std::memory_order_relaxed) != 0);
    const bool is_still = w.shares.load(std::memory_order_acquire) && !computes && rounds == rounds_seen_[i];
    if (!is_still || waits) moved_[i] = time_on_cpu(w);
    rounds_seen_[i] = rounds;
  }
  const bool progressed = progress != progress_seen_;
  progress_seen_ = progress;
  return {progressed, computing};
}

void watchdog::interrupt_lanes(const grid& g, bool insists) {
  abandon_in_module_of(reinterpret_cast<const void*>(g.launch->kernel->thread_entry));
  for (size_t i = 0; i < g.workers; ++i) {
    worker& w = executors_[i]->worker_state();
    if (!w.computing.load(std::memory_order_acquire)) continue;
    if (insists) w.must_leave.store(true, std::memory_order_relaxed);
    pthread_kill(w.os_thread, abandon_signal());
  }
}

// Ends the share of workers whose home fiber has computed in one place for `still_for`. A worker that writes a report
// is not interrupted: it ends by itself.
void watchdog::interrupt_engine(const grid& g, std::chrono::duration<double> still_for) {
  if (g.shared->claimed.load(std::memory_order_acquire) && !g.failed()) return;
  for (size_t i = 0; i < g.workers; ++i) {
    worker& w = executors_[i]->worker_state();
    if (!w.shares.load(std::memory_order_acquire) || time_on_cpu(w) - moved_[i] < still_for) continue;
    w.must_leave.store(true, std::memory_order_relaxed);
    pthread_kill(w.os_thread, abandon_signal());
  }
}

// Returns when the launch has ended. `lock` is released only during waits.
void watchdog::watch(grid& g, std::unique_lock<std::mutex>& lock) {
  const std::chrono::duration<double> timeout(timeout_seconds_), limit(limit_seconds_);
  const double shortest = timeout_seconds_ > 0 && limit_seconds_ > 0 ? std::min(timeout_seconds_, limit_seconds_)
                                                                     : std::max(timeout_seconds_, limit_seconds_);
  const std::chrono::duration<double> tick(std::clamp(shortest / 10, 0.005, 0.25));
  const uint64_t launch = launches_;
  const auto began = limit_seconds_ > 0 ? began_ : clock::now();
  rounds_seen_.assign(executors_.size(), 0);
  moved_.clear();
  for (const auto& e : executors_) moved_.push_back(time_on_cpu(e->worker_state()));
  auto progressed = clock::now();
  while (watched_ && launches_ == launch) {
    const observation seen = observe(g);
    const auto now = clock::now();
    if (seen.progressed) progressed = now;
    const auto stuck_for = now - progressed;
    if (timeout_seconds_ > 0 && !seen.computing && stuck_for > timeout) {
      g.expired.store(true, std::memory_order_relaxed);
    } else if (timeout_seconds_ > 0 && seen.computing && stuck_for > timeout * computing_factor) {
      interrupt_lanes(g, stuck_for > timeout * computing_factor + time_to_leave);
    }
    if (timeout_seconds_ > 0) interrupt_engine(g, timeout + time_to_leave);
    if (limit_seconds_ == 0 && timeout_seconds_ > 0 && stuck_for < timeout && now - began > timeout * long_factor) {
      static std::once_flag once;
      std::call_once(once, [&] { note_long_launch(g, timeout_seconds_ * long_factor); });
    }
    if (limit_seconds_ > 0 && now - began > limit) {
      if (!g.over_limit.load(std::memory_order_relaxed)) end_at_next_wait(g);
      if (seen.computing && now - began > limit + time_to_wait) {
        interrupt_lanes(g, now - began > limit + time_to_wait + time_to_leave);
      }
      interrupt_engine(g, time_to_leave);
    }
    wake_.wait_for(lock, tick);
  }
}

namespace {

// Lanes in an endless loop around a barrier switch to each other and never return to the home fiber, but they raise an
// event in each turn. The listener is added only when a launch is over its limit, so other launches pay nothing for it.
class limit_listener : public event_listener {
 public:
  void handle(const event& raised) override {
    if (std::holds_alternative<block_entered>(raised) || std::holds_alternative<block_left>(raised)) return;
    worker* const w = current_worker();
    const lane* const self = current_lane();
    // Without a lane, the home fiber runs: it tests the flag itself.
    if (!w || !self || w->resolving || w->failed.error) return;
    if (!w->grid->over_limit.load(std::memory_order_relaxed)) return;
    // An opened block barrier has updated the warp itself; other waits update only the copy in `running`.
    if (running.warp && !std::holds_alternative<block_synchronised>(raised)) running.warp->ready = running.ready;
    w->failed = {};
    w->failed.error = error_launch_timeout;
    w->failed.place = self->place;
    if (!self->place) store_callers(0, w->failed);
    give_up(*w);
  }
};

}  // namespace

void end_at_next_wait(grid& g) {
  // Stays installed: later events cost one call each, in a program that has already lost a launch.
  static limit_listener listener;
  static std::once_flag once;
  std::call_once(once, [] { add_listener(listener); });
  g.over_limit.store(true, std::memory_order_relaxed);
  g.shared->announce();
}

}  // namespace cohort::engine

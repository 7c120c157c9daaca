// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watchdog.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include "../execute/executor.hpp"
#include "../report/fault.hpp"
#include "../state/grid.hpp"

namespace cohort::engine {

namespace {

using steady = std::chrono::steady_clock;

// A lane that neither waits nor returns may be computing, so it gets this many time-outs.
constexpr double computing_factor = 10;
// Launches often follow each other: for two seconds the watchdog polls, and a launch need not wake it.
constexpr int polls_before_sleep = 8;
constexpr auto poll_interval = std::chrono::milliseconds(250);

}  // namespace

void watchdog::start() {
  if (timeout_seconds_ <= 0) return;
  try {
    std::thread(&watchdog::run, this).detach();
  } catch (const std::system_error&) {
    std::fputs("cohort: warning: COHORT_TIMEOUT has no effect: the system starts no more OS threads\n", stderr);
  }
}

void watchdog::begin(grid& g) {
  if (timeout_seconds_ <= 0) return;
  const std::lock_guard lock(mutex_);
  watched_ = &g;
  if (sleeps_) wake_.notify_one();
}

void watchdog::end() {
  if (timeout_seconds_ <= 0) return;
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

// Returns when the launch has ended. `lock` is released only during waits.
void watchdog::watch(grid& g, std::unique_lock<std::mutex>& lock) {
  const auto limit = std::chrono::duration<double>(timeout_seconds_);
  const auto tick = std::chrono::duration<double>(std::clamp(timeout_seconds_ / 10, 0.005, 0.25));
  uint64_t progress_seen = ~uint64_t{0};
  std::vector<uint64_t> rounds_seen(executors_.size());
  auto progressed = steady::now();
  while (watched_ == &g) {
    uint64_t progress = 0;
    bool computing = false;
    for (size_t i = 0; i < g.workers; ++i) {
      const worker& w = executors_[i]->worker_state();
      progress += w.progress.load(std::memory_order_relaxed);
      const uint64_t rounds = w.rounds.load(std::memory_order_relaxed);
      // A worker whose home fiber has run since the last tick does not compute: its lanes yield.
      computing |= w.computing.load(std::memory_order_relaxed) && rounds == rounds_seen[i];
      rounds_seen[i] = rounds;
    }
    const auto now = steady::now();
    if (progress != progress_seen) {
      progress_seen = progress;
      progressed = now;
    } else if (!computing && now - progressed > limit) {
      g.expired.store(true, std::memory_order_relaxed);
    } else if (computing && now - progressed > limit * computing_factor) {
      for (size_t i = 0; i < g.workers; ++i) {
        const worker& w = executors_[i]->worker_state();
        if (w.computing.load(std::memory_order_relaxed)) pthread_kill(w.os_thread, abandon_signal());
      }
    }
    wake_.wait_for(lock, tick);
  }
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

#include <cohort/base/limits.hpp>

#include "../fiber/cpu_pause.hpp"
#include "../report/fault.hpp"
#include "device.hpp"

namespace cohort::engine {

namespace {

using steady = std::chrono::steady_clock;

constexpr int looks_before_sleep = 20000;
// A thread that neither waits nor returns may be computing; it gets this many time-outs.
constexpr double computing_factor = 10;

}  // namespace

pool::pool(const cohort_device& device) : device_(device) {
  for (int i = 0; i < device.workers; ++i) {
    workers_.push_back(std::make_unique<worker>());
    workers_.back()->index = i;
  }
  // They live as long as the process; nobody joins them.
  for (int i = 1; i < device.workers; ++i) std::thread(&pool::serve, this, std::ref(*workers_[i])).detach();
}

void pool::serve(worker& w) {
  uint32_t seen = 0;
  for (;;) {
    for (int look = 0; look < looks_before_sleep && epoch_.load(std::memory_order_acquire) == seen; ++look) relax();
    epoch_.wait(seen, std::memory_order_acquire);
    seen = epoch_.load(std::memory_order_acquire);
    if (static_cast<uint32_t>(w.index) < current_->workers) w.run(*current_);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

int pool::run(const cohort_launch& launch) {
  if (const int refused = check_launch(launch)) return refused;
  const std::lock_guard lock(launch_mutex_);
  session shared;
  grid g;
  if (const int error = prepare(launch, shared, g)) return error;
  run(g);
  return shared.error.load(std::memory_order_acquire);
}

// Fills `g`, a new grid of `shared`. The caller holds launch_mutex_.
int pool::prepare(const cohort_launch& launch, session& shared, grid& g) {
  g.launch = &launch;
  g.device = &device_;
  g.shared = &shared;
  g.index = static_cast<uint32_t>(shared.grids.size());
  g.blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  effective_cluster(launch, g.cluster);
  g.cluster_blocks = g.cluster[0] * g.cluster[1] * g.cluster[2];
  g.clusters = g.blocks / g.cluster_blocks;
  g.workers = static_cast<uint32_t>(std::min<uint64_t>(g.clusters, workers_.size()));
  g.chunk = static_cast<uint32_t>(std::clamp<uint64_t>(g.blocks / (uint64_t{g.workers} * 8), 1, 64));
  const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const int per_sm = blocks_per_sm(device_, threads, launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes);
  g.resident_limit = std::max(1u, static_cast<uint32_t>(per_sm * device_.sm_count) / g.workers);
  g.stack_bytes = stack_bytes(launch.device);
  g.all_blocks.expected = g.blocks;
  shared.all_blocks.expected += g.blocks;
  try {
    shared.grids.push_back(&g);
    if (launch.cooperative) {
      g.resident.resize(g.blocks);
      for (uint32_t i = 0; i < g.workers; ++i) {
        workers_[i]->idle_at.store(0, std::memory_order_relaxed);
        shared.workers.push_back(workers_[i].get());
      }
    }
  } catch (const std::bad_alloc&) {
    return error_memory_allocation;
  }
  return error_none;
}

void pool::run(grid& g) {
  if (device_.timeout_seconds > 0) {
    const std::lock_guard watch_lock(watch_mutex_);
    watched_ = &g;
    if (!watching_) {
      watching_ = true;
      std::thread(&pool::watch, this).detach();
    } else if (watch_sleeps_) {
      watch_wake_.notify_one();
    }
  }
  current_ = &g;
  const bool others = g.workers > 1;
  if (others) {
    running_.store(static_cast<uint32_t>(workers_.size() - 1), std::memory_order_relaxed);
    epoch_.fetch_add(1, std::memory_order_release);
    epoch_.notify_all();
  }
  workers_[0]->run(g);
  if (others) {
    for (int look = 0; look < looks_before_sleep && running_.load(std::memory_order_acquire); ++look) relax();
    while (const uint32_t left = running_.load(std::memory_order_acquire))
      running_.wait(left, std::memory_order_acquire);
  }
  if (device_.timeout_seconds > 0) {
    const std::lock_guard watch_lock(watch_mutex_);
    watched_ = nullptr;
  }
}

// One grid on each pool, as one session. The launching thread is worker 0 of the first, other OS threads of the others.
int pool::run_together(const cohort_launch* launches, const std::vector<pool*>& pools) {
  // In one order everywhere, so that two multi-device launches cannot wait for each other.
  std::vector<pool*> ordered = pools;
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(ordered.size());
  for (pool* p : ordered) locks.emplace_back(p->launch_mutex_);
  session shared;
  shared.multi_device = true;
  std::vector<std::unique_ptr<grid>> grids;
  for (size_t i = 0; i < pools.size(); ++i) {
    grids.push_back(std::make_unique<grid>());
    if (const int error = pools[i]->prepare(launches[i], shared, *grids.back())) return error;
  }
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < pools.size(); ++i) others.emplace_back([&, i] { pools[i]->run(*grids[i]); });
  } catch (const std::system_error&) {
    // All or nothing: the grids that have begun wait at a barrier at most, and end with the launch.
    if (shared.claim()) shared.fail(error_memory_allocation, "cohort: no OS thread for one more device\n");
    for (std::thread& t : others) t.join();
    return error_memory_allocation;
  }
  pools[0]->run(*grids[0]);
  for (std::thread& t : others) t.join();
  return shared.error.load(std::memory_order_acquire);
}

// The watchdog: sleeps while nothing is launched.
void pool::watch() {
  std::unique_lock lock(watch_mutex_);
  for (;;) {
    // Launches often follow each other: for two seconds it looks again by itself, so that they need not wake it.
    for (int look = 0; look < 8 && !watched_; ++look) watch_wake_.wait_for(lock, std::chrono::milliseconds(250));
    watch_sleeps_ = true;
    while (!watched_) watch_wake_.wait(lock);
    watch_sleeps_ = false;
    watch_launch(lock);
  }
}

// Looks after one launch, until it is over.
void pool::watch_launch(std::unique_lock<std::mutex>& lock) {
  const grid* g = watched_;
  const auto limit = std::chrono::duration<double>(device_.timeout_seconds);
  const auto tick = std::chrono::duration<double>(std::clamp(device_.timeout_seconds / 10, 0.005, 0.25));
  uint64_t progress_seen = ~uint64_t{0};
  std::vector<uint64_t> rounds_seen(workers_.size());
  auto progressed = steady::now();
  while (watched_ == g) {
    uint64_t progress = 0;
    bool computing = false;
    for (size_t i = 0; i < g->workers; ++i) {
      const worker& w = *workers_[i];
      progress += w.progress.load(std::memory_order_relaxed);
      const uint64_t rounds = w.rounds.load(std::memory_order_relaxed);
      // A fiber that came back since the last look is one that yields.
      computing |= w.computing.load(std::memory_order_relaxed) && rounds == rounds_seen[i];
      rounds_seen[i] = rounds;
    }
    const auto now = steady::now();
    if (progress != progress_seen) {
      progress_seen = progress;
      progressed = now;
    } else if (!computing && now - progressed > limit) {
      watched_->expired.store(true, std::memory_order_relaxed);
    } else if (computing && now - progressed > limit * computing_factor) {
      for (size_t i = 0; i < g->workers; ++i) {
        worker& w = *workers_[i];
        if (w.computing.load(std::memory_order_relaxed)) pthread_kill(w.os_thread, abandon_signal());
      }
    }
    watch_wake_.wait_for(lock, tick);
  }
}

}  // namespace cohort::engine

namespace {

using namespace cohort::engine;

// Never destroyed: their threads may outlive main.
std::atomic<pool*> pools[cohort::max_devices];
std::mutex pool_mutex;

pool& pool_of(int device) {
  if (pool* made = pools[device].load(std::memory_order_acquire)) return *made;
  const std::lock_guard lock(pool_mutex);
  static std::once_flag once;
  // A child has none of its parent's threads; it makes pools of its own.
  std::call_once(once, [] {
    pthread_atfork([] { pool_mutex.lock(); }, [] { pool_mutex.unlock(); },
                   [] {
                     pool_mutex.unlock();
                     for (auto& p : pools) p.store(nullptr, std::memory_order_release);
                   });
  });
  if (!pools[device].load(std::memory_order_acquire)) {
    pools[device].store(new pool(*cohort_device_get(device)), std::memory_order_release);
  }
  return *pools[device].load(std::memory_order_acquire);
}

}  // namespace

extern "C" {

int cohort_run(const cohort_launch* launch) {
  if (!launch) return cohort::error_invalid_value;
  if (!cohort_device_get(launch->device)) return cohort::error_invalid_device;
  if (!launch->kernel) return cohort::error_invalid_device_function;
  if (current_worker())
    return cohort::error_launch_failure;  // a kernel launches nothing (dynamic parallelism is out of scope)
  return pool_of(launch->device).run(*launch);
}

int cohort_run_multi_device(const cohort_launch* launches, uint32_t count) {
  if (const int refused = check_multi_device(launches, count)) return refused;
  if (current_worker()) return cohort::error_launch_failure;
  std::vector<pool*> taken;
  taken.reserve(count);
  for (uint32_t i = 0; i < count; ++i) taken.push_back(&pool_of(launches[i].device));
  return pool::run_together(launches, taken);
}

}  // extern "C"

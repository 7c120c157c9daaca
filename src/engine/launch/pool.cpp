// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <cohort/base/cpu_pause.hpp>
#include <cohort/base/limits.hpp>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/launch/admission.hpp"
#include "engine/launch/device.hpp"
#include "engine/report/report.hpp"
#include "engine/settings/settings.hpp"
#include "engine/state/running.hpp"
#include "engine/sync/event.hpp"
#include "engine/world/world.hpp"
#include "engine/world/world_transport.hpp"

namespace cohort::engine {

namespace {

// Polls of a worker without a launch before it sleeps.
constexpr int spin_limit = 20000;

// Ends the launch: raises the event and returns the error.
int finish(session& shared) {
  if (shared.assertions.any()) fail_with_assertions(shared);
  raise_event(launch_ended{&shared});
  return shared.error.load(std::memory_order_acquire);
}

}  // namespace

pool::pool(const cohort_device& device)
    : device_(device),
      watchdog_(device.timeout_seconds, device.launch_limit_seconds, executors_),
      bells_(new bell[static_cast<size_t>(device.workers)]) {
  for (int i = 0; i < device.workers; ++i) executors_.push_back(std::make_unique<executor>(i));
  watchdog_.start();  // first, because the system may not start as many OS threads as there are workers
  // The threads live as long as the process and are not joined.
  for (size_t i = 1; i < executors_.size(); ++i) {
    try {
      std::thread(&pool::serve, this, std::ref(*executors_[i])).detach();
    } catch (const std::system_error&) {
      std::fprintf(stderr, "cohort: warning: only %zu of %d workers run: the system starts no more OS threads\n", i,
                   device.workers);
      executors_.resize(i);
    }
  }
}

void pool::serve(executor& e) {
  const uint32_t index = static_cast<uint32_t>(e.worker_state().index);
  const std::atomic<uint32_t>& launch = bells_[index].launch;
  uint32_t seen = 0;
  for (;;) {
    for (int poll = 0; poll < spin_limit && launch.load(std::memory_order_acquire) == seen; ++poll) detail::cpu_pause();
    launch.wait(seen, std::memory_order_acquire);
    seen = launch.load(std::memory_order_acquire);
    if (!gate_.enter(seen)) continue;
    wake_next(index, current_->workers, seen);
    e.run(*current_);
    gate_.leave();
  }
}

// Each participating worker wakes two more: a launch wakes no more workers than it can use, and the launching thread
// pays for two system calls at most.
void pool::wake_next(uint32_t index, uint32_t workers, uint32_t launch) {
  for (uint32_t next = 2 * index + 1; next <= 2 * index + 2 && next < workers; ++next) {
    bells_[next].launch.store(launch, std::memory_order_release);
    bells_[next].launch.notify_one();
  }
}

int pool::run(const cohort_launch& launch) {
  const std::lock_guard lock(launch_mutex_);
  session shared;
  grid g;
  if (const int error = prepare(launch, shared, g)) return error;
  raise_event(launch_begun{&shared});
  run(g);
  return finish(shared);
}

// Fills `g`, a new grid of `shared`. pre: the caller holds launch_mutex_
int pool::prepare(const cohort_launch& launch, session& shared, grid& g) {
  static std::atomic<uint64_t> grids{0};
  g.number = grids.fetch_add(1, std::memory_order_relaxed) + 1;
  g.launch = &launch;
  g.device = &device_;
  g.shared = &shared;
  g.index = static_cast<uint32_t>(shared.grids.size());
  g.blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  effective_cluster(launch, g.cluster);
  g.cluster_blocks = g.cluster[0] * g.cluster[1] * g.cluster[2];
  g.clusters = g.blocks / g.cluster_blocks;
  g.next_end.store(g.clusters, std::memory_order_relaxed);
  // A green context with a part of the multiprocessors gets the same part of the workers, but at least one.
  const uint64_t multiprocessors = multiprocessors_of(launch, device_), all = static_cast<uint64_t>(device_.sm_count);
  g.workers = static_cast<uint32_t>(std::min(g.clusters, (executors_.size() * multiprocessors + all - 1) / all));
  g.chunk = static_cast<uint32_t>(std::clamp<uint64_t>(g.blocks / (uint64_t{g.workers} * 8), 1, 64));
  const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const size_t shared_bytes = launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes;
  const int per_sm = resident_blocks_per_sm(launch.device, threads, shared_bytes);
  g.resident_limit = std::max(1u, static_cast<uint32_t>(static_cast<uint64_t>(per_sm) * multiprocessors) / g.workers);
  g.spinning_limit =
      std::max(g.resident_limit,
               static_cast<uint32_t>(blocks_beside_spinners(launch.device, threads, shared_bytes) / g.workers));
  g.stack_bytes = stack_bytes(launch.device);
  if (device_.gangs && !active_plan()) select_gangs(g);
  g.all_blocks.expected = g.blocks;
  shared.all_blocks.expected += g.blocks;
  try {
    shared.grids.push_back(&g);
    if (launch.cooperative) {
      g.resident.resize(g.blocks);
      for (uint32_t i = 0; i < g.workers; ++i) {
        worker& w = executors_[i]->worker_state();
        w.idle_at.store(0, std::memory_order_relaxed);
        shared.workers.push_back(&w);
      }
    }
  } catch (const std::bad_alloc&) {
    return error_memory_allocation;
  }
  return error_none;
}

void pool::run(grid& g) {
  watchdog_.begin(g);
  current_ = &g;
  const bool others = g.workers > 1;
  if (others) wake_next(0, g.workers, gate_.open());
  executors_[0]->run(g);
  if (others) gate_.close();
  watchdog_.end();
}

int pool::run_together(const cohort_launch* launches, const std::vector<pool*>& pools, cohort_world* world) {
  // Every multi-device launch locks in one order, so that two such launches cannot wait for each other.
  std::vector<pool*> ordered = pools;
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(ordered.size());
  for (pool* p : ordered) locks.emplace_back(p->launch_mutex_);
  session shared;
  local_transport local(shared);
  std::optional<world_transport> across;
  shared.transport = &local;
  if (world) {
    shared.world = world;
    shared.first_rank = world->first_rank();
    shared.other_ranks = world->ranks() - world->view.local_ranks;
    if (world->view.processes > 1) shared.transport = &across.emplace(shared, *world);
  }
  std::vector<std::unique_ptr<grid>> grids;
  const int error = run_grids(launches, pools, shared, grids);
  if (across) across->end(error);
  return error ? error : finish(shared);
}

// Runs one grid on each pool. The launching thread is worker 0 of the first pool, new OS threads are worker 0 of the
// other pools.
int pool::run_grids(const cohort_launch* launches, const std::vector<pool*>& pools, session& shared,
                    std::vector<std::unique_ptr<grid>>& grids) {
  for (size_t i = 0; i < pools.size(); ++i) {
    grids.push_back(std::make_unique<grid>());
    if (const int error = pools[i]->prepare(launches[i], shared, *grids.back())) return error;
  }
  raise_event(launch_begun{&shared});
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < pools.size(); ++i) others.emplace_back([&, i] { pools[i]->run(*grids[i]); });
  } catch (const std::system_error&) {
    // The launch fails as a whole. Grids that have begun pass no multi-grid barrier, and end when the launch fails.
    fail_with_line(shared, error_memory_allocation, "cohort: no OS thread for one more device\n");
    for (std::thread& t : others) t.join();
    return error_memory_allocation;
  }
  pools[0]->run(*grids[0]);
  for (std::thread& t : others) t.join();
  return error_none;
}

namespace {

// The pools are never destroyed: their threads may outlive main.
std::atomic<pool*> pools[max_devices];
std::mutex pool_mutex;

pool& pool_of(int device) {
  if (pool* made = pools[device].load(std::memory_order_acquire)) return *made;
  const std::lock_guard lock(pool_mutex);
  static std::once_flag once;
  // A child process has none of its parent's threads, so it makes pools of its own.
  std::call_once(once, [] {
    pthread_atfork([] { pool_mutex.lock(); }, [] { pool_mutex.unlock(); },
                   [] {
                     pool_mutex.unlock();
                     for (auto& p : pools) p.store(nullptr, std::memory_order_release);
                   });
  });
  if (!pools[device].load(std::memory_order_acquire)) {
    pools[device].store(new pool(*find_device(device)), std::memory_order_release);
  }
  return *pools[device].load(std::memory_order_acquire);
}

std::vector<pool*> pools_of(const cohort_launch* launches, uint32_t count) {
  std::vector<pool*> taken;
  taken.reserve(count);
  for (uint32_t i = 0; i < count; ++i) taken.push_back(&pool_of(launches[i].device));
  return taken;
}

}  // namespace

int run_launch(const cohort_launch* launch) {
  if (!launch) return error_invalid_value;
  if (!find_device(launch->device)) return error_invalid_device;
  if (!launch->kernel) return error_invalid_device_function;
  // A call inside a kernel: the runtime runs launches by kernels after their grid has ended.
  if (current_worker()) return error_launch_failure;
  if (const int refused = check_launch(*launch)) return refused;
  return pool_of(launch->device).run(*launch);
}

int run_multi_device_launch(const cohort_launch* launches, uint32_t count) {
  if (const int refused = check_multi_device(launches, count)) return refused;
  if (current_worker()) return error_launch_failure;
  return pool::run_together(launches, pools_of(launches, count), nullptr);
}

int run_world_launch(cohort_world& world, const cohort_launch* launches, uint32_t count) {
  if (current_worker()) return error_launch_failure;
  int refused = check_multi_device(launches, count);
  if (!refused && count != world.view.local_ranks) refused = error_invalid_value;
  if (const int error = begin_world_launch(world, *launches, refused)) return error;
  const int error = pool::run_together(launches, pools_of(launches, count), &world);
  if (world.lost) end_lost_world(world);
  return error;
}

void local_transport::raise_phase() {
  raise_event(multi_grid_synchronised{&session_});
  session_.all_blocks.open();
  session_.announce();
}

void local_transport::put(size_t offset, const void* from, size_t bytes) {
  std::memcpy(session_.scratch_start() + offset, from, bytes);
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/world/world.hpp"

#include <sched.h>

#include <algorithm>
#include <cohort/base/cuda_error.hpp>
#include <cohort/base/launcher_variables.hpp>
#include <cohort/base/round_up.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>

#include "engine/report/report.hpp"
#include "engine/report/text.hpp"
#include "engine/settings/environment.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

constexpr size_t segment_alignment = 64;

// Delay between the report about a loss and the end of all processes: the others find the loss at about the same time,
// and their reports must not be cut off.
constexpr auto time_for_reports = std::chrono::milliseconds(400);

int report_loss(cohort_world& w, const std::string& why) {
  print_report({"cohort: world: " + why + "\n"});
  end_lost_world(w);
  return error_launch_failure;
}

bool is_alone(const cohort_world& w) { return w.view.processes == 1; }

void* allocate_in_network(cohort_world& w, size_t bytes, std::vector<void*>& of_process) {
  if (w.network.allocate) return w.network.allocate(w.network.state, bytes, of_process.data());
  of_process[0] = std::aligned_alloc(segment_alignment, bytes);
  return of_process[0];
}

void release_in_network(cohort_world& w, void* handle) {
  if (w.network.release) return w.network.release(w.network.state, handle);
  std::free(handle);
}

}  // namespace

std::string describe_missing(const cohort_world& w) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", w.timeout_seconds);
  return own_rank_names(w.view) + " waits for the others, and not all of them have arrived within " + seconds +
         " s (COHORT_TIMEOUT): one has stopped, computes for longer, or cannot be reached";
}

void mark_lost(cohort_world& w) { w.lost = true; }

void end_lost_world(cohort_world& w) {
  if (w.keep_after_loss || !w.network.abort) return;
  std::this_thread::sleep_for(time_for_reports);
  w.network.abort(w.network.state);
}

bool exchange_and_wait(cohort_world& w, world_step step, uint64_t value, std::string* why) {
  deadline limit;
  world_record mine;
  mine.step = step;
  mine.value = value;
  outgoing nothing;
  nothing.messages.resize(w.view.processes);
  exchange::outcome state = w.records.begin(mine, nothing);
  if (state == exchange::outcome::lost) *why = "the network refused an operation";
  while (state == exchange::outcome::in_flight) {
    state = w.records.test(*why);
    if (state != exchange::outcome::in_flight) break;
    if (limit.is_over(w)) {
      *why = describe_missing(w);
      state = exchange::outcome::lost;
    }
    sched_yield();
  }
  if (state == exchange::outcome::complete) return true;
  mark_lost(w);
  return false;
}

int agree(cohort_world& w, world_step step, uint64_t value) {
  if (w.lost) return error_launch_failure;
  if (is_alone(w)) return error_none;
  std::string why;
  if (!exchange_and_wait(w, step, value, &why)) return report_loss(w, why);
  const int64_t other = find_other_step(w.records, w.view);
  if (other < 0) return error_none;
  const std::string sentence = describe_steps(w.records, w.view, static_cast<uint32_t>(other));
  // A process that has closed its world takes part in no further exchange.
  for (uint32_t p = 0; p < w.view.processes; ++p) w.lost |= w.records.record_of(p).step == world_step::close;
  if (w.lost) return report_loss(w, sentence);
  print_report({"cohort: world: " + sentence + "\n"});
  return error_launch_failure;
}

int open_world(const cohort_network* network, cohort_world** made) {
  const cohort_network none{};
  cohort_network n = network ? *network : none;
  n.processes = std::max(n.processes, 1u);
  const int devices = cohort_device_count();
  if (devices < 1) return error_no_device;
  auto w = std::make_unique<cohort_world>(n, static_cast<uint32_t>(devices), cohort_device_get(0)->timeout_seconds);
  w->collected.messages.resize(n.processes);
  int error = agree(*w, world_step::open, static_cast<uint64_t>(devices));
  void* staging = nullptr;
  if (error == error_none) error = allocate_symmetric(*w, cohort_array_staging_bytes, &staging);
  if (error != error_none) {
    if (w->lost) static_cast<void>(w.release());  // leaked: a network operation may still write to the world's buffers
    return error;
  }
  *made = w.release();
  return error_none;
}

int close_world(cohort_world* w) {
  if (!w) return error_none;
  const int error = agree(*w, world_step::close, 0);
  // After a loss an operation of the network may still write to the world's buffers, and a collective call would block.
  if (w->lost) return error;
  for (const symmetric_segment& s : w->memory.segments()) {
    if (!s.of_process.empty() && (error == error_none || is_alone(*w))) release_in_network(*w, s.handle);
  }
  if (error == error_none && w->network.close) w->network.close(w->network.state);
  delete w;
  return error;
}

int allocate_symmetric(cohort_world& w, size_t bytes, void** memory) {
  if (!memory || bytes == 0 || bytes > SIZE_MAX / 2 / w.view.local_ranks) return error_invalid_value;
  symmetric_segment s;
  s.rank_bytes = detail::round_up(bytes, segment_alignment);
  if (const int error = agree(w, world_step::allocation, s.rank_bytes)) return error;
  std::vector<void*> of_process(w.view.processes, nullptr);
  const size_t all = s.rank_bytes * w.view.local_ranks;
  s.handle = allocate_in_network(w, all, of_process);
  if (s.handle) std::memset(of_process[w.view.process], 0, all);
  // After this exchange all processes have memory of zeros, or none.
  if (const int error = agree(w, world_step::allocated, s.handle ? s.rank_bytes : 0)) {
    if (s.handle && is_alone(w)) release_in_network(w, s.handle);
    return s.handle ? error : error_memory_allocation;
  }
  if (!s.handle) return error_memory_allocation;
  for (void* p : of_process) s.of_process.push_back(static_cast<char*>(p));
  *memory = of_process[w.view.process];
  w.memory.add(std::move(s));
  return error_none;
}

int free_symmetric(cohort_world& w, void* memory) {
  if (!memory) return error_none;
  const std::ptrdiff_t number = w.memory.find_begin(memory);
  if (number < 0) return error_invalid_value;
  if (const int error = agree(w, world_step::release, static_cast<uint64_t>(number))) return error;
  symmetric_segment& s = w.memory.segment(static_cast<size_t>(number));
  release_in_network(w, s.handle);
  s.of_process.clear();
  return error_none;
}

void* symmetric_address(const cohort_world& w, const void* address, uint32_t rank) {
  symmetric_place place;
  if (rank >= w.ranks() || !w.memory.find(address, &place)) return nullptr;
  return w.memory.address(place, rank);
}

int find_smallest(cohort_world& w, uint64_t value, uint64_t* smallest) {
  *smallest = value;
  if (const int error = agree(w, world_step::grid_size, value)) return error;
  if (is_alone(w)) return error_none;
  for (uint32_t p = 0; p < w.view.processes; ++p) *smallest = std::min(*smallest, w.records.record_of(p).value);
  return error_none;
}

int refuse_launch(cohort_world& w, int error) {
  ++w.launches;
  if (is_alone(w) || w.lost) return error;
  std::string why;
  if (!exchange_and_wait(w, world_step::refused, static_cast<uint64_t>(error), &why)) {
    static_cast<void>(report_loss(w, why));
  }
  return error;
}

uint32_t launched_processes() {
  for (const char* name : detail::process_count_variables) {
    if (const char* text = environment_variable(name)) {
      return static_cast<uint32_t>(std::clamp(std::strtol(text, nullptr, 10), 1l, 1l << 30));
    }
  }
  const char* tasks = environment_variable(detail::slurm_count_variable);
  if (!tasks || !environment_variable(detail::slurm_process_variable)) return 1;
  return static_cast<uint32_t>(std::clamp(std::strtol(tasks, nullptr, 10), 1l, 1l << 30));
}

bool shares_memory() { return read_setting("COHORT_WORLD_SHARED", 1) != 0; }

namespace {

// FNV-1a over the values that must be equal in all processes.
class shape_hash {
 public:
  void add(const void* bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
    }
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

uint64_t hash_of(const cohort_launch& l) {
  shape_hash h;
  if (l.kernel->name) h.add(l.kernel->name, std::strlen(l.kernel->name));
  h.add(l.grid, sizeof l.grid);
  h.add(l.block, sizeof l.block);
  h.add(l.cluster, sizeof l.cluster);
  h.add(&l.dynamic_shared_bytes, sizeof l.dynamic_shared_bytes);
  return h.value();
}

}  // namespace

int begin_world_launch(cohort_world& w, const cohort_launch& launch, int refused) {
  if (refused) return refuse_launch(w, refused);
  ++w.launches;
  w.collected.clear();
  return agree(w, world_step::launch, hash_of(launch));
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/device.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "engine/launch/thread_memory.hpp"
#include "engine/report/addr2line.hpp"
#include "engine/report/report.hpp"
#include "engine/schedule/plan.hpp"
#include "engine/search/search.hpp"
#include "engine/settings/gpus.hpp"
#include "engine/settings/settings.hpp"
#include "engine/tensor/fast_products.hpp"
#include "engine/trace/trace.hpp"

namespace cohort::engine {

namespace {

constexpr size_t least_stack_bytes = 256 * 1024;
// Bytes of stack in addition to the variables of a kernel that needs a larger stack than the device's: for library
// functions, and for the engine in a wait.
constexpr size_t stack_bytes_beside_variables = 64 * 1024;
constexpr int multiprocessors_of_a_large_gpu = 132;

std::string cpu_name() {
  std::string name;
  if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
    char line[512];
    while (name.empty() && std::fgets(line, sizeof line, file)) {
      if (std::strncmp(line, "model name", 10) != 0) continue;
      if (const char* colon = std::strchr(line, ':')) name = colon + 1;
    }
    std::fclose(file);
  }
  const auto keep = [](char c) { return c != '\n'; };
  std::string clean;
  for (char c : name) {
    if (keep(c) && !(c == ' ' && (clean.empty() || clean.back() == ' '))) clean += c;
  }
  return clean.empty() ? "CPU" : clean;
}

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

// Sets the fields that COHORT_GPU decides. Without it the device has the limits of capability 9.0, and the size, clocks
// and caches of this machine.
void describe_gpu(const gpu* card, cohort_device& d) {
  constexpr int default_capability = 90;
  constexpr int khz = 1000;
  const capability_limits& limits = limits_of(card ? card->capability : default_capability);
  d.compute_major = limits.number / 10;
  d.compute_minor = limits.number % 10;
  d.max_threads_per_sm = limits.threads_per_sm;
  d.max_blocks_per_sm = limits.blocks_per_sm;
  d.max_cluster_blocks = limits.cluster_blocks;
  d.shared_per_block_optin = static_cast<size_t>(limits.shared_kib_optin) * 1024;
  d.shared_per_sm = static_cast<size_t>(limits.shared_kib_per_sm) * 1024;
  d.shared_reserved_per_block = static_cast<size_t>(limits.shared_reserved_bytes);
  d.shared_unit = limits.shared_unit_bytes;
  d.float_to_double_ratio = limits.float_to_double_ratio;
  if (!card) return;
  d.clock_khz = card->clock_mhz * khz;
  d.memory_clock_khz = card->memory_clock_mhz * khz;
  d.memory_bus_bits = card->bus_bits;
  d.l2_bytes = card->cache_kib * 1024;
}

double memory_of_machine() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

cohort_device make_device(int devices) {
  cohort_device d{};
  const gpu* const card = chosen_gpu();
  describe_gpu(card, d);
  d.workers = static_cast<int>(read_setting("COHORT_WORKERS", std::max(1, usable_cpus() / devices)));
  const int sm_default = card ? card->multiprocessors : d.workers;
  if (active_plan()) d.workers = 1;
  d.sm_count = static_cast<int>(read_setting("COHORT_SMS", sm_default));
  std::snprintf(d.name, sizeof d.name, "Cohort virtual %s (%s)", card ? card->product : "device", cpu_name().c_str());
  d.warp_size = 32;
  d.max_threads_per_block = 1024;
  d.max_block_dim[0] = 1024;
  d.max_block_dim[1] = 1024;
  d.max_block_dim[2] = 64;
  d.max_grid_dim[0] = 0x7fffffff;
  d.max_grid_dim[1] = 65535;
  d.max_grid_dim[2] = 65535;
  const auto read_bytes = [](const char* name, size_t fallback) {
    return static_cast<size_t>(read_setting(name, static_cast<double>(fallback)));
  };
  d.shared_per_block = read_bytes("COHORT_SHARED_PER_BLOCK", size_t{48} * 1024);
  d.shared_per_block_optin = read_bytes("COHORT_SHARED_PER_BLOCK_OPTIN", d.shared_per_block_optin);
  d.shared_per_sm = read_bytes("COHORT_SHARED_PER_SM", d.shared_per_sm);
  d.shared_per_block_optin = std::max(d.shared_per_block_optin, d.shared_per_block);
  d.shared_per_sm = std::max(d.shared_per_sm, d.shared_per_block_optin + d.shared_reserved_per_block);
  d.registers_per_block = 65536;
  d.stack_bytes = static_cast<size_t>(read_setting("COHORT_STACK", 256 * kib));
  d.memory_guard = static_cast<int>(read_setting("COHORT_GUARD", 1));
  reports_are_json();  // refuses an invalid value before a launch can fail
  d.timeout_seconds = read_setting("COHORT_TIMEOUT", 60);
  d.launch_limit_seconds = read_setting("COHORT_LAUNCH_LIMIT", 0);
  const double share = memory_of_machine() / devices;  // a device has no more memory than its machine
  const double memory = card ? std::min(share, card->memory_gib * 1024.0 * 1024 * 1024) : share;
  d.memory_bytes = static_cast<size_t>(read_setting("COHORT_MEMORY", memory));
  d.gangs = static_cast<int>(read_setting("COHORT_GANGS", 1));
  use_fast_products(read_setting("COHORT_TENSOR", 0) != 0 ? fast_code_of_cpu() : fast_code::none);
  d.cpu = read_form_setting("COHORT_CPU");
  return d;
}

int read_device_count() {
  warn_of_unknown_variables();
  warn_of_missing_search();
  trace_launches();
  find_addr2line();  // an invalid COHORT_ADDR2LINE ends the process here, not in a report
  return static_cast<int>(read_setting("COHORT_DEVICES", 1));
}

struct devices {
  int count = read_device_count();
  cohort_device facts = make_device(count);               // equal for all devices
  thread_memory for_threads = find_thread_memory(count);  // each device's share of the machine's memory
  std::unique_ptr<std::atomic<size_t>[]> needed_stack_bytes{new std::atomic<size_t>[static_cast<size_t>(count)]()};
  std::unique_ptr<std::atomic<size_t>[]> requested_stack_bytes{new std::atomic<size_t>[static_cast<size_t>(count)]()};
};

// Never destroyed: a detached worker may read it while the process ends.
devices& all_devices() {
  static devices& made = *new devices;
  return made;
}

}  // namespace

int device_count() { return all_devices().count; }

const cohort_device* find_device(int device) {
  if (device < 0 || device >= all_devices().count) return nullptr;
  return &all_devices().facts;
}

int blocks_per_sm(const cohort_device& device, uint32_t threads, size_t shared_bytes) {
  if (threads == 0 || threads > static_cast<uint32_t>(device.max_threads_per_block)) return 0;
  if (shared_bytes > device.shared_per_block_optin) return 0;
  const uint32_t warp = static_cast<uint32_t>(device.warp_size);
  const int by_threads = device.max_threads_per_sm / static_cast<int>((threads + warp - 1) / warp * warp);
  const auto unit = static_cast<size_t>(device.shared_unit);
  const size_t need = (shared_bytes + device.shared_reserved_per_block + unit - 1) / unit * unit;
  if (need == 0) return std::min(by_threads, device.max_blocks_per_sm);
  const int by_shared = static_cast<int>(std::min<size_t>(device.shared_per_sm / need, 1u << 20));
  return std::min({by_threads, by_shared, device.max_blocks_per_sm});
}

int resident_blocks_per_sm(int device, uint32_t threads, size_t shared_bytes) {
  const devices& all = all_devices();
  const int by_architecture = blocks_per_sm(all.facts, threads, shared_bytes);
  if (by_architecture == 0) return 0;
  const uint64_t fit = blocks_that_fit(all.for_threads, threads, shared_bytes, stack_bytes(device));
  const uint64_t on_each = fit / static_cast<uint64_t>(all.facts.sm_count);
  return static_cast<int>(std::min(static_cast<uint64_t>(by_architecture), on_each));
}

uint64_t blocks_beside_spinners(int device, uint32_t threads, size_t shared_bytes) {
  const devices& all = all_devices();
  const auto by_architecture = static_cast<uint64_t>(blocks_per_sm(all.facts, threads, shared_bytes));
  const auto multiprocessors = static_cast<uint64_t>(std::max(all.facts.sm_count, multiprocessors_of_a_large_gpu));
  return std::min(by_architecture * multiprocessors,
                  blocks_that_fit(all.for_threads, threads, shared_bytes, stack_bytes(device)));
}

uint64_t multiprocessors_of(const cohort_launch& launch, const cohort_device& device) {
  const auto all = static_cast<uint64_t>(device.sm_count);
  return launch.sm_count == 0 ? all : std::min<uint64_t>(launch.sm_count, all);
}

uint64_t resident_clusters(uint64_t multiprocessors, int blocks_per_sm, uint32_t cluster_blocks) {
  const uint64_t blocks = static_cast<uint64_t>(blocks_per_sm) * multiprocessors;
  if (cluster_blocks <= 1) return blocks;
  return blocks == 0 ? 0 : std::max<uint64_t>(blocks / cluster_blocks, 1);
}

size_t stack_bytes(int device) {
  const size_t requested = all_devices().requested_stack_bytes[device].load(std::memory_order_relaxed);
  const size_t needed = all_devices().needed_stack_bytes[device].load(std::memory_order_relaxed);
  return std::max(needed, requested ? requested : all_devices().facts.stack_bytes);
}

void provide_stack(int device, const cohort_kernel& kernel) {
  if (kernel.stack_bytes == 0) return;
  const size_t needed = kernel.stack_bytes + size_t{stack_bytes_beside_variables};
  // A kernel that fits the device's own size does not change it, so reports and limits show that size.
  if (needed <= stack_bytes(device)) return;
  std::atomic<size_t>& most = all_devices().needed_stack_bytes[device];
  size_t before = most.load(std::memory_order_relaxed);
  while (before < needed && !most.compare_exchange_weak(before, needed, std::memory_order_relaxed)) {
  }
}

void set_stack_bytes(int device, size_t bytes) {
  if (!find_device(device)) return;
  all_devices().requested_stack_bytes[device].store(std::max(bytes, least_stack_bytes), std::memory_order_relaxed);
}

}  // namespace cohort::engine

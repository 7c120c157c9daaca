// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <cohort/base/cuda_error.hpp>

namespace cohort::engine {

namespace {

constexpr double kib = 1024;
constexpr double most_bytes = 9e18;

const setting all_settings[] = {
    {"COHORT_DEVICES", "virtual devices", "1", 1, 64, true},
    {"COHORT_SMS", "streaming multiprocessors of the virtual device", "number of workers", 1, 65536, true},
    {"COHORT_WORKERS", "OS threads that run the blocks of a device",
     "CPUs that the process may use, shared by the devices", 1, 4096, true},
    {"COHORT_STACK", "bytes of address space for the stack of a CUDA thread", "262144", 256 * kib, 1024 * 1024 * kib,
     true},
    {"COHORT_TIMEOUT", "seconds after which a grid that only spins is ended with a report; 0 is never", "60", 0, 1e9,
     false},
    {"COHORT_SHARED_PER_BLOCK", "bytes of shared memory of a block without opt-in", "49152", 1024, 1024 * 1024 * kib,
     true},
    {"COHORT_SHARED_PER_BLOCK_OPTIN", "bytes of shared memory of a block with opt-in", "232448", 1024,
     1024 * 1024 * kib, true},
    {"COHORT_SHARED_PER_SM", "bytes of shared memory of a multiprocessor", "233472", 2048, 1024 * 1024 * kib, true},
    {"COHORT_MEMORY", "bytes of memory of a device", "memory of the machine, shared by the devices", 1024 * kib,
     most_bytes, true},
    {nullptr, nullptr, nullptr, 0, 0, true},
};

[[noreturn]] void refuse(const setting& s, const char* value) {
  std::fprintf(stderr, "cohort: %s=%s is not valid: expected %s from %.15g to %.15g (%s)\n", s.name, value,
               s.integer ? "a whole number" : "a number", s.least, s.most, s.meaning);
  std::exit(2);
}

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

cohort_device make_device(int devices) {
  cohort_device d{};
  d.workers = static_cast<int>(read_setting("COHORT_WORKERS", std::max(1, usable_cpus() / devices)));
  d.sm_count = static_cast<int>(read_setting("COHORT_SMS", d.workers));
  std::snprintf(d.name, sizeof d.name, "Cohort virtual device (%s)", cpu_name().c_str());
  d.warp_size = 32;
  d.max_threads_per_block = 1024;
  d.max_threads_per_sm = 2048;
  d.max_blocks_per_sm = 32;
  d.max_block_dim[0] = 1024;
  d.max_block_dim[1] = 1024;
  d.max_block_dim[2] = 64;
  d.max_grid_dim[0] = 0x7fffffff;
  d.max_grid_dim[1] = 65535;
  d.max_grid_dim[2] = 65535;
  d.shared_per_block = static_cast<size_t>(read_setting("COHORT_SHARED_PER_BLOCK", 48 * kib));
  d.shared_per_block_optin = static_cast<size_t>(read_setting("COHORT_SHARED_PER_BLOCK_OPTIN", 227 * kib));
  d.shared_per_sm = static_cast<size_t>(read_setting("COHORT_SHARED_PER_SM", 228 * kib));
  d.shared_reserved_per_block = 1024;
  d.shared_per_block_optin = std::max(d.shared_per_block_optin, d.shared_per_block);
  d.shared_per_sm = std::max(d.shared_per_sm, d.shared_per_block_optin + d.shared_reserved_per_block);
  d.registers_per_block = 65536;
  d.compute_major = 9;
  d.compute_minor = 0;
  d.stack_bytes = static_cast<size_t>(read_setting("COHORT_STACK", 256 * kib));
  d.timeout_seconds = read_setting("COHORT_TIMEOUT", 60);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  d.memory_bytes = static_cast<size_t>(read_setting("COHORT_MEMORY", memory / devices));
  d.max_cluster_blocks = 16;
  return d;
}

struct devices {
  int count = static_cast<int>(read_setting("COHORT_DEVICES", 1));
  cohort_device facts = make_device(count);  // of each
  std::unique_ptr<std::atomic<size_t>[]> requested_stack_bytes{new std::atomic<size_t>[static_cast<size_t>(count)]()};
};

// Never destroyed: a detached worker may ask while the process ends.
devices& all_devices() {
  static devices& made = *new devices;
  return made;
}

// Blocks of a cluster in this launch; false where the launch or the kernel asks for an impossible cluster.
bool find_cluster(const cohort_launch& l, uint32_t (&cluster)[3]) {
  const auto said = [](const uint32_t(&dim)[3]) { return dim[0] || dim[1] || dim[2]; };
  const bool by_launch = said(l.cluster), by_kernel = said(l.kernel->cluster_dim);
  for (int axis = 0; axis < 3; ++axis) {
    cluster[axis] = by_launch ? l.cluster[axis] : by_kernel ? l.kernel->cluster_dim[axis] : 1;
    if (cluster[axis] == 0 || l.grid[axis] % cluster[axis] != 0) return false;
    if (by_launch && by_kernel && l.cluster[axis] != l.kernel->cluster_dim[axis]) return false;
    if (cluster[axis] > static_cast<uint32_t>(all_devices().facts.max_cluster_blocks)) return false;
  }
  return cluster[0] * cluster[1] * cluster[2] <= static_cast<uint32_t>(all_devices().facts.max_cluster_blocks);
}

}  // namespace

const setting* settings() { return all_settings; }

double read_setting(const char* name, double fallback) {
  const char* text = std::getenv(name);
  if (!text || !*text) return fallback;
  const setting* s = all_settings;
  while (s->name && std::strcmp(s->name, name) != 0) ++s;
  if (!s->name) return fallback;
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || errno == ERANGE || std::isnan(value)) refuse(*s, text);
  if (value < s->least || value > s->most) refuse(*s, text);
  if (s->integer && value != std::floor(value)) refuse(*s, text);
  return value;
}

int blocks_per_sm(const cohort_device& device, uint32_t threads, size_t shared_bytes) {
  if (threads == 0 || threads > static_cast<uint32_t>(device.max_threads_per_block)) return 0;
  if (shared_bytes > device.shared_per_block_optin) return 0;
  const uint32_t warp = static_cast<uint32_t>(device.warp_size);
  const int by_threads = device.max_threads_per_sm / static_cast<int>((threads + warp - 1) / warp * warp);
  const size_t need = shared_bytes + device.shared_reserved_per_block;
  const int by_shared = static_cast<int>(std::min<size_t>(device.shared_per_sm / need, 1u << 20));
  return std::min({by_threads, by_shared, device.max_blocks_per_sm});
}

int check_launch(const cohort_launch& l) {
  if (!l.kernel) return error_invalid_device_function;
  const cohort_device* device = cohort_device_get(l.device);
  if (!device) return error_invalid_device;
  // A cooperative launch answers cudaErrorInvalidValue where a plain one answers cudaErrorInvalidConfiguration.
  const int bad_shape = l.cooperative ? error_invalid_value : error_invalid_configuration;
  uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (l.grid[axis] == 0 || l.grid[axis] > device->max_grid_dim[axis]) return bad_shape;
    if (l.block[axis] == 0 || l.block[axis] > static_cast<uint32_t>(device->max_block_dim[axis])) return bad_shape;
    threads *= l.block[axis];
  }
  if (threads > static_cast<uint64_t>(device->max_threads_per_block)) return bad_shape;
  const size_t shared = l.kernel->static_shared_bytes + l.dynamic_shared_bytes;
  const bool too_much =
      l.dynamic_shared_bytes > device->shared_per_block_optin || shared > device->shared_per_block_optin;
  const bool too_wide = l.kernel->max_threads_per_block && threads > l.kernel->max_threads_per_block;
  uint32_t cluster[3];
  if (!find_cluster(l, cluster)) return error_invalid_cluster_size;
  if (!l.cooperative) {
    if (too_wide) return error_launch_out_of_resources;
    return too_much ? error_invalid_value : error_none;
  }
  if (too_much || too_wide) return error_cooperative_launch_too_large;
  const int per_sm = blocks_per_sm(*device, static_cast<uint32_t>(threads), shared);
  const uint32_t cluster_blocks = cluster[0] * cluster[1] * cluster[2];
  const uint64_t resident = resident_clusters(*device, per_sm, cluster_blocks) * cluster_blocks;
  // The product of three dimensions can pass 64 bits, so it is compared step by step.
  uint64_t blocks = l.grid[0];
  for (int axis = 1; axis < 3 && blocks <= resident; ++axis) blocks *= l.grid[axis];
  return blocks > resident ? error_cooperative_launch_too_large : error_none;
}

int check_multi_device(const cohort_launch* launches, uint32_t count) {
  if (!launches || count == 0 || count > static_cast<uint32_t>(all_devices().count)) return error_invalid_value;
  for (uint32_t i = 0; i < count; ++i) {
    const cohort_launch& l = launches[i];
    if (!l.cooperative) return error_invalid_value;
    for (int axis = 0; axis < 3; ++axis) {
      if (l.grid[axis] != launches[0].grid[axis] || l.block[axis] != launches[0].block[axis])
        return error_invalid_value;
      if (l.cluster[axis] != launches[0].cluster[axis]) return error_invalid_value;
    }
    if (l.kernel != launches[0].kernel || l.dynamic_shared_bytes != launches[0].dynamic_shared_bytes) {
      return error_invalid_value;
    }
    for (uint32_t j = 0; j < i; ++j) {
      if (launches[j].device == l.device) return error_invalid_value;
    }
    if (const int refused = check_launch(l)) return refused;
  }
  return error_none;
}

void effective_cluster(const cohort_launch& l, uint32_t (&cluster)[3]) { find_cluster(l, cluster); }

uint64_t resident_clusters(const cohort_device& device, int blocks_per_sm, uint32_t cluster_blocks) {
  const uint64_t blocks = static_cast<uint64_t>(blocks_per_sm) * static_cast<uint64_t>(device.sm_count);
  if (cluster_blocks <= 1) return blocks;
  return blocks == 0 ? 0 : std::max<uint64_t>(blocks / cluster_blocks, 1);
}

size_t stack_bytes(int device) {
  const size_t requested = all_devices().requested_stack_bytes[device].load(std::memory_order_relaxed);
  return requested ? requested : all_devices().facts.stack_bytes;
}

}  // namespace cohort::engine

extern "C" {

int cohort_device_count(void) { return cohort::engine::all_devices().count; }

const cohort_device* cohort_device_get(int device) {
  if (device < 0 || device >= cohort_device_count()) return nullptr;
  return &cohort::engine::all_devices().facts;
}

void cohort_set_stack_bytes(int device, size_t bytes) {
  if (!cohort_device_get(device)) return;
  constexpr size_t least = 256 * 1024;
  cohort::engine::all_devices().requested_stack_bytes[device].store(std::max(bytes, least), std::memory_order_relaxed);
}

int cohort_max_blocks_per_sm(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes) {
  const cohort_device* d = cohort_device_get(device);
  if (!d || !kernel) return 0;
  if (kernel->max_threads_per_block && threads > kernel->max_threads_per_block) return 0;
  if (dynamic_shared_bytes > d->shared_per_block_optin) return 0;
  return cohort::engine::blocks_per_sm(*d, threads, kernel->static_shared_bytes + dynamic_shared_bytes);
}

int cohort_check_launch(const cohort_launch* launch) {
  return launch ? cohort::engine::check_launch(*launch) : cohort::error_invalid_value;
}

int cohort_max_clusters(const cohort_kernel* kernel, int device, uint32_t threads, size_t dynamic_shared_bytes,
                        uint32_t cluster_blocks) {
  const cohort_device* d = cohort_device_get(device);
  if (!d || cluster_blocks == 0 || cluster_blocks > static_cast<uint32_t>(d->max_cluster_blocks)) return 0;
  const int per_sm = cohort_max_blocks_per_sm(kernel, device, threads, dynamic_shared_bytes);
  return static_cast<int>(cohort::engine::resident_clusters(*d, per_sm, cluster_blocks));
}

int cohort_check_multi_device(const cohort_launch* launches, uint32_t count) {
  return cohort::engine::check_multi_device(launches, count);
}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "settings.hpp"

#include <cerrno>
#include <cmath>
#include <cohort/base/limits.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cohort::engine {

namespace {

constexpr double kib = 1024;
constexpr double most_bytes = 9e18;

const setting all_settings[] = {
    {"COHORT_DEVICES", "virtual devices", "1", 1, max_devices, true},
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

}  // namespace cohort::engine

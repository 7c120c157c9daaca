// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpus.hpp"

#include <sched.h>
#include <time.h>

#include <cstdint>

namespace bench {

namespace {

double nanoseconds_of_short_loop() {
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  volatile uint32_t word = 1;
  for (int i = 0; i < 200000; ++i) word = word * 1664525u + 1013904223u;
  clock_gettime(CLOCK_MONOTONIC, &after);
  return static_cast<double>(after.tv_sec - before.tv_sec) * 1e9 + static_cast<double>(after.tv_nsec - before.tv_nsec);
}

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  return set;
}

}  // namespace

int usable_cpus() {
  const cpu_set_t set = allowed();
  return CPU_COUNT(&set);
}

void pin_to_cpu(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

int quietest_cpu() {
  const cpu_set_t before = allowed();
  int best = 0;
  double best_time = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &before)) continue;
    pin_to_cpu(cpu);
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += nanoseconds_of_short_loop();
    if (best_time == 0 || sum <= best_time * 1.02) {
      best = cpu;
      best_time = sum;
    }
  }
  sched_setaffinity(0, sizeof before, &before);
  return best;
}

}  // namespace bench

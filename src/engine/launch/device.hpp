// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The virtual devices: what a launch may ask for, from the defaults and the COHORT_* environment variables.
#pragma once

#include <atomic>
#include <cstdint>

#include <cohort/machine/cpu/port.hpp>

namespace cohort::engine {

// One environment variable, for documentation and for checking. Values are integers unless said.
struct setting {
  const char* name;
  const char* meaning;
  const char* default_text;
  double least;
  double most;
  bool integer;
};

// All of them, closed by an entry with a null name.
const setting* settings();

// The value of a setting, or `fallback` if it is not set. A value that is no number or out of range ends the
// process with exit code 2 and a sentence that names variable, value and range.
double read_setting(const char* name, double fallback);

// Blocks of `threads` threads with `shared_bytes` of shared memory that one SM holds at once.
int blocks_per_sm(const cohort_device& device, uint32_t threads, size_t shared_bytes);

// Clusters of `cluster_blocks` blocks that are resident at once. A cluster fits wherever its blocks fit one by one.
uint64_t resident_clusters(const cohort_device& device, int blocks_per_sm, uint32_t cluster_blocks);
// Blocks of a cluster in a launch that check_launch() accepts.
void effective_cluster(const cohort_launch& launch, uint32_t (&cluster)[3]);

// Error number of CUDA for a launch that the device refuses, or 0.
int check_launch(const cohort_launch& launch);
int check_multi_device(const cohort_launch* launches, uint32_t count);

// Stack size for the next launch.
size_t stack_bytes(int device);

}  // namespace cohort::engine

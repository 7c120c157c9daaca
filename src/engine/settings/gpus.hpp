// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU that the virtual device stands for. Columns as in gpus.inc.
#pragma once

namespace cohort::engine {

struct capability_limits {
  int number;  // 10 * major + minor
  int threads_per_sm;
  int blocks_per_sm;
  int shared_kib_per_sm;
  int shared_kib_optin;
  int shared_reserved_bytes;
  int shared_unit_bytes;
  int cluster_blocks;
  int float_to_double_ratio;
};

struct gpu {
  const char* name;
  const char* product;
  int capability;
  int multiprocessors;
  int clock_mhz;
  int memory_clock_mhz;
  int bus_bits;
  int cache_kib;
  int memory_gib;
};

// The GPU that COHORT_GPU names; null if it is not set. An unknown name ends the process like any invalid setting.
const gpu* chosen_gpu();

// The limits of a compute capability that a row of gpus.inc has.
const capability_limits& limits_of(int capability);

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Core dumps of devices. A core dump is the report of the kernel that has failed, in a file. The settings are those of
// the driver API's calls and of CUDA's environment variables.
#pragma once

#include <string>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct core_dump_settings {
  bool is_written = false;      // CU_COREDUMP_ENABLE_ON_EXCEPTION
  bool aborts = true;           // CU_COREDUMP_TRIGGER_HOST
  bool is_lightweight = false;  // CU_COREDUMP_LIGHTWEIGHT
  int generation_flags = 0;     // CU_COREDUMP_GENERATION_FLAGS
  std::string file;             // CU_COREDUMP_FILE; %h, %p and %t stand for the host, the process and the time
  std::string pipe;             // CU_COREDUMP_PIPE, which the runtime does not use
};

// The settings of a device: its own, or those of all devices.
constexpr int all_devices = -1;
core_dump_settings core_dump_settings_of(int device);
void set_core_dump_settings(int device, const core_dump_settings& settings);

// A path with the host, the process and the time in the places of %h, %p and %t.
std::string expand_core_dump_path(const std::string& path);

// Logs the engine's report of a kernel that has failed with a fatal error, and writes the core dump, after which the
// program may end. No effect for another error.
void note_kernel_failure(int device, cudaError_t error);

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's numbers for what the engine can find wrong (CUDA runtime API, cudaError_t).
#pragma once

namespace cohort::engine {

enum cuda_error : int {
  success = 0,
  error_invalid_value = 1,
  error_memory_allocation = 2,
  error_invalid_configuration = 9,
  error_invalid_device_function = 98,
  error_no_device = 100,
  error_invalid_device = 101,
  error_illegal_address = 700,
  error_launch_out_of_resources = 701,
  error_launch_timeout = 702,
  error_assert = 710,
  error_hardware_stack = 714,
  error_illegal_instruction = 715,
  error_launch_failure = 719,
  error_cooperative_launch_too_large = 720,
  error_invalid_cluster_size = 912,
};

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's error numbers.
#pragma once

namespace cohort {

/// The numbers of cudaError_t (CUDA runtime API, CUDA 11 to 13) that Cohort returns or explains: error_invalid_value is
/// cudaErrorInvalidValue. The library, the engine and the compiler need no CUDA header to return one. cohort::message()
/// gives the text. include/cudart/cudart_detail/types/error_codes.h lists all of CUDA's numbers; a test compares both.
enum cuda_error : int {
  error_none = 0,
  error_invalid_value = 1,
  error_memory_allocation = 2,
  error_initialization_error = 3,
  error_cudart_unloading = 4,
  error_invalid_configuration = 9,
  error_insufficient_driver = 35,
  error_call_requires_newer_driver = 36,
  error_devices_unavailable = 46,
  error_invalid_device_function = 98,
  error_no_device = 100,
  error_invalid_device = 101,
  error_invalid_kernel_image = 200,
  error_device_uninitialized = 201,
  error_no_kernel_image_for_device = 209,
  error_ecc_uncorrectable = 214,
  error_peer_access_unsupported = 217,
  error_invalid_ptx = 218,
  error_nvlink_uncorrectable = 220,
  error_jit_compiler_not_found = 221,
  error_unsupported_ptx_version = 222,
  error_jit_compilation_disabled = 223,
  error_operating_system = 304,
  error_invalid_resource_handle = 400,
  error_symbol_not_found = 500,
  error_illegal_address = 700,
  error_launch_out_of_resources = 701,
  error_launch_timeout = 702,
  error_context_is_destroyed = 709,
  error_assert = 710,
  error_hardware_stack_error = 714,
  error_illegal_instruction = 715,
  error_misaligned_address = 716,
  error_invalid_address_space = 717,
  error_invalid_pc = 718,
  error_launch_failure = 719,
  error_cooperative_launch_too_large = 720,
  error_not_permitted = 800,
  error_not_supported = 801,
  error_system_not_ready = 802,
  error_system_driver_mismatch = 803,
  error_compat_not_supported_on_device = 804,
  error_mps_connection_failed = 805,
  error_mps_rpc_failure = 806,
  error_mps_server_not_ready = 807,
  error_mps_max_clients_reached = 808,
  error_mps_max_connections_reached = 809,
  error_mps_client_terminated = 810,
  error_stream_capture_unsupported = 900,
  error_stream_capture_invalidated = 901,
  error_stream_capture_isolation = 905,
  error_stream_capture_implicit = 906,
  error_stream_capture_wrong_thread = 908,
  error_invalid_cluster_size = 912,
  error_unknown = 999,
};

}  // namespace cohort

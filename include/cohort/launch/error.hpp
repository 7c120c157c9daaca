// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of a launch, as a number and as a sentence.
#pragma once

#include <stdint.h>

#include "../base/cuda_error.hpp"

namespace cohort {

/// The result of a launch: one of CUDA's error numbers (cudaError_t), and the numbers of blocks if a cooperative launch
/// was too large. True in a condition if the launch failed.
class [[nodiscard]] error {
 public:
  /// Success.
  constexpr error() = default;
  /// @param number  a value of cuda_error or cudaError_t
  constexpr explicit error(int number) : number_(number) {}
  /// A cooperative launch that is too large.
  /// @param number   error_cooperative_launch_too_large
  /// @param asked    blocks of the launch
  /// @param fitting  blocks that can be resident at once
  constexpr error(int number, uint64_t asked, uint64_t fitting) : number_(number), asked_(asked), fitting_(fitting) {}

  /// @return the error number; 0 for success
  constexpr int number() const { return number_; }
  /// @return true if the launch failed
  constexpr explicit operator bool() const { return number_ != 0; }
  /// Compares the error numbers.
  friend constexpr bool operator==(error a, error b) { return a.number_ == b.number_; }
  /// Compares the error numbers.
  friend constexpr bool operator!=(error a, error b) { return a.number_ != b.number_; }

  /// @return the blocks of a cooperative launch that is too large (number 720); 0 for any other result
  constexpr uint64_t blocks_asked() const { return asked_; }
  /// @return the blocks that can be resident at once with the launch's block size and shared memory, if it is too large
  ///         (number 720); 0 for any other result
  constexpr uint64_t blocks_fitting() const { return fitting_; }

 private:
  int number_ = 0;
  uint64_t asked_ = 0, fitting_ = 0;
};

namespace detail {

// Text in a buffer of fixed size, made without <stdio.h>. Text beyond the size is cut off.
class short_text {
 public:
  short_text& operator<<(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
    return *this;
  }
  short_text& operator<<(uint64_t number) {
    if (number >= 10) *this << number / 10;
    put(static_cast<char>('0' + number % 10));
    return *this;
  }
  void clear() {
    size_ = 0;
    text_[0] = '\0';
  }
  const char* c_str() const { return text_; }

 private:
  void put(char c) {
    if (size_ + 1 >= sizeof(text_)) return;
    text_[size_++] = c;
    text_[size_] = '\0';
  }
  char text_[256] = {};
  unsigned size_ = 0;
};

// The message of a launch that is too large. The text is the calling OS thread's own, until its next call.
inline const char* message_with_numbers(error e) {
  thread_local short_text text;
  text.clear();
  text << "too many blocks in cooperative launch: they must all be resident at once, " << e.blocks_asked()
       << " were asked for and " << e.blocks_fitting();
  if (e.blocks_fitting() == 0) {
    text << " fit: use smaller blocks or less shared memory";
  } else {
    text << " fit: launch at most " << e.blocks_fitting() << ", or take cohort::largest_grid";
  }
  return text.c_str();
}

}  // namespace detail

/// Explains the result of a launch in one sentence: the fault, its place, and a remedy.
/// @param e  result of a launch
/// @return a static text; for a launch that is too large, a text of the calling OS thread that its next call overwrites
inline const char* message(error e) {
  switch (e.number()) {
    case error_none:
      return "success";
    case error_invalid_value:
      return "invalid value: more shared memory than a block may have, or an invalid shape of a cooperative launch";
    case error_memory_allocation:
      return "out of memory for the threads' stacks or the launch's workspace: use smaller blocks, or fewer";
    case error_initialization_error:
      return "the driver could not be initialized: check with nvidia-smi that it works";
    case error_cudart_unloading:
      return "the CUDA runtime is unloading because the process ends: launch before main returns";
    case error_invalid_configuration:
      return "invalid configuration: a dimension of the grid or of the block is zero or too large";
    case error_insufficient_driver:
      return "no NVIDIA driver, or one that is older than the program's CUDA runtime: install a newer driver, or build "
             "with an older CUDA toolkit";
    case error_call_requires_newer_driver:
      return "the NVIDIA driver is too old for a call of the launch: install a newer one";
    case error_devices_unavailable:
      return "the devices are unavailable: another process uses them exclusively, which nvidia-smi shows, or a "
             "kernel failed before and only a new process can continue";
    case error_invalid_device_function:
      return "invalid device function: the kernel is null, or was not compiled as the launch expects";
    case error_no_device:
      return "no device: the driver finds no GPU for this process; check CUDA_VISIBLE_DEVICES";
    case error_invalid_device:
      return "invalid device number: there are fewer devices, or the config of a launch over several devices names "
             "one";
    case error_invalid_kernel_image:
      return "the program's code for GPUs is damaged: build it again";
    case error_device_uninitialized:
      return "the device's context is gone or the CUDA runtime cannot use it: make one with cudaSetDevice";
    case error_no_kernel_image_for_device:
      return "the program has no code for this GPU: compile for it, with nvcc -arch=native or its -gencode";
    case error_ecc_uncorrectable:
      return "the device found an error in its memory that it could not correct; nvidia-smi -q -d ECC has details";
    case error_peer_access_unsupported:
      return "peer access is not supported between two of the devices: a launch over several devices needs it";
    case error_invalid_ptx:
      return "the driver could not compile the program's PTX for this GPU: compile for it, with nvcc -arch=native";
    case error_nvlink_uncorrectable:
      return "an NVLink failed while the kernel ran; nvidia-smi nvlink -e has details";
    case error_jit_compiler_not_found:
    case error_jit_compilation_disabled:
      return "the program has only PTX for this GPU, and the driver's compiler is missing or switched off: compile for "
             "the GPU, with nvcc -arch=native";
    case error_unsupported_ptx_version:
      return "the program's PTX is newer than the driver: install a newer driver, or compile for the GPU, with "
             "nvcc -arch=native";
    case error_operating_system:
      return "a call of the operating system failed: check the process's limits with ulimit -a";
    case error_invalid_resource_handle:
      return "invalid resource handle: the stream, or in CUDA sources the kernel, does not exist";
    case error_illegal_address:
      return "the kernel accessed an illegal address; the report on stderr has the source line, on a GPU "
             "compute-sanitizer finds it";
    case error_launch_out_of_resources:
      return "too many resources requested for launch: use fewer threads or less shared memory in a block";
    case error_launch_timeout:
      return "the kernel made no progress for COHORT_TIMEOUT seconds, or ran longer than the GPU's display allows; "
             "the report on stderr has the source line";
    case error_context_is_destroyed:
      return "the device's context has been destroyed: reset the device before the next launch";
    case error_assert:
      return "an assertion in the kernel failed; stderr has its text and source line";
    case error_hardware_stack_error:
      return "the kernel overflowed a stack; the report on stderr has the source line";
    case error_illegal_instruction:
      return "the kernel executed an illegal instruction; compute-sanitizer finds the source line";
    case error_misaligned_address:
      return "the kernel accessed a misaligned address: a value must lie at a multiple of its size";
    case error_invalid_address_space:
      return "an instruction for global, shared or local memory was given an address of another kind";
    case error_invalid_pc:
      return "the kernel jumped to an address without an instruction: a pointer to a function is wrong";
    case error_launch_failure:
      return "the kernel failed: deadlock, misuse or exception; see the report on stderr, on a GPU that of "
             "compute-sanitizer";
    case error_cooperative_launch_too_large:
      return e.blocks_asked() != 0 ? detail::message_with_numbers(e)
                                   : "too many blocks in cooperative launch: they must all be resident at once";
    case error_not_permitted:
      return "not permitted here: a function that a stream calls on the host cannot launch";
    case error_not_supported:
      return "not supported: the device cannot do this kind of launch";
    case error_system_not_ready:
      return "the system is not ready for CUDA: check that the GPUs' fabric manager has started";
    case error_system_driver_mismatch:
      return "the driver and its libraries are of different versions: reload the driver, or restart the machine";
    case error_compat_not_supported_on_device:
      return "the CUDA compatibility libraries do not support this GPU: take them off the library path";
    case error_mps_connection_failed:
    case error_mps_rpc_failure:
    case error_mps_server_not_ready:
    case error_mps_max_clients_reached:
    case error_mps_max_connections_reached:
    case error_mps_client_terminated:
      return "CUDA's multi-process service (MPS) refuses this process or lost its connection; its log has the reason";
    case error_stream_capture_unsupported:
      return "a launch over several devices cannot be captured into a graph";
    case error_stream_capture_invalidated:
      return "the capture of the stream has failed before: end it, then capture again";
    case error_stream_capture_isolation:
      return "the launch depends on work outside the stream's capture: join the streams inside the capture";
    case error_stream_capture_implicit:
      return "a launch into the default stream would wait for a stream that is being captured: launch into a stream "
             "made with cudaStreamNonBlocking";
    case error_stream_capture_wrong_thread:
      return "the stream's capture belongs to another thread: launch from the thread that began it";
    case error_invalid_cluster_size:
      return "invalid cluster size: each extent of the grid must be a multiple of the cluster's, which has at "
             "most as many blocks as the device allows";
    case error_unknown:
      return "the driver failed without a reason; the system's log may have one";
    default:
      return "unknown error";
  }
}

}  // namespace cohort

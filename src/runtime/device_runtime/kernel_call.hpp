// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common begin and end of the runtime's calls that kernels make.
#pragma once

#include <new>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/error/error.hpp"
#include "runtime/launch/grid_work.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

inline device_thread this_device_thread() {
  const uint64_t y = uint64_t{cohort_block_index(2)} * cohort_grid_dim(1) + cohort_block_index(1);
  return {y * cohort_grid_dim(0) + cohort_block_index(0), cohort_thread_rank()};
}

// During its lifetime the kernel's device is the current device of this OS thread. The thread's last error is restored.
class in_kernel {
 public:
  in_kernel() : device_(current_device().index), by_(chosen_by()), green_(current_green_context()) {
    choose_device(static_cast<int>(cohort_device_index()), by_);
  }
  ~in_kernel() { choose_device(device_, by_, green_); }
  in_kernel(const in_kernel&) = delete;

 private:
  const last_error_guard error_;
  const int device_;
  const device_choice by_;
  green_context* const green_;
};

// Stores an error as the running thread's latest, which cudaGetLastError in the kernel returns. Returns `error`.
inline cudaError_t remember_in_kernel(cudaError_t error) {
  grid_work* const work = grid_work::of_running_grid();
  if (error != cudaSuccess && work) work->set_error(this_device_thread(), error);
  return error;
}

// Runs a call of a kernel. `body` returns the error.
template <class Body>
cudaError_t kernel_call(Body&& body) noexcept {
  try {
    const in_kernel here;
    return remember_in_kernel(body());
  } catch (const std::bad_alloc&) {
    return remember_in_kernel(cudaErrorMemoryAllocation);
  }
}

// Runs a call of a kernel about the work of its grid: `body` takes the grid_work. cudaErrorNotSupported in a kernel
// that plain C++ has launched.
template <class Body>
cudaError_t grid_call(Body&& body) noexcept {
  return kernel_call([&] {
    grid_work* const work = grid_work::of_running_grid();
    return work ? body(*work) : cudaErrorNotSupported;
  });
}

}  // namespace cohort::runtime

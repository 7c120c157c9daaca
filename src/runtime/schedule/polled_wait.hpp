// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of a stream's operation for something that no other operation of this process signals.
#pragma once

#include <chrono>
#include <thread>

#include <cohort/base/cpu_pause.hpp>

#include "runtime/schedule/scheduler.hpp"
#include "runtime/schedule/time_limit.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// Polls `is_met()` until it returns true. Ends early, without an error, when the device has failed, and with
// cudaErrorLaunchTimeout when `is_over(time_limit&)` returns true. A poll pauses at first, then suspends its thread
// between two polls: a wait may last for seconds.
template <class Met, class Over>
cudaError_t wait_polled(const device_state& device, Met&& is_met, Over&& is_over) {
  constexpr int pauses = 1000;
  constexpr std::chrono::microseconds longest_sleep{200};
  time_limit time;
  const scheduler::wait_scope waits;
  auto sleep = std::chrono::microseconds{1};
  for (int polls = 0; !is_met(); ++polls) {
    if (polls < pauses) {
      cohort::detail::cpu_pause();
      continue;
    }
    if (device.fatal_error.load(std::memory_order_acquire) != cudaSuccess) return cudaSuccess;
    if (is_over(time)) return cudaErrorLaunchTimeout;
    std::this_thread::sleep_for(sleep);
    if (sleep < longest_sleep) sleep *= 2;
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime

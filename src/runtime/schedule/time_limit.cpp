// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/time_limit.hpp"

#include <cohort/machine/cpu/port.hpp>

#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

// An operation that has lasted for this many time-outs is reported once, as a long kernel is.
constexpr double long_factor = 10;

double seconds_since(std::chrono::steady_clock::time_point when) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - when).count();
}

}  // namespace

time_limit::verdict time_limit::check(const device_state& device, bool only_waits) {
  const cohort_device& described = *cohort_device_get(device.index);
  const double limit = described.launch_limit_seconds, timeout = described.timeout_seconds;
  if (limit > 0 && seconds_since(began_) > limit) {
    seconds_ = limit;
    return verdict::is_over;
  }
  if (!only_waits || timeout == 0 || !scheduler::instance().only_waits_end()) {
    last_since_ = clock::time_point::max();
  } else if (last_since_ == clock::time_point::max()) {
    last_since_ = clock::now();
  } else if (seconds_since(last_since_) > timeout) {
    seconds_ = timeout;
    return verdict::is_last;
  }
  if (limit > 0 || timeout == 0 || is_noted_ || seconds_since(began_) <= timeout * long_factor) return verdict::within;
  is_noted_ = true;
  seconds_ = timeout * long_factor;
  return verdict::is_long;
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guard that changes the current device of the calling thread for a scope.
#pragma once

#include "../api/runtime_api.hpp"

namespace cohort {
namespace detail {

// Makes `device` current in the scope. A negative number leaves the current device.
class device_guard {
 public:
  explicit device_guard(int device) {
    if (device < 0) return;
    result_ = api::get_device(&before_);
    if (result_ == api::success) result_ = api::set_device(device);
  }
  device_guard(const device_guard&) = delete;
  ~device_guard() {
    if (before_ >= 0) static_cast<void>(api::set_device(before_));
  }
  api::error result() const { return result_; }

 private:
  int before_ = -1;
  api::error result_ = api::success;
};

}  // namespace detail
}  // namespace cohort

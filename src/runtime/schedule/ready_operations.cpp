// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/ready_operations.hpp"

#include <algorithm>
#include <utility>

#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

// The kernel that `device` can run next; null if one of the kernel's devices is busy. Only the first kernel of a queue
// may run: any other would violate priorities and starve kernels of several devices.
operation* next_kernel(const device_state& device) {
  if (device.kernel_runs || device.ready_kernels.empty()) return nullptr;
  operation* const op = device.ready_kernels.front().get();
  const bool free = op->on_all_devices(
      [op](device_state& each) { return !each.kernel_runs && each.ready_kernels.front().get() == op; });
  return free ? op : nullptr;
}

}  // namespace

void ready_operations::add(const operation_ref& op) {
  if (op->kind != operation_kind::kernel) return work_.push_back(op);
  // Two kernels have the same order in all queues that hold both. This excludes a deadlock between kernels of several
  // devices.
  op->on_all_devices([&](device_state& device) {
    auto& queue = device.ready_kernels;
    const auto later = [&](const operation_ref& other) { return other->priority > op->priority; };
    queue.insert(std::find_if(queue.begin(), queue.end(), later), op);
    return true;
  });
}

operation_ref ready_operations::take_kernel(device_state& device, uint64_t token) {
  operation* const next = next_kernel(device);
  if (!next || (token != 0 && next->wanted_by != token)) return nullptr;
  operation_ref op = device.ready_kernels.front();
  op->on_all_devices([](device_state& each) {
    each.ready_kernels.pop_front();
    each.kernel_runs = true;
    return true;
  });
  return op;
}

operation_ref ready_operations::take_any() {
  if (!work_.empty()) {
    operation_ref op = std::move(work_.front());
    work_.pop_front();
    return op;
  }
  for (int i = 0; i < device_count(); ++i) {
    if (operation_ref op = take_kernel(device_at(i), 0)) return op;
  }
  return nullptr;
}

operation_ref ready_operations::take_wanted(uint64_t token) {
  for (auto at = work_.begin(); at != work_.end(); ++at) {
    if ((*at)->wanted_by != token || (*at)->kind == operation_kind::host_function) continue;
    operation_ref op = std::move(*at);
    work_.erase(at);
    return op;
  }
  for (int i = 0; i < device_count(); ++i) {
    if (operation_ref op = take_kernel(device_at(i), token)) return op;
  }
  return nullptr;
}

size_t ready_operations::count() const {
  size_t count = work_.size();
  for (int i = 0; i < device_count(); ++i) {
    const operation* const op = next_kernel(device_at(i));
    count += op && op->device == &device_at(i);
  }
  return count;
}

std::vector<operation_ref> ready_operations::take_all() {
  std::vector<operation_ref> all(work_.begin(), work_.end());
  work_.clear();
  for (int i = 0; devices_exist() && i < device_count(); ++i) {
    device_state& device = device_at(i);
    all.insert(all.end(), device.ready_kernels.begin(), device.ready_kernels.end());
    device.ready_kernels.clear();
    device.kernel_runs = false;
  }
  return all;
}

}  // namespace cohort::runtime

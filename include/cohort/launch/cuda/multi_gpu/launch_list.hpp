// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two forms of a launch over several GPUs: a list of grids with their streams, which returns once all grids are in
// their streams, and one shape on the first devices, which returns when all grids have ended.
#pragma once

#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "../../../base/cuda_error.hpp"
#include "../../../base/limits.hpp"
#include "../../config.hpp"
#include "../api/runtime_api.hpp"
#include "../device/device_guard.hpp"
#include "../device/single_device.hpp"
#include "launcher.hpp"
#include "list_rules.hpp"
#include "relaxed_capture_guard.hpp"
#include "runtime_facts.hpp"

namespace cohort {
namespace detail {

// One grid of a list, with the members of cudaLaunchParams.
struct listed_grid {
  void* func;
  dim3 gridDim, blockDim;
  void** args;
  size_t sharedMem;
  api::stream stream;
};

// Makes `result` the error that cudaGetLastError() returns. The rules find errors without a call of the runtime, so
// this function makes a call that fails with that number.
template <class Unused>
api::error leave_last_error(api::error result) {
  if (api::peek_at_last_error() == result) return result;
  const relaxed_capture_guard relaxed;
  api::kernel_attributes unused;
  int value;
  multi_grid_descriptor* nowhere = nullptr;
  multi_grid_descriptor nothing = {};
  void* arguments[] = {&nowhere, &nothing};
  switch (static_cast<int>(result)) {
    case error_invalid_value:
      static_cast<void>(api::create_event(nullptr));
      break;
    case error_invalid_device_function:
      static_cast<void>(api::get_attributes(&unused, static_cast<const void*>(nullptr)));
      break;
    case error_invalid_device:
      static_cast<void>(api::get_attribute(&value, api::attribute::warp_size, -1));
      break;
    case error_invalid_resource_handle:
      static_cast<void>(api::record_event(nullptr, nullptr));
      break;
    case error_cooperative_launch_too_large:
      static_cast<void>(api::launch_cooperative(reinterpret_cast<const void*>(&write_descriptor<Unused>),
                                                dim3(0x7fffffff), dim3(1024), arguments, 0, nullptr));
      break;
    default:
      break;
  }
  return result;
}

// Checks the list and launches all of its grids, or none. Writes the device and the stream of each grid, and the number
// of the launch.
template <class Unused, class Entry>
api::error launch_checked(const Entry* list, unsigned int count, unsigned int flags, dim3 cluster, device_grid* grids,
                          uint32_t* number) {
  int devices[max_devices];
  const int wrong = check_list(list, count, flags, runtime_facts{cluster}, devices);
  if (wrong != error_none) return leave_last_error<Unused>(static_cast<api::error>(wrong));
  for (unsigned int i = 0; i < count; ++i) {
    grids[i].device = devices[i];
    grids[i].stream = list[i].stream;
  }
  const uint64_t blocks = uint64_t{list[0].gridDim.x} * list[0].gridDim.y * list[0].gridDim.z;
  const auto launch_grid = [&](unsigned int i) {
    return launch_kernel(list[i].func, config_of(list[i], devices[i], cluster), true, list[i].args);
  };
  return multi_gpu_launcher<Unused>::instance().launch(list[0].func, blocks, grids, count, flags, launch_grid, number);
}

// Implements cudaLaunchCooperativeKernelMultiDevice of CUDA 9 to 12.
template <class Unused = void, class Entry>
api::error launch_list(const Entry* list, unsigned int count, unsigned int flags) {
  device_grid grids[max_devices];
  uint32_t number = 0;
  return launch_checked<Unused>(list, count, flags, dim3(0, 0, 0), grids, &number);
}

// Waits for the grids of a launch. If one of them fails, the other grids end at their next multi-grid barrier.
template <class Unused>
api::error wait_for_grids(const device_grid* grids, unsigned int count, uint32_t number) {
  const relaxed_capture_guard relaxed;
  api::event ended[max_devices] = {};
  api::error result = api::success;
  for (unsigned int i = 0; i < count; ++i) {
    const device_guard current(grids[i].device);
    api::error made = api::create_event(&ended[i]);
    if (made == api::success) made = api::record_event(ended[i], grids[i].stream);
    if (made != api::success) result = made;
  }
  unsigned int waiting = count;
  for (unsigned int polls = 0; waiting != 0; ++polls) {
    if (polls != 0) polls < 2000 ? static_cast<void>(sched_yield()) : static_cast<void>(usleep(20));
    waiting = 0;
    for (unsigned int i = 0; i < count; ++i) {
      if (ended[i] == nullptr) continue;
      const device_guard current(grids[i].device);
      const api::error now = api::query_event(ended[i]);
      if (now == api::not_ready) {
        ++waiting;
        continue;
      }
      static_cast<void>(api::destroy_event(ended[i]));
      ended[i] = nullptr;
      if (now == api::success) continue;
      if (result == api::success) multi_gpu_launcher<Unused>::instance().end(grids, count, number);
      result = now;
    }
  }
  if (api::peek_at_last_error() == api::not_ready) static_cast<void>(api::take_last_error());
  return result;
}

// Launches one grid of the config's shape on each of the devices 0 .. devices - 1 and waits for all of them.
// arguments[i] are the arguments of device i, as cudaLaunchKernel takes them.
template <class Unused>
api::error run_on_gpus(const void* kernel, const config& c, int devices, void** const* arguments) {
  listed_grid list[max_devices] = {};
  device_grid grids[max_devices];
  const unsigned int count = static_cast<unsigned int>(devices);
  for (unsigned int i = 0; i < count; ++i) {
    list[i] = {const_cast<void*>(kernel), c.grid, c.block, arguments[i], c.shared_bytes, nullptr};
    const api::error result =
        multi_gpu_launcher<Unused>::instance().launch_stream(static_cast<int>(i), &list[i].stream);
    if (result != api::success) return result;
  }
  uint32_t number = 0;
  const api::error result = launch_checked<Unused>(list, count, no_post_sync, c.cluster, grids, &number);
  return result != api::success ? result : wait_for_grids<Unused>(grids, count, number);
}

}  // namespace detail
}  // namespace cohort

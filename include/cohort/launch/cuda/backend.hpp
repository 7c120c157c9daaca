// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in CUDA sources, through the CUDA runtime API only. engine/backend.hpp has the counterpart of each function
// for plain C++.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/limits.hpp"
#include "../../group/grid_workspace.hpp"
#include "../config.hpp"
#include "../error.hpp"
#include "../parameters.hpp"
#include "api/runtime_api.hpp"
#include "device/device_guard.hpp"
#include "device/single_device.hpp"
#if COHORT_ON_GPU
#include "multi_gpu/launch_list.hpp"
#else
#include "api/own_runtime_api.hpp"
#endif

namespace cohort {
namespace detail {

// Returns the handle that the other functions of this file take.
template <class... P, class... List>
kernel_handle describe(void (*const& kernel)(P...), type_list<List...>) {
  return reinterpret_cast<const void*>(kernel);
}

// Launches on one device and returns an error number. pointers[0] is unused here; the address of each parameter
// follows.
inline int run_launch(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  return static_cast<int>(launch_kernel(kernel, c, cooperative, pointers + 1));
}

#if COHORT_ON_GPU
// The stream of `device` for a launch over several devices. Null after an error, which the launch then returns.
template <class Unused = void>
api::stream multi_device_stream(int device) {
  api::stream stream = nullptr;
  return multi_gpu_launcher<Unused>::instance().launch_stream(device, &stream) == api::success ? stream : nullptr;
}

// Launches one grid on each device and returns when all have ended. pointers[i] is for device i: its first entry is
// unused, and the address of each parameter follows.
template <class Unused = void>
int run_multi_device(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  void** arguments[max_devices];
  for (int i = 0; i < devices; ++i) arguments[i] = pointers[i] + 1;
  return static_cast<int>(run_on_gpus<Unused>(kernel, c, devices, arguments));
}
#else
// Returns null: on the CPU each launch over several devices creates streams of its own.
inline api::stream multi_device_stream(int) { return nullptr; }

// Launches one grid on each device, in a stream of its own, by `start(launches, count)`. Returns when all have ended.
template <class Start>
int run_in_new_streams(kernel_handle kernel, const config& c, int devices, void** const* pointers, const Start& start) {
  api::grid_launch launches[max_devices] = {};
  api::error result = api::success;
  int made = 0;
  for (; made < devices && result == api::success; ++made) {
    const device_guard current(made);
    launches[made].func = const_cast<void*>(kernel);
    launches[made].gridDim = c.grid;
    launches[made].blockDim = c.block;
    launches[made].args = pointers[made] + 1;
    launches[made].sharedMem = c.shared_bytes;
    result = current.result() != api::success ? current.result() : api::create_stream(&launches[made].stream);
  }
  if (result == api::success) result = start(launches, static_cast<unsigned int>(devices));
  for (int i = 0; i < made; ++i) {
    if (launches[i].stream == nullptr) continue;
    const device_guard current(i);
    const api::error ended = api::synchronize_stream(launches[i].stream);
    if (result == api::success) result = ended;
    static_cast<void>(api::destroy_stream(launches[i].stream));
  }
  return static_cast<int>(result);
}

// Launches one grid on each device and returns when all have ended. pointers[i] is for device i: its first entry is
// unused, and the address of each parameter follows.
inline int run_multi_device(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  return run_in_new_streams(kernel, c, devices, pointers, [](api::grid_launch* launches, unsigned int count) {
    return api::launch_on_devices(launches, count);
  });
}

// The CUDA number of device `i` among the devices that this process has in a world.
inline int world_device(const cohort_world*, int i) { return i; }

// Launches one grid on each device of each process of a world.
inline int run_world(cohort_world* world, kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  return run_in_new_streams(kernel, c, devices, pointers, [world](api::grid_launch* launches, unsigned int count) {
    return cohort_launch_world(world, launches, count);
  });
}
#endif

// Zeroed memory of one launch, allocated and freed in the order of the launch's stream.
class launch_memory {
 public:
  launch_memory() = default;
  launch_memory(const launch_memory&) = delete;
  ~launch_memory() {
    if (address_ == nullptr) return;
    const device_guard current(device_);
    static_cast<void>(api::free_in_order(address_, stream_));
  }
  // Returns an error number. The allocator aligns to 256 bytes, so the parameter is unused.
  int make(const config& c, size_t bytes, size_t /*alignment*/) {
    device_ = c.device;
    stream_ = stream_of(c);
    const device_guard current(device_);
    api::error result = current.result();
    if (result == api::success) result = api::allocate_in_order(&address_, bytes, stream_);
    if (result != api::success) {
      address_ = nullptr;
      return static_cast<int>(result);
    }
    return static_cast<int>(api::fill(address_, 0, bytes, stream_));
  }
  void* address() const { return address_; }

 private:
  int device_ = -1;
  api::stream stream_ = nullptr;
  void* address_ = nullptr;
};

}  // namespace detail
}  // namespace cohort

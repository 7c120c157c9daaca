// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a launch over several GPUs into the grids' streams: one cooperative launch on each device, ordered by events as
// one launch, and the descriptor that makes the grids one multi-grid. docs/design/multi-gpu.md explains the steps.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../base/limits.hpp"
#include "../../../machine/ptx/port.hpp"
#include "../api/driver_api.hpp"
#include "../api/runtime_api.hpp"
#include "../device/device_guard.hpp"
#include "device_resources.hpp"
#include "launch_order.hpp"
#include "list_rules.hpp"
#include "relaxed_capture_guard.hpp"
#include "setup_kernels.hpp"

namespace cohort {
namespace detail {

// One grid of a launch over several devices.
struct device_grid {
  int device = 0;
  api::stream stream = nullptr;
  void* variable = nullptr;  // multi_device_launch() in the kernel's module; null if the module has none
};

// Keeps the first error of a sequence of calls.
class first_error {
 public:
  void note(api::error result) {
    if (first_ == api::success) first_ = result;
  }
  bool none() const { return first_ == api::success; }
  api::error result() const { return first_; }

 private:
  api::error first_ = api::success;
};

// Launches over several devices of this process. A template, so that sources without such a launch do not instantiate
// its kernels.
template <class Unused>
class multi_gpu_launcher {
 public:
  // The only object. Never destroyed, because kernels may run when the process ends.
  static multi_gpu_launcher& instance() {
    static multi_gpu_launcher& launcher = *new multi_gpu_launcher;
    return launcher;
  }

  // Puts `count` grids into their streams; `launch_grid(i)` launches grid i. Writes the launch's number, which end()
  // takes. Returns the first error. After a failed `launch_grid(i)` the earlier grids end at their next barrier. May be
  // called from any host thread: a lock keeps the calls of two launches apart.
  template <class LaunchGrid>
  api::error launch(const void* kernel, uint64_t blocks, device_grid* grids, unsigned int count, unsigned int flags,
                    LaunchGrid&& launch_grid, uint32_t* number) {
    const lock_guard guard(&mutex_);
    const relaxed_capture_guard relaxed;
    first_error error;
    number_ = number_ + 1 == 0 ? 1 : number_ + 1;
    *number = number_;
    int devices[max_devices];
    for (unsigned int i = 0; i < count; ++i) {
      const device_guard current(grids[i].device);
      if (error.none() && resources(grids[i]).is_stale()) order_.forget(grids[i].device);
      error.note(resources(grids[i]).prepare(grids[i].device));
      error.note(api::find_module_variable(kernel, COHORT_MULTI_DEVICE_LAUNCH_NAME, sizeof(multi_grid_descriptor),
                                           &grids[i].variable));
      devices[i] = grids[i].device;
    }
    if (!error.none()) return error.result();
    const multi_grid_descriptor described = describe(blocks, grids, count, error);
    begin(described, devices, grids, flags, error);
    if (error.none()) write_variables(described, grids, error);
    if (!error.none()) return error.result();

    order_.add(devices, count, blocks);
    unsigned int launched = 0;
    while (launched < count && error.none()) {
      const device_guard current(grids[launched].device);
      error.note(launch_grid(launched));
      if (error.none()) ++launched;
    }
    if (launched < count) end_grids(grids, count, number_);
    finish(grids, count, flags, error);
    return error.result();
  }

  // Ends the grids of launch `number` at their next multi-grid barrier.
  void end(const device_grid* grids, unsigned int count, uint32_t number) {
    const lock_guard guard(&mutex_);
    end_grids(grids, count, number);
  }

  // Writes the stream on `device` in which cohort::launch_multi_device launches.
  api::error launch_stream(int device, api::stream* stream) {
    const lock_guard guard(&mutex_);
    const relaxed_capture_guard relaxed;
    const device_guard current(device);
    if (resources_[device].is_stale()) order_.forget(device);
    const api::error result = resources_[device].prepare(device);
    *stream = resources_[device].launch_stream;
    return result;
  }

 private:
  class lock_guard {
   public:
    explicit lock_guard(pthread_mutex_t* mutex) : mutex_(mutex) { pthread_mutex_lock(mutex_); }
    lock_guard(const lock_guard&) = delete;
    ~lock_guard() { pthread_mutex_unlock(mutex_); }

   private:
    pthread_mutex_t* mutex_;
  };

  device_resources& resources(const device_grid& grid) { return resources_[grid.device]; }

  multi_grid_descriptor describe(uint64_t blocks, const device_grid* grids, unsigned int count, first_error& error) {
    multi_grid_descriptor launch = {};
    launch.count = count;
    launch.number = number_;
    launch.blocks = static_cast<uint32_t>(blocks);
    launch.array_half = array_half_bytes(count);
    launch.links_add = 1;
    for (unsigned int i = 0; i < count; ++i) {
      launch.words[i] = resources(grids[i]).words;
      for (unsigned int peer = 0; peer < count; ++peer) {
        int native = 1;
        if (peer != i) {
          error.note(api::has_native_atomics(&native, grids[i].device, grids[peer].device));
        }
        if (native == 0) launch.links_add = 0;
      }
    }
    return launch;
  }

  // Makes the grids' streams wait for prior work. If the launch continues the latest one and has no_pre_sync, each
  // device waits for its own earlier grid. Otherwise the streams join in `stream` of the first device, the hub. The hub
  // waits for the ends of earlier launches on all their devices, clears the memory of all devices (unless the launch
  // continues another), and waits for prior work in the grids' streams (unless no_pre_sync).
  void begin(multi_grid_descriptor launch, const int* devices, const device_grid* grids, unsigned int flags,
             first_error& error) {
    const bool continues = order_.continues(devices, launch.count, launch.blocks);
    if (continues && (flags & no_pre_sync) != 0) {
      for (unsigned int i = 0; i < launch.count; ++i) {
        const device_guard current(grids[i].device);
        error.note(api::wait_for_event(grids[i].stream, resources(grids[i]).ended));
      }
      return;
    }
    device_resources& hub = resources(grids[0]);
    for (unsigned int i = 0; i < launch.count && (flags & no_pre_sync) == 0; ++i) {
      const device_guard current(grids[i].device);
      error.note(api::record_event(resources(grids[i]).before, grids[i].stream));
    }
    {
      const device_guard current(grids[0].device);
      wait_for_earlier(order_.before(launch_order::set_of(devices, launch.count)), hub.stream, error);
      if (!continues) {
        order_.break_off(devices, launch.count);
        bool with_staging = false;
        for (unsigned int i = 0; i < launch.count; ++i) {
          with_staging = with_staging || resources(grids[i]).has_messages_left;
          resources(grids[i]).has_messages_left = false;
        }
        void* arguments[] = {&launch, &with_staging};
        error.note(api::launch(reinterpret_cast<const void*>(&clear_words<Unused>), dim3(64, launch.count), dim3(256),
                               arguments, 0, hub.stream));
      }
      for (unsigned int i = 0; i < launch.count && (flags & no_pre_sync) == 0; ++i) {
        error.note(api::wait_for_event(hub.stream, resources(grids[i]).before));
      }
      error.note(api::record_event(hub.go, hub.stream));
    }
    for (unsigned int i = 0; i < launch.count; ++i) {
      const device_guard current(grids[i].device);
      error.note(api::wait_for_event(grids[i].stream, hub.go));
    }
  }

  // Makes `stream` wait for the latest grids of `devices`, a set.
  void wait_for_earlier(uint64_t devices, api::stream stream, first_error& error) {
    for (int d = 0; d < max_devices; ++d) {
      if ((devices >> d & 1) == 0) continue;
      {
        const device_guard earlier(d);
        if (resources_[d].is_stale()) continue;  // the device was reset, which ended the grid and destroyed the event
      }
      error.note(api::wait_for_event(stream, resources_[d].ended));
    }
  }

  // Writes the descriptor to the variable of each kernel's module, in the grid's stream.
  void write_variables(multi_grid_descriptor launch, const device_grid* grids, first_error& error) {
    for (unsigned int i = 0; i < launch.count; ++i) {
      const device_guard current(grids[i].device);
      device_resources& mine = resources(grids[i]);
      if (grids[i].variable == nullptr) continue;
      launch.rank = i;
      launch.ended = const_cast<const uint32_t*>(mine.ended_launch) + launch.number % ended_words;
      void* arguments[] = {&mine.descriptor, &launch};
      error.note(api::launch_cooperative(reinterpret_cast<const void*>(&write_descriptor<Unused>), dim3(1), dim3(1),
                                         arguments, 0, grids[i].stream));
      error.note(api::copy_on_device(grids[i].variable, mine.descriptor, sizeof launch, grids[i].stream));
      if (error.none()) continue;
      for (unsigned int written = 0; written < i; ++written) clear_variable(grids[written], error);
      return;
    }
  }

  // Clears the variable: later kernels in the grid's stream belong to no launch over several devices.
  void clear_variable(const device_grid& grid, first_error& error) {
    if (grid.variable == nullptr) return;
    const device_guard current(grid.device);
    constexpr size_t cleared = offsetof(multi_grid_descriptor, ended);
    error.note(api::fill(grid.variable, 0, cleared, grid.stream));
  }

  // Orders later work in the streams after all grids (unless no_post_sync). Called even if a grid was not launched.
  void finish(const device_grid* grids, unsigned int count, unsigned int flags, first_error& error) {
    device_resources& hub = resources(grids[0]);
    for (unsigned int i = 0; i < count; ++i) {
      clear_variable(grids[i], error);
      const device_guard current(grids[i].device);
      error.note(api::record_event(resources(grids[i]).ended, grids[i].stream));
    }
    if ((flags & no_post_sync) != 0) return;
    {
      const device_guard current(grids[0].device);
      for (unsigned int i = 0; i < count; ++i) {
        error.note(api::wait_for_event(hub.stream, resources(grids[i]).ended));
      }
      error.note(api::record_event(hub.done, hub.stream));
    }
    for (unsigned int i = 0; i < count; ++i) {
      const device_guard current(grids[i].device);
      error.note(api::wait_for_event(grids[i].stream, hub.done));
    }
  }

  void end_grids(const device_grid* grids, unsigned int count, uint32_t number) {
    for (unsigned int i = 0; i < count; ++i) {
      order_.break_off(&grids[i].device, 1);
      resources(grids[i]).has_messages_left = true;
      if (resources(grids[i]).ended_launch != nullptr) resources(grids[i]).ended_launch[number % ended_words] = number;
    }
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  launch_order order_;
  device_resources resources_[max_devices];
  uint32_t number_ = 0;  // number of the latest launch; 0 before the first one
};

}  // namespace detail
}  // namespace cohort

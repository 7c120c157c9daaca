// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch over several GPUs: one cooperative launch on each, ordered by events as if they were one, and the descriptor
// that makes them one multi-grid. docs/design/multi-gpu.md explains the steps.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include "../../../machine/ptx/port.hpp"
#include "../device_guard.hpp"
#include "device_resources.hpp"
#include "list_rules.hpp"
#include "relaxed_capture_guard.hpp"

namespace cohort {
namespace detail {

// The grid of one device in such a launch.
struct device_grid {
  int device = 0;
  cudaStream_t stream = nullptr;
  void* variable = nullptr;  // multi_device_launch<> in the kernel's module
};

// Zeroes the words of all devices and the scratch behind them. One device does it for all, so that
// nothing waits for what runs on the others.
template <class Unused>
__global__ void clear_words(multi_grid_descriptor launch) {
  const uint64_t blocks = static_cast<uint64_t>(launch.blocks) * launch.count;
  const uint64_t pieces = (sizeof(multi_grid_words) + blocks * multi_grid_scratch_bytes) / sizeof(uint4);
  for (uint32_t grid = 0; grid < launch.count; ++grid) {
    uint4* const to = reinterpret_cast<uint4*>(launch.words[grid]);
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < pieces; i += gridDim.x * blockDim.x) {
      to[i] = make_uint4(0, 0, 0, 0);
    }
  }
}

// Runs in the grid's stream, as a cooperative launch: the stream's barrier word tells the kernel behind it whose launch
// the descriptor is.
template <class Unused>
__global__ void write_descriptor(multi_grid_descriptor* to, multi_grid_descriptor launch) {
  launch.grid_word = ptx::grid_barrier_word();
  *to = launch;
}

// A template, so that sources which do not launch so have no kernel of it.
template <class Unused>
class multi_device {
 public:
  // One for the process. Never destroyed: kernels may run when the process ends.
  static multi_device& instance() {
    static multi_device& all = *new multi_device;
    return all;
  }

  // The launch has a number, for end(). Returns what `launch_grid(i)`, which launches grid i, or anything else returns
  // that is not cudaSuccess. If a later grid could not be launched, those before it end by themselves.
  // Called by any host thread; all of one launch is in the streams before another one's begins.
  template <class LaunchGrid>
  cudaError_t launch(const void* kernel, uint64_t blocks, device_grid* grids, unsigned int count, unsigned int flags,
                     LaunchGrid&& launch_grid, uint32_t* number) {
    const lock_guard guard(&mutex_);
    const relaxed_capture_guard beside;
    result_ = cudaSuccess;
    number_ = number_ + 1 == 0 ? 1 : number_ + 1;
    *number = number_;
    uint64_t devices = 0;
    for (unsigned int i = 0; i < count; ++i) {
      const device_guard there(grids[i].device);
      if (result_ == cudaSuccess && of(grids[i]).is_stale()) order_.forget(grids[i].device);
      note(of(grids[i]).prepare(grids[i].device));
      note(find_module_variable(kernel, COHORT_MULTI_DEVICE_LAUNCH_NAME, sizeof(multi_grid_descriptor),
                                &grids[i].variable));
      devices |= uint64_t{1} << grids[i].device;
    }
    if (result_ != cudaSuccess) return result_;
    const multi_grid_descriptor described = describe(blocks, grids, count);
    begin(described, devices, grids, flags);
    if (result_ == cudaSuccess) tell(described, grids);
    if (result_ != cudaSuccess) return result_;

    order_.add(devices);
    unsigned int launched = 0;
    while (launched < count && result_ == cudaSuccess) {
      const device_guard there(grids[launched].device);
      note(launch_grid(launched));
      if (result_ == cudaSuccess) ++launched;
    }
    if (launched < count) end_grids(grids, launched, number_);
    finish(grids, count, flags);
    return result_;
  }

  // The grids of launch `number` end at their next barrier of all grids.
  void end(const device_grid* grids, unsigned int count, uint32_t number) {
    const lock_guard guard(&mutex_);
    end_grids(grids, count, number);
  }

  // The stream of cohort::launch_multi_device on the device.
  cudaError_t launch_stream(int device, cudaStream_t* stream) {
    const lock_guard guard(&mutex_);
    const relaxed_capture_guard beside;
    const device_guard there(device);
    if (of_device_[device].is_stale()) order_.forget(device);
    const cudaError_t result = of_device_[device].prepare(device);
    *stream = of_device_[device].launch_stream;
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

  device_memory& of(const device_grid& grid) { return of_device_[grid.device]; }
  // The first thing that goes wrong is the result.
  void note(cudaError_t result) {
    if (result_ == cudaSuccess) result_ = result;
  }

  multi_grid_descriptor describe(uint64_t blocks, const device_grid* grids, unsigned int count) {
    multi_grid_descriptor launch = {};
    launch.count = count;
    launch.number = number_;
    launch.blocks = static_cast<uint32_t>(blocks);
    launch.links_add = 1;
    for (unsigned int i = 0; i < count; ++i) {
      launch.words[i] = of(grids[i]).words;
      for (unsigned int peer = 0; peer < count; ++peer) {
        int native = 1;
        if (peer != i) {
          note(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, grids[i].device,
                                         grids[peer].device));
        }
        if (native == 0) launch.links_add = 0;
      }
    }
    return launch;
  }

  // The first device's own stream is where the devices meet. When earlier launches have ended on all their devices, the
  // memory of all is cleared; then, and after what stood in all the grids' streams, the grids may go.
  void begin(multi_grid_descriptor launch, uint64_t devices, const device_grid* grids, unsigned int flags) {
    device_memory& hub = of(grids[0]);
    const uint64_t earlier = order_.before(devices);
    for (unsigned int i = 0; i < launch.count && (flags & no_pre_sync) == 0; ++i) {
      const device_guard there(grids[i].device);
      note(cudaEventRecord(of(grids[i]).before, grids[i].stream));
    }
    const device_guard there(grids[0].device);
    for (uint32_t d = 0; d < max_grids; ++d) {
      if ((earlier >> d & 1) == 0) continue;
      {
        const device_guard its(static_cast<int>(d));
        if (of_device_[d].is_stale()) continue;  // reset since: the event is gone, and so is the grid
      }
      note(cudaStreamWaitEvent(hub.stream, of_device_[d].ended, 0));
    }
    void* arguments[] = {&launch};
    note(cudaLaunchKernel(reinterpret_cast<const void*>(&clear_words<Unused>), dim3(64), dim3(256), arguments, 0,
                          hub.stream));
    for (unsigned int i = 0; i < launch.count && (flags & no_pre_sync) == 0; ++i) {
      note(cudaStreamWaitEvent(hub.stream, of(grids[i]).before, 0));
    }
    note(cudaEventRecord(hub.go, hub.stream));
  }

  // Each grid's stream waits for that, and tells the kernel what it is part of.
  void tell(multi_grid_descriptor launch, const device_grid* grids) {
    for (unsigned int i = 0; i < launch.count; ++i) {
      const device_guard there(grids[i].device);
      device_memory& mine = of(grids[i]);
      note(cudaStreamWaitEvent(grids[i].stream, of(grids[0]).go, 0));
      if (grids[i].variable == nullptr) continue;
      launch.rank = i;
      launch.ended = const_cast<const uint32_t*>(mine.ended_launch) + launch.number % ended_words;
      void* arguments[] = {&mine.descriptor, &launch};
      note(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&write_descriptor<Unused>), dim3(1), dim3(1),
                                       arguments, 0, grids[i].stream));
      note(cudaMemcpyAsync(grids[i].variable, mine.descriptor, sizeof launch, cudaMemcpyDeviceToDevice,
                           grids[i].stream));
      if (result_ == cudaSuccess) continue;
      for (unsigned int told = 0; told < i; ++told) clear_descriptor(grids[told]);
      return;
    }
  }

  // Kernels behind this in the grid's stream are in no such launch.
  void clear_descriptor(const device_grid& grid) {
    if (grid.variable == nullptr) return;
    const device_guard there(grid.device);
    constexpr size_t cleared = offsetof(multi_grid_descriptor, ended);
    note(cudaMemsetAsync(grid.variable, 0, cleared, grid.stream));
  }

  // What follows the grids in their streams, also if not all of them were launched.
  void finish(const device_grid* grids, unsigned int count, unsigned int flags) {
    device_memory& hub = of(grids[0]);
    for (unsigned int i = 0; i < count; ++i) {
      clear_descriptor(grids[i]);
      const device_guard there(grids[i].device);
      note(cudaEventRecord(of(grids[i]).ended, grids[i].stream));
    }
    if ((flags & no_post_sync) != 0) return;
    {
      const device_guard there(grids[0].device);
      for (unsigned int i = 0; i < count; ++i) note(cudaStreamWaitEvent(hub.stream, of(grids[i]).ended, 0));
      note(cudaEventRecord(hub.done, hub.stream));
    }
    for (unsigned int i = 0; i < count; ++i) {
      const device_guard there(grids[i].device);
      note(cudaStreamWaitEvent(grids[i].stream, hub.done, 0));
    }
  }

  void end_grids(const device_grid* grids, unsigned int count, uint32_t number) {
    for (unsigned int i = 0; i < count; ++i) {
      if (of(grids[i]).ended_launch != nullptr) of(grids[i]).ended_launch[number % ended_words] = number;
    }
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  launch_order order_;
  device_memory of_device_[max_grids];
  uint32_t number_ = 0;
  cudaError_t result_ = cudaSuccess;
};

}  // namespace detail
}  // namespace cohort

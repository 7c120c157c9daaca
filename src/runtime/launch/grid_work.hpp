// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work that the threads of one grid submit: launches, copies and fills of the device runtime (CUDA C++ Programming
// Guide, "CUDA Dynamic Parallelism").
//
// All of it runs as a part of the grid's own operation, after the grid's threads have ended. That is the latest time
// that CUDA permits, so a thread that reads a result of its own launches finds none. The operation ends after its
// work, and so does everything that follows the grid.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/state/device_state.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

// A thread of a grid.
struct device_thread {
  uint64_t block;
  uint32_t rank;  // in the block
  bool operator==(const device_thread&) const = default;

  struct hash {
    size_t operator()(const device_thread& thread) const { return thread.block * 1024 + thread.rank; }
  };
};

class grid_work {
 public:
  // Makes the empty work of a grid. `grid`: the operation that runs the grid.
  explicit grid_work(operation& grid) : grid_(grid) {}
  grid_work(const grid_work&) = delete;
  ~grid_work();

  // The work of the grid that the calling thread belongs to; null for a launch that takes none.
  static grid_work* of_running_grid();

  operation& grid() const { return grid_; }

  // Appends `op` to a stream of the grid: a created one, the null stream of the thread's block, the thread's own, or
  // the stream of tail launches or of launches without an order. cudaErrorLaunchPendingCountExceeded if too many
  // operations of the device have not begun.
  cudaError_t submit(cudaStream_t handle, const device_thread& thread, const operation_ref& op);

  cudaError_t create_stream(cudaStream_t* made);
  cudaError_t destroy_stream(cudaStream_t handle);
  cudaError_t create_event(cudaEvent_t* made);
  cudaError_t destroy_event(cudaEvent_t handle);
  cudaError_t record_event(cudaEvent_t handle, cudaStream_t stream, const device_thread& thread);
  cudaError_t wait_for_event(cudaStream_t stream, const device_thread& thread, cudaEvent_t handle);

  // The thread's latest error.
  void set_error(const device_thread& thread, cudaError_t error);
  cudaError_t error_of(const device_thread& thread, bool clears);

  // Runs all submitted work, and the work of its grids. Drops the rest after an error. pre: the grid has ended
  cudaError_t run();

 private:
  struct contents;
  struct device_stream;
  struct device_event;
  struct submitted;
  struct open_grid;

  contents& own();
  bool is_empty() const;
  bool take(submitted* next);
  bool take_tail(submitted* next);
  void drop_all();
  device_stream* find_stream(cudaStream_t handle, const device_thread& thread);
  static cudaError_t begin(grid_work& parent, const submitted& next, bool is_tail, open_grid* begun);
  static void close(const open_grid& ended, operation& parent);

  operation& grid_;
  std::atomic<contents*> contents_{nullptr};  // made when a thread submits something
};

}  // namespace cohort::runtime

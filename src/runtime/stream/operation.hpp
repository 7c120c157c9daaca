// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of streams: a launch, a copy, a host function, or a mark.
//
// Operations form a graph. Each operation stores its unfinished predecessors, which must finish first, and its
// followers. Streams and events only add edges.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct device_state;
class operation;
using operation_ref = std::shared_ptr<operation>;

enum class operation_kind : uint8_t {
  mark,           // finishes as soon as its predecessors have finished
  work,           // runs on any thread of the runtime, or on a host thread that waits for it
  kernel,         // runs as work does, but alone among the kernels of its devices
  host_function,  // code of the program: runs on threads of the runtime only, even after a fatal error of the device
};

class operation {
 public:
  explicit operation(operation_kind kind) : kind_(kind) {}
  virtual ~operation() = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;

  // Sets a priority that is added to the stream's. pre: not submitted yet
  void set_priority(int priority) { priority_ = priority; }
  bool finished() const { return state_.load(std::memory_order_acquire) == state::finished; }

 protected:
  // Does the work of the operation. Called without a lock, except for marks: they are executed under the scheduler's
  // lock.
  virtual cudaError_t execute() { return cudaSuccess; }

 private:
  friend class scheduler;
  enum class state : uint32_t { waiting, ready, running, finished };

  const operation_kind kind_;
  bool reserved_ = false;   // only the thread that submitted it runs it
  int priority_ = 0;        // smaller values run first
  uint64_t wanted_by_ = 0;  // token of the waiting thread that may run it
  std::atomic<state> state_{state::waiting};
  // True if `use(device_state&)` returns true for all devices of the operation.
  template <class Use>
  bool on_all_devices(Use&& use) const {
    if (device_ && !use(*device_)) return false;
    for (device_state* other : other_devices_) {
      if (!use(*other)) return false;
    }
    return true;
  }

  device_state* device_ = nullptr;
  std::vector<device_state*> other_devices_;  // further devices of an operation in streams of several devices
  std::vector<operation*> predecessors_;  // unfinished predecessors, each of which owns a reference to this operation
  std::vector<operation_ref> followers_;
};

}  // namespace cohort::runtime

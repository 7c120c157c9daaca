// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thing that a stream does: a launch, a copy, a host function, or a mark that others wait for.
//
// Operations form a graph: each one knows what must finish before it, its predecessors, and who waits for it. Streams
// and events are only ways to make edges.
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
  mark,           // finishes at once when it is ready
  work,           // runs on any thread, also on a host thread that waits for it
  kernel,         // the same, one at a time on each device that it belongs to
  host_function,  // the user's code: only on the runtime's threads, and also where the device is dead
};

class operation {
 public:
  explicit operation(operation_kind kind) : kind_(kind) {}
  virtual ~operation() = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;

  // Before it is submitted; is added to the stream's.
  void set_priority(int priority) { priority_ = priority; }
  bool finished() const { return state_.load(std::memory_order_acquire) == state::finished; }

 protected:
  // What is to be done; no lock is held. A mark's is called with the scheduler's lock and takes no time.
  virtual cudaError_t execute() { return cudaSuccess; }

 private:
  friend class scheduler;
  enum class state : uint32_t { waiting, ready, running, finished };

  const operation_kind kind_;
  bool reserved_ = false;   // the thread that submitted it runs it, nobody else
  int priority_ = 0;        // smaller goes first
  uint64_t wanted_by_ = 0;  // the waiting thread that may run it
  std::atomic<state> state_{state::waiting};
  // Whether `use(device_state&)` holds for all devices that the operation belongs to.
  template <class Use>
  bool on_all_devices(Use&& use) const {
    if (device_ && !use(*device_)) return false;
    for (device_state* other : other_devices_) {
      if (!use(*other)) return false;
    }
    return true;
  }

  device_state* device_ = nullptr;
  std::vector<device_state*> other_devices_;  // of an operation in the streams of several devices
  std::vector<operation*> predecessors_;      // the unfinished ones; each holds a reference to this
  std::vector<operation_ref> followers_;
};

}  // namespace cohort::runtime

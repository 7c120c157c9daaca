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
struct operation;
using operation_ref = std::shared_ptr<operation>;

enum class operation_kind : uint8_t {
  mark,           // finishes as soon as its predecessors have finished
  work,           // runs on any thread of the runtime, or on a host thread that waits for it
  kernel,         // runs on any thread of the runtime; one kernel at a time on each of its devices
  host_function,  // code of the program: runs on threads of the runtime only, even after a fatal error of the device
};

// How a trace shows an operation. Without a name it is not shown.
struct operation_label {
  const char* category = nullptr;
  const char* name = nullptr;
  uint64_t bytes = 0;
};

struct operation {
  // Whether the operation waits for its predecessors, can run, runs, or has finished.
  enum class step : uint32_t { waiting, ready, running, finished };

  explicit operation(operation_kind kind) : kind(kind) {}
  virtual ~operation() = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;

  bool finished() const { return at.load(std::memory_order_acquire) == step::finished; }
  // True if `use(device_state&)` returns true for all devices of the operation.
  template <class Use>
  bool on_all_devices(Use&& use) const {
    if (device && !use(*device)) return false;
    for (device_state* other : other_devices) {
      if (!use(*other)) return false;
    }
    return true;
  }
  // Does the work of the operation. The scheduler calls it without a lock, except for marks: they are executed under
  // the scheduler's lock.
  virtual cudaError_t execute() { return cudaSuccess; }
  virtual operation_label label() const { return {}; }
  // A new operation with the same work, for each launch of a graph. Null if the work cannot be repeated.
  virtual operation_ref again() const { return nullptr; }
  // The error of repeating the work if a thing that it refers to no longer exists, with a sentence to stderr.
  // again() requires cudaSuccess.
  virtual cudaError_t permits_again() const { return cudaSuccess; }

  const operation_kind kind;
  int priority = 0;  // smaller values run first; the stream's priority is added at the submission
  std::atomic<step> at{step::waiting};

  // False for an operation that only waits. The runtime may move memory while it runs.
  bool uses_memory = true;

  // A listener's data about this operation. The runtime does not read it.
  mutable std::shared_ptr<void> followed;

  // The scheduler's lock guards all following members.
  bool has_late_edges = false;  // predecessors were added after followers, so a listener needs the edges again
  bool reserved = false;        // only the thread that submitted the operation runs it
  uint64_t wanted_by = 0;       // token of the waiting thread that may run it
  device_state* device = nullptr;
  uint32_t stream = 0;                       // id of its stream, or of the first of its streams, for a trace
  std::vector<device_state*> other_devices;  // further devices of an operation in streams of several devices
  std::vector<operation*> predecessors;      // unfinished predecessors; each owns a reference to this operation
  std::vector<operation_ref> followers;
};

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between streams and a capture. A captured stream passes its operations to a recorder, which makes nodes
// of a graph of them. The scheduler's lock guards every recorder.
#pragma once

#include <memory>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

struct stream;

// A recorded_place: the work that a captured stream has recorded so far. An event recorded in the stream refers to it.
class recorder;
class recorded_place {
 public:
  virtual ~recorded_place() = default;
  // The capture; null after its end.
  virtual recorder* owner() const = 0;
};
using recorded_place_ref = std::shared_ptr<const recorded_place>;

class recorder {
 public:
  virtual ~recorder() = default;
  // Adds the work of `op` after that of the stream. Returns cudaErrorStreamCaptureInvalidated if the capture is
  // invalid.
  virtual cudaError_t record(stream& s, const operation_ref& op) = 0;
  // Add an allocation, whose address is written into the parameters, and a free.
  virtual cudaError_t record_allocation(stream& s, cudaMemAllocNodeParams* parameters) = 0;
  virtual cudaError_t record_free(stream& s, void* memory) = 0;
  virtual recorded_place_ref place(const stream& s) = 0;
  // Orders later work of `s` after the place, which another capture may have made.
  virtual cudaError_t wait(stream& s, const recorded_place_ref& place) = 0;
  // Begins to capture `s`, which then waits for a place of this recorder.
  virtual cudaError_t join(stream& s, const recorded_place_ref& place) = 0;
  // Removes `s`, which is destroyed.
  virtual void leave(stream& s) = 0;
  // Makes the capture end with an error, because of a call that a captured stream does not permit.
  virtual void invalidate() = 0;
};

}  // namespace cohort::runtime

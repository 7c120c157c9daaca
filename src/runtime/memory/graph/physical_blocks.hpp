// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The physical memory of graphs' allocations. Launches that cannot overlap share it, and a device keeps it until a
// trim.
//
// A block stands for pages. They belong to one address range at a time, the block's holder: when another range takes
// the block, its allocation drops the pages of the former holder. The sum of all blocks is then an upper bound of the
// pages in use. The scheduler's lock guards all blocks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

// The number of a stream. Unlike its id it differs between the default streams of devices.
inline uint64_t number_of(const stream& s) { return s.id << 8 | static_cast<uint64_t>(s.device->index); }

struct physical_block {
  physical_block(int device, size_t bytes) : device(device), bytes(bytes) {}
  // Records `op`, in the stream with this number, as the latest work with the block, which no live memory uses now.
  void release(const operation_ref& op, uint64_t stream_number) {
    is_bound = false;
    last_use = op;
    stream = stream_number;
  }
  bool is_idle() const {
    const operation_ref last = last_use.lock();
    return !is_bound && (!last || last->finished());
  }

  const int device;
  const size_t bytes;
  std::weak_ptr<graph_memory> holder;
  bool is_bound = false;  // memory that is still live has the pages
  uint64_t stream = 0;
  std::weak_ptr<operation> last_use;
};
using physical_block_ref = std::shared_ptr<physical_block>;

// The block that `memory` holds; null if it holds none.
physical_block_ref block_of(const graph_memory& memory);

// The blocks of one launch, taken in an order that the edges of the graph permit.
class launch_blocks {
 public:
  explicit launch_blocks(const stream& s) : stream_(number_of(s)) {}
  // Finds a block for the memory. `follows(step)` is true if the allocation follows that step of the launch. Writes the
  // memory whose pages must be dropped, or null. cudaErrorMemoryAllocation if the device has too little memory.
  cudaError_t take(const graph_memory_ref& memory, const std::function<bool(size_t)>& follows,
                   graph_memory_ref* former);
  // Records that a step of the launch frees the memory.
  void give(const graph_memory& memory, size_t step);
  // Undoes all changes: the launch is not submitted.
  void undo();
  // Records that the submitted launch ends with `end`. Returns its blocks.
  std::vector<physical_block_ref> commit(const operation_ref& end);

 private:
  bool is_usable(const physical_block_ref& block, const std::function<bool(size_t)>& follows) const;
  void hold(const physical_block_ref& block, const graph_memory_ref& memory, bool is_new);

  struct change {
    physical_block_ref block;
    graph_memory_ref before;  // the memory that held the block before
    bool is_new;
  };
  const uint64_t stream_;
  std::map<physical_block_ref, std::optional<size_t>> used_;  // with the step that frees the block, if any
  std::vector<change> changes_;
};

struct physical_use {
  size_t used = 0, used_high = 0;          // bytes for executable graphs and live memory
  size_t reserved = 0, reserved_high = 0;  // bytes of all blocks
};
// The counts of a device. pre, for all: the caller holds the scheduler's lock
physical_use& use_of(int device);
// Recounts the blocks that executable graphs refer to.
void count_use(int device);
// Returns idle blocks to the system. `kept`: true for blocks of a launch that is being prepared.
void trim_physical_memory(int device, const std::function<bool(const physical_block_ref&)>& kept);
void forget_physical_memory(int device);

}  // namespace cohort::runtime

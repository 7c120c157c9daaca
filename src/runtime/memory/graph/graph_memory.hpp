// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that nodes of graphs allocate. Its address is fixed as long as a node refers to it; each launch allocates and
// frees its contents again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/guard/freed_memory.hpp"
#include "runtime/state/operation.hpp"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

struct physical_block;

struct graph_memory : std::enable_shared_from_this<graph_memory> {
  // Reserves an address range, which stays inaccessible until the memory is allocated. cudaErrorMemoryAllocation if
  // there is no room. `owner`: the number of the graph. pre: bytes > 0
  static cudaError_t reserve(int device, size_t bytes, uint64_t owner, std::shared_ptr<graph_memory>* made);
  graph_memory(const memory_range& range, int device, uint64_t owner);
  graph_memory(const graph_memory&) = delete;
  ~graph_memory();

  // Execute the allocation and the free of a node, on the thread of the operation.
  void begin_life();
  // Executes the free of a node. `freed_at`: a listener's handle of the call that frees; null: the calling thread's
  // call.
  void end_life(const void* freed_at = nullptr);

  const memory_range range;
  const int device;
  const uint64_t owner;
  const void* const made_at;               // a listener's handle of the call that added the node
  std::atomic<bool> is_accessible{false};  // true from the allocation to the free, in the order of execution
  std::atomic<bool> was_allocated{false};  // true after the first allocation

  // The scheduler's lock guards all following members.
  bool freed_by_owner = false;   // the owner has a free node after its latest allocation node
  bool freed_by_others = false;  // another graph has a free node
  // Non-null while the memory is live in submission order: a launch allocates it, and no later submission frees it.
  // Refers to this object, which then outlives its graph.
  std::shared_ptr<graph_memory> live;
  std::weak_ptr<physical_block> block;  // the memory's pages, if the block's holder is this memory
  std::weak_ptr<operation> last_use;    // the latest launch or free
};
using graph_memory_ref = std::shared_ptr<graph_memory>;

// The memory that contains an address; null if no node of a graph allocates it.
graph_memory_ref find_graph_memory(const void* address);
// False if the address is in memory of a graph that is not allocated at this time of execution.
bool can_access(const void* address);
// False if the address is in memory of a graph that is not live and that no unfinished launch uses. pre: the caller
// does not hold the scheduler's lock
bool may_request(const void* address);

// The bodies of cudaFreeAsync and cudaFree for memory of a graph. cudaErrorInvalidValue if it is not live. pre: all
// work that uses it has finished or precedes the stream's next operation
cudaError_t free_in_stream(const graph_memory_ref& memory, stream& s);
cudaError_t free_now(const graph_memory_ref& memory);

// Frees all graph memory of a device that is reset, and drops its pages.
void reset_graph_memory(int device);

}  // namespace cohort::runtime

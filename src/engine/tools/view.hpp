// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-only views of running threads, blocks, grids and launches. A view is a pointer. Its functions are inline,
// because a race checker calls them for each access of memory.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/report/report.hpp"
#include "engine/state/block.hpp"
#include "engine/state/cluster.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

namespace cohort::tools {

class block_view;
class launch_view;

using memory_span = std::span<const char>;

inline bool contains(memory_span memory, const void* address) {
  const auto* const at = static_cast<const char*>(address);
  return at >= memory.data() && at < memory.data() + memory.size();
}

// The blocks of a cluster by rank, or a block that has no cluster.
class cluster_view {
 public:
  explicit cluster_view(const engine::block& b) : member_(&b) {}

  class iterator {
   public:
    iterator(const engine::block* member, size_t rank) : member_(member), rank_(rank) {}
    inline block_view operator*() const;
    iterator& operator++() {
      ++rank_;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    const engine::block* member_;
    size_t rank_;
  };
  iterator begin() const { return {member_, 0}; }
  iterator end() const { return {member_, member_->cluster ? member_->cluster->blocks.size() : 1}; }
  // Number of blocks with threads that have not returned. pre: the block has a cluster
  uint32_t live_blocks() const { return member_->cluster->live; }

 private:
  const engine::block* member_;
};

class grid_view {
 public:
  grid_view() = default;
  grid_view(const engine::grid* g) : grid_(g) {}
  bool operator==(const grid_view&) const = default;
  // Identifies the grid while its launch runs.
  const void* id() const { return grid_; }

  inline launch_view launch() const;
  const cohort_launch& description() const { return *grid_->launch; }
  const cohort_kernel& kernel() const { return *grid_->launch->kernel; }
  // Whether several OS threads may run blocks of the launch at the same time.
  bool has_many_workers() const { return grid_->workers > 1 || grid_->shared->grids.size() > 1; }
  // The first instruction of a plain C++ kernel, which identifies it; null for a kernel of the compiler.
  const void* plain_kernel() const { return engine::plain_kernel(*grid_); }
  // The name of the kernel in reports.
  std::string kernel_title() const { return engine::kernel_title(*grid_); }

 private:
  const engine::grid* grid_ = nullptr;
};

class launch_view {
 public:
  launch_view(engine::session* launch) : launch_(launch) {}
  bool operator==(const launch_view&) const = default;
  // Identifies the launch while it runs.
  const void* id() const { return launch_; }

  std::span<engine::grid* const> grids() const { return launch_->grids; }
  // Makes the launch return the error.
  void fail(int error) const { launch_->fail(error); }

 private:
  engine::session* launch_;
};

class block_view {
 public:
  block_view() = default;
  block_view(const engine::block* b) : block_(b) {}
  explicit operator bool() const { return block_ != nullptr; }
  bool operator==(const block_view&) const = default;
  // Identifies the block while it is resident. A later block may get the same value.
  const void* id() const { return block_; }

  uint64_t rank() const { return block_->rank; }
  const uint32_t* index() const { return block_->block_index; }
  const uint32_t* grid_dim() const { return block_->grid_dim; }
  const uint32_t* cluster_dim() const { return block_->cluster_dim; }
  uint32_t device() const { return block_->device; }
  grid_view grid() const { return block_->grid; }
  uint32_t threads() const { return block_->threads_total; }
  uint32_t live_threads() const { return block_->live; }
  uint32_t warps() const { return block_->warp_count; }
  // Whether the block's threads only poll: another block must run first.
  bool spins() const { return block_->spins(); }
  int worker() const { return block_->worker->index; }

  bool has_cluster() const { return block_->cluster != nullptr; }
  cluster_view cluster() const { return cluster_view(*block_); }

  memory_span static_shared() const {
    return {block_->static_shared, block_->grid->launch->kernel->static_shared_bytes};
  }
  memory_span dynamic_shared() const { return {block_->dynamic_shared, block_->grid->launch->dynamic_shared_bytes}; }
  // Whether the address is in shared memory of any kind, including storage of cohort::shared.
  bool holds_shared(const void* address) const { return block_->shared.holds(address); }
  // The memory through which the blocks of a cluster exchange values. Empty: neither this block nor an earlier one in
  // its storage has needed it.
  memory_span exchange_of_cluster() const {
    const engine::cluster_scratch* const memory = block_->scratch.get();
    return memory ? memory_span(memory->bytes) : memory_span();
  }
  bool uses_exchange_of_cluster() const { return block_->scratch.is_used(); }
  // Whether the address is in the staging memory of the block's own collectives.
  bool is_staging(const void* address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    const uintptr_t exchange = reinterpret_cast<uintptr_t>(block_->exchange) - cohort_turn_bytes;
    return at - exchange < size_t{block_->threads_total} * cohort_exchange_bytes + cohort_turn_bytes;
  }
  // The stack of a thread. pre: the thread has begun and has not returned
  memory_span stack_of(uint32_t thread) const {
    const engine::stack& s = *block_->lanes[thread].fiber->stack;
    return {s.low, s.top};
  }
  // Whether the address is in the engine's memory that threads of the block may access in addition to shared memory:
  // stacks, and the memory through which grids exchange values.
  bool holds_private(const void* address) const {
    return block_->worker->stacks.holds(address) || block_->grid->shared->holds_scratch(address);
  }
  // Where the warp of a thread started a product of its warpgroup that is not executed and has the thread's accumulator
  // at `address`; null if there is none.
  const void* product_of_accumulator(uint32_t thread, const void* address) const {
    if (!block_->warpgroups.is_used()) return nullptr;
    return engine::place_of_product(*block_->warpgroups, thread, address);
  }
  // Whether a thread of the block runs the operator of a collective, which works on the engine's copies of values.
  bool runs_operator() const { return block_->worker->resolving; }

 private:
  const engine::block* block_ = nullptr;
};

// A view of a thread that runs on its own fiber.
class thread_view {
 public:
  explicit thread_view(const cohort_thread_context* running) : lane_(static_cast<const engine::lane*>(running)) {}
  explicit operator bool() const { return lane_ != nullptr; }

  block_view block() const { return static_cast<const engine::block*>(lane_->block); }
  uint32_t rank() const { return lane_->thread_rank; }
  const char* stack_top() const { return lane_->fiber->stack->top; }

 private:
  const engine::lane* lane_;
};

// The thread that this OS thread runs; false outside of kernels.
inline thread_view current_thread() { return thread_view(cohort_current_thread); }

// Lanes of one warp, as an event names them.
class lanes_view {
 public:
  lanes_view(const engine::warp* w, uint32_t lanes) : warp_(w), lanes_(lanes) {}
  block_view block() const { return warp_->block; }
  uint32_t warp() const { return static_cast<uint32_t>(warp_ - warp_->block->warps); }
  uint32_t mask() const { return lanes_; }

 private:
  const engine::warp* warp_;
  uint32_t lanes_;
};

inline launch_view grid_view::launch() const { return grid_->shared; }
inline block_view cluster_view::iterator::operator*() const {
  return member_->cluster ? member_->cluster->blocks[rank_] : member_;
}

}  // namespace cohort::tools

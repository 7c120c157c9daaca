// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of the engine, one type for each. Tools that follow the order of a program (tracing, a race checker) add a
// listener.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace cohort::engine {

struct block;
struct grid;
struct named_barrier;
struct session;
struct warp;

// Raised when a launch begins, on the OS thread that called the engine.
struct launch_begun {
  session* launch;
};
// Raised when all grids of a launch have ended. A listener may fail the launch.
struct launch_ended {
  session* launch;
};
// Raised when a worker has nothing left to run in a launch.
struct share_ended {};

// Raised when a worker begins or resumes a block.
struct block_entered {
  const engine::block* block;
};
// Raised when a worker leaves a block because none of its threads can run.
struct block_left {
  const engine::block* block;
};
// Raised when all threads of a block have returned.
struct block_ended {
  const engine::block* block;
};

// Lanes of one warp. A lane that waits by itself is a mask of one bit.
struct lanes_of_warp {
  const engine::warp* warp;
  uint32_t lanes;
};
// Raised when a barrier of lanes of a warp is complete.
struct lanes_synchronised : lanes_of_warp {};
// Raised when a collective of lanes of a warp other than a barrier is complete. It orders no memory accesses.
struct lanes_exchanged : lanes_of_warp {};
// Raised when the wait of lanes at a split-phase barrier found its phase complete.
struct phase_passed : lanes_of_warp {};

// Raised when a barrier of a tile of more than a warp is complete. Names its threads by rank in the block.
struct tile_synchronised {
  const engine::block* block;
  uint32_t first_thread;
  uint32_t threads;
};
struct block_synchronised {
  const engine::block* block;
};
// Raised when the barrier of a cluster is complete. `block`: the last block to arrive.
struct cluster_synchronised {
  const engine::block* block;
};
// Raised when the barrier of a grid is complete. `block`: the last block to arrive.
struct grid_synchronised {
  const engine::block* block;
};
// Raised when the blocks of all grids of a launch have arrived.
struct multi_grid_synchronised {
  session* launch;
};

// Raised when a lane arrives at a named barrier. `begins_phase`: it is the first one of the phase.
struct named_barrier_reached : lanes_of_warp {
  const named_barrier* barrier;
  bool begins_phase;
};
// Raised when a phase of a named barrier is complete. Its lanes still wait.
struct named_barrier_synchronised {
  const engine::block* block;
  const named_barrier* barrier;
};

// Adjacent bytes that a bulk copy moves. `from` is null for elements out of bounds, which a pattern fills; `to` is null
// for bytes that a store leaves out.
struct bulk_bytes {
  void* to;
  const void* from;
  size_t bytes;
};
// A bulk copy. `number` identifies it in all its events. `block` and `thread` have started it at `place`. `mbarrier`
// counts its bytes; null: the copy belongs to a bulk group of the thread. `reduces`: the bytes are combined with those
// of the memory, element by element. `was_read`: an earlier event has reported the read of the source.
struct bulk_copy_bytes {
  uint64_t number;
  const engine::block* block;
  uint32_t thread;
  const bulk_bytes* runs;
  size_t count;
  const void* place;
  const uint64_t* mbarrier;
  bool reduces;
  bool was_read;
};
struct bulk_started : bulk_copy_bytes {};
// Raised when the thread has waited until the source was read.
struct bulk_source_read : bulk_copy_bytes {};
// Raised when the bytes have been written, before the mbarrier counts them.
struct bulk_executed : bulk_copy_bytes {};
// Raised when the bytes of a copy that `thread` of `block` has started complete a phase of an mbarrier.
struct bulk_completed_phase {
  const engine::block* block;
  uint32_t thread;
  const uint64_t* mbarrier;
};

// Bytes of a matrix in shared memory.
struct matrix_bytes {
  const void* first;
  size_t bytes;
};
// Raised when a warp starts a product of its warpgroup, and when it has executed it: the runs of bytes of the matrices
// that it reads in between. `thread`: lane 0 of the warp. `place`: where the product was started.
struct product_reads {
  const engine::block* block;
  uint32_t thread;
  const matrix_bytes* runs;
  size_t count;
  const void* place;
};
struct product_started : product_reads {
  bool is_fenced;    // the warp has executed wgmma.fence
  bool is_executed;  // another warp of the warpgroup has executed it
};
struct product_executed : product_reads {
  bool is_first;  // no other warp of the warpgroup has executed it
};
// Raised when a thread orders its accesses before those of asynchronous operations (fence.proxy.async).
struct proxy_fenced {
  const engine::block* block;
  uint32_t thread;
};

using event = std::variant<launch_begun, launch_ended, share_ended, block_entered, block_left, block_ended,
                           lanes_synchronised, lanes_exchanged, phase_passed, tile_synchronised, block_synchronised,
                           cluster_synchronised, grid_synchronised, multi_grid_synchronised, named_barrier_reached,
                           named_barrier_synchronised, bulk_started, bulk_source_read, bulk_executed,
                           bulk_completed_phase, product_started, product_executed, proxy_fenced>;

// Receives events on the OS thread that completed the synchronisation, after its members were made ready and before any
// other member continues. Calls on different workers overlap. A listener must not wait.
class event_listener {
 public:
  virtual ~event_listener() = default;
  virtual void handle(const event& raised) = 0;

 private:
  friend void add_listener(event_listener& added);
  friend void remove_listener(event_listener& removed);
  template <class Event>
  friend void tell_listeners(Event raised);
  event_listener* next_ = nullptr;
};

// A run-time pointer, not a build option: the cost of testing it for null once at each completion is not measurable.
inline std::atomic<event_listener*> newest_listener{nullptr};

// Adds a listener, which is called before older ones. If launches run, it gets their later events.
inline void add_listener(event_listener& added) {
  added.next_ = newest_listener.load(std::memory_order_relaxed);
  newest_listener.store(&added, std::memory_order_release);
}
// Removes a listener. pre: no launch runs, and `removed` is the newest listener
inline void remove_listener(event_listener& removed) {
  newest_listener.store(removed.next_, std::memory_order_release);
}

inline bool has_listener() { return __builtin_expect(newest_listener.load(std::memory_order_relaxed) != nullptr, 0); }

// Out of line and by value, so that functions which raise an event keep their frames small and their tail calls.
template <class Event>
__attribute__((cold, noinline)) void tell_listeners(Event raised) {
  const event told = raised;
  for (event_listener* l = newest_listener.load(std::memory_order_acquire); l; l = l->next_) l->handle(told);
}

template <class Event>
inline void raise_event(Event raised) {
  if (has_listener()) tell_listeners(raised);
}

}  // namespace cohort::engine

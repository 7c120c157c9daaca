// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one event of the engine: lanes have synchronised, or a worker turns to other lanes. Tools that follow the order
// of a program (tracing, a race checker) add a listener.
#pragma once

#include <atomic>
#include <cstdint>

namespace cohort::engine {

struct block;
struct named_barrier;
struct session;
struct warp;

enum class sync_level : uint8_t {
  warp,           // lanes of a warp: a barrier of them is complete
  exchange,       // lanes of a warp: another collective is complete, which orders no memory accesses
  tile,           // threads of a tile of more than a warp
  block,          // the threads of a block
  cluster,        // the blocks of a cluster
  grid,           // the blocks of a grid
  multi_grid,     // the blocks of all grids of a launch
  named,          // a named barrier: a phase is complete
  token,          // one lane's wait at a split-phase barrier found its phase complete
  block_run,      // a worker begins a block, or goes on with it
  block_pause,    // a worker turns to another block: no thread of this one can run
  block_end,      // all threads of a block have returned
  share_end,      // a worker has nothing left to run in a launch
  launch_begin,   // a launch begins, on the OS thread that called the engine
  launch_end,     // all grids of a launch have ended
  named_begin,    // one lane arrives at a named barrier, as the first of a phase
  named_arrival,  // one lane arrives at a named barrier, as a later one
};

struct synchronisation {
  sync_level level;
  // The block of the members; above a block, the block that arrived last. Null: multi_grid,
  // launch_begin, launch_end and share_end.
  const engine::block* block = nullptr;
  // warp, exchange, token and arrivals: the warp and its lanes. A lane that waits alone is a mask of one bit.
  const engine::warp* warp = nullptr;
  uint32_t lanes = 0;
  // tile: its threads, by rank in the block.
  uint32_t first_thread = 0;
  uint32_t threads = 0;
  // multi_grid, launch_begin and launch_end: the launch.
  engine::session* session = nullptr;
  // named, named_begin and named_arrival: the barrier.
  const named_barrier* named = nullptr;
};

// Called on the OS thread that completed the synchronisation, after its members were made ready and before any other
// one of them continues. Calls on different workers overlap. A listener must not wait.
class sync_listener {
 public:
  virtual ~sync_listener() = default;
  virtual void synchronised(const synchronisation& s) = 0;

 private:
  friend void add_listener(sync_listener& added);
  friend void remove_listener(sync_listener& removed);
  friend void tell_listeners(const synchronisation& s);
  sync_listener* next_ = nullptr;
};

// A run-time pointer, not a build option: the test of a null pointer once for each completion costs nothing that can be
// measured.
inline std::atomic<sync_listener*> newest_listener{nullptr};

// The newest listener is called first. Launches may run: the listener gets their later events.
inline void add_listener(sync_listener& added) {
  added.next_ = newest_listener.load(std::memory_order_relaxed);
  newest_listener.store(&added, std::memory_order_release);
}
// pre: no launch runs, and `removed` is the newest listener
inline void remove_listener(sync_listener& removed) { newest_listener.store(removed.next_, std::memory_order_release); }

// Out of line, so that functions which raise an event keep their frames small and their tail calls.
__attribute__((cold, noinline)) inline void tell_listeners(const synchronisation& s) {
  for (sync_listener* l = newest_listener.load(std::memory_order_acquire); l; l = l->next_) l->synchronised(s);
}
__attribute__((cold, noinline)) inline void tell_of_block(sync_level level, const block* b, const warp* w,
                                                          uint32_t first, uint32_t second) {
  synchronisation s{level, b, w};
  if (w) {
    s.lanes = first;
  } else {
    s.first_thread = first;
    s.threads = second;
  }
  tell_listeners(s);
}

inline bool has_listener() { return __builtin_expect(newest_listener.load(std::memory_order_relaxed) != nullptr, 0); }

// Raises the event for a level that needs the block alone.
inline void synchronised(sync_level level, const block* b) {
  if (has_listener()) tell_of_block(level, b, nullptr, 0, 0);
}
// For a launch. `level`: multi_grid, launch_begin or launch_end.
inline void synchronised(sync_level level, session& launch) {
  if (has_listener()) {
    synchronisation s{level};
    s.session = &launch;
    tell_listeners(s);
  }
}
// For lanes of a warp. `level`: warp, exchange or token.
inline void synchronised(sync_level level, const block* b, const warp& w, uint32_t lanes) {
  if (has_listener()) tell_of_block(level, b, &w, lanes, 0);
}
// For a named barrier; lanes of `w` arrive, or a phase completes where `w` is null.
inline void synchronised(sync_level level, const block& b, const named_barrier& n, const warp* w = nullptr,
                         uint32_t lanes = 0) {
  if (!has_listener()) return;
  synchronisation s{level, &b, w, lanes};
  s.named = &n;
  tell_listeners(s);
}
// For the `threads` threads of a tile that begins at `first_thread`.
inline void synchronised_tile(const block& b, uint32_t first_thread, uint32_t threads) {
  if (has_listener()) tell_of_block(sync_level::tile, &b, nullptr, first_thread, threads);
}

}  // namespace cohort::engine

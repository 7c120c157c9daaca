// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: address space in slabs, resident only where touched. Each worker has a pool.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sanitizer.hpp"
#include "stack_guard.hpp"

namespace cohort::engine {

struct stack {
  char* low = nullptr;    // lowest usable byte; the guard lies below it
  char* top = nullptr;    // start of the first frame; coloured: stacks use different cache sets
  size_t guard = 0;       // bytes of the guard below `low`; 0 if it has none
  stack* next = nullptr;  // in the pool's list of free stacks
  sanitizer_fiber sanitizer;

  bool guards(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at < low && at >= low - guard;
  }
};

// The stacks of one worker. Not thread safe.
class stack_pool {
 public:
  stack_pool() = default;
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  // Sets the usable bytes of each stack. Stacks of another size are unmapped. pre: no stack is in use
  void set_bytes(size_t bytes);
  size_t bytes() const { return bytes_; }
  // The address space of a stack with `bytes` usable bytes, guard included.
  static size_t distance(size_t bytes);

  // Takes the free stack that was given back last. Null: no address space is left.
  stack* take() {
    if (!free_ && !grow()) return nullptr;
    stack* s = free_;
    free_ = s->next;
    return s;
  }
  void give(stack* s) {
    s->next = free_;
    free_ = s;
  }
  // Provides for `count` calls of take(). False: no address space is left.
  bool reserve(size_t count);
  size_t made() const { return made_; }
  bool holds(const void* address) const;

 private:
  struct slab {
    char* memory;
    size_t bytes;
    std::unique_ptr<stack[]> stacks;
    size_t count;
    slab_guards guards;
  };
  bool grow();
  bool add_slab(size_t count);
  void release();

  size_t bytes_ = 0;
  size_t made_ = 0;
  stack* free_ = nullptr;
  std::vector<slab> slabs_;
};

}  // namespace cohort::engine

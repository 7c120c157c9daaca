// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: address space in slabs, resident only where touched. Each worker has a pool.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/fiber/sanitizer.hpp"
#include "engine/fiber/stack_guard.hpp"

namespace cohort::engine {

// A call of a kernel's entry. The entry of a single thread has no second parameter and gets none.
struct kernel_call {
  void (*entry)(void** arguments, const cohort_gang* gang) = nullptr;
  void** arguments = nullptr;
  const cohort_gang* gang = nullptr;
};

inline kernel_call call_of_thread(void (*entry)(void** arguments), void** arguments) {
  return {reinterpret_cast<void (*)(void**, const cohort_gang*)>(reinterpret_cast<void*>(entry)), arguments, nullptr};
}

inline void make_call(const kernel_call& c) {
  if (c.gang) return c.entry(c.arguments, c.gang);
  reinterpret_cast<void (*)(void**)>(reinterpret_cast<void*>(c.entry))(c.arguments);
}

struct stack {
  char* low = nullptr;    // lowest usable byte; the guard lies below it
  char* top = nullptr;    // start of the first frame; coloured: stacks use different cache sets
  char* end = nullptr;    // end of the usable bytes; a guard follows
  size_t guard = 0;       // bytes of the guard below `low`; 0 if it has none
  stack* next = nullptr;  // next stack in the pool's list of free stacks
  sanitizer_fiber sanitizer;
  kernel_call call;  // the first call on the stack, unless assembly makes it

  bool guards(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at < low && at >= low - guard;
  }
  // True if the address is in the guard above the stack, which belongs to the next one.
  bool lies_below(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at >= end && at < end + guard_bytes;
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
  // Drops all stacks without unmapping them: kernels that never end may still use them.
  void abandon();
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

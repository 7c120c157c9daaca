// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: address space reserved in slabs, resident only where touched, pooled for each worker.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sanitizer.hpp"

namespace cohort::engine {

struct stack {
  char* low = nullptr;    // lowest usable byte; the guard lies below it
  char* top = nullptr;    // where the first frame starts; coloured, so that stacks do not share cache sets
  size_t guard = 0;       // bytes of the guard below `low`; 0 in slabs without single guards
  stack* next = nullptr;  // in the pool's list of free stacks
  sanitizer_fiber sanitizer;

  bool guards(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return at < low && at >= low - guard;
  }
};

// Not thread safe: each worker has its own.
class stack_pool {
 public:
  stack_pool() = default;
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  // Usable bytes of each stack from now on. Stacks of another size are given back; none may be in use.
  void set_bytes(size_t bytes);
  size_t bytes() const { return bytes_; }

  // A free stack, or null if the address space cannot be had.
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
  // True if `count` stacks could be taken now.
  bool reserve(size_t count);
  size_t made() const { return made_; }

 private:
  struct slab {
    char* memory;
    size_t bytes;
    std::unique_ptr<stack[]> stacks;
    size_t count;
    bool guarded;  // each stack has its own guard
  };
  bool grow();
  void release();

  size_t bytes_ = 0;
  size_t made_ = 0;
  stack* free_ = nullptr;
  std::vector<slab> slabs_;
};

}  // namespace cohort::engine

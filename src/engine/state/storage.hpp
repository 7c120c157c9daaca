// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <cohort/base/round_up.hpp>

namespace cohort::engine {

// The first multiple of `alignment` in `memory`, which must have `alignment` bytes to spare.
inline char* align_up(char* memory, size_t alignment) {
  return reinterpret_cast<char*>(detail::round_up(reinterpret_cast<uintptr_t>(memory), alignment));
}

// Memory of all blocks of a launch. The first thread that needs it allocates it.
class launch_buffer {
 public:
  static constexpr size_t alignment = 64;

  // The start of the memory, or null before the first allocate().
  char* start() const { return start_.load(std::memory_order_acquire); }
  // The size of all parts. pre: start() is not null
  size_t bytes() const { return bytes_; }

  // Returns the start of the memory. The first call allocates count() parts of `part_bytes` bytes. Null: the parts have
  // another size.
  template <class Count>
  char* allocate(size_t part_bytes, bool is_zeroed, const Count& count) {
    if (!start()) {
      const std::lock_guard lock(mutex_);
      if (!memory_) {
        part_bytes_ = part_bytes;
        bytes_ = part_bytes * count();
        memory_.reset(is_zeroed ? new char[bytes_ + alignment]() : new char[bytes_ + alignment]);
        start_.store(align_up(memory_.get(), alignment), std::memory_order_release);
      }
    }
    return part_bytes_ == part_bytes ? start() : nullptr;
  }

  bool holds(const void* address) const {
    const char* const first = start();
    const auto* const at = static_cast<const char*>(address);
    return first && at >= first && at < first + bytes_;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<char[]> memory_;
  size_t part_bytes_ = 0;
  size_t bytes_ = 0;
  std::atomic<char*> start_{nullptr};
};

// A table that most blocks do not use. Allocated at the first use and kept for later blocks, which begin with it marked
// unused. The code that finds it unused initialises it.
template <class T>
class on_demand {
 public:
  bool is_used() const { return used_; }
  T* get() const { return table_.get(); }
  T& operator*() const { return *table_; }
  T* operator->() const { return table_.get(); }

  // Allocates the table if there is none, and marks it used. It may hold the content that an earlier block left.
  T& use() {
    if (!table_) table_ = std::make_unique<T>();
    used_ = true;
    return *table_;
  }
  void forget() { used_ = false; }

 private:
  std::unique_ptr<T> table_;
  bool used_ = false;
};

}  // namespace cohort::engine

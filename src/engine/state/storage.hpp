// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <cohort/base/round_up.hpp>

namespace cohort::engine {

// The first multiple of `alignment` in `memory`, which must have `alignment` bytes to spare.
inline char* align_up(char* memory, size_t alignment) {
  return reinterpret_cast<char*>(detail::round_up(reinterpret_cast<uintptr_t>(memory), alignment));
}

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

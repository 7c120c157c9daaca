// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cohort::engine {

// The first multiple of `alignment` in `memory`, which must have `alignment` bytes to spare.
inline char* align_up(char* memory, size_t alignment) {
  return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(memory) + alignment - 1) / alignment * alignment);
}

// A table that most blocks do not use: allocated at the first use, kept for the blocks that follow, unused again at the
// beginning of each. A table is set up by the code that finds it unused.
template <class T>
class on_demand {
 public:
  bool is_used() const { return used_; }
  T* get() const { return table_.get(); }
  T& operator*() const { return *table_; }
  T* operator->() const { return table_.get(); }

  // Allocates the table if need be and marks it used. Its content is what the last block left.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays for the inputs and outputs of a row. Each begins at a page: all sides see the same alignment and, with large
// pages, the same translation of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace bench {

template <class T>
class array {
 public:
  explicit array(size_t count) : count_(count), data_(new(alignment) T[count]) {
    std::memset(static_cast<void*>(data_.get()), 0, count * sizeof(T));
  }
  template <class Make>
  array(size_t count, Make&& make) : array(count) {
    for (size_t i = 0; i < count; ++i) data_[i] = static_cast<T>(make(i));
  }

  T* data() const { return data_.get(); }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }
  T& operator[](size_t i) const { return data_[i]; }
  void fill(T value) const {
    for (size_t i = 0; i < count_; ++i) data_[i] = value;
  }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct free_aligned {
    void operator()(T* memory) const { ::operator delete[](memory, alignment); }
  };
  size_t count_;
  std::unique_ptr<T[], free_aligned> data_;
};

// A fixed sequence of pseudo-random words.
inline uint32_t random_word(size_t i) {
  auto x = static_cast<uint32_t>(i) * 2654435761u + 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

}  // namespace bench

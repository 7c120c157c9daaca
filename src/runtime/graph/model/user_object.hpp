// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the program that graphs keep alive. An object counts its references: those of the program and those of
// graphs, their copies and their executable graphs. The scheduler's lock guards all objects.
#pragma once

#include <map>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

class user_object {
 public:
  // Makes an object with `count` references. After the last one, a thread of its own calls `destroy(data)`.
  static user_object* make(void* data, cudaHostFn_t destroy, unsigned count);
  // The object of a handle; null if it does not exist.
  static user_object* find(cudaUserObject_t handle);

  cudaUserObject_t handle() { return reinterpret_cast<cudaUserObject_t>(this); }
  unsigned long count() const { return count_; }
  void retain(unsigned long count) { count_ += count; }
  // Ends the object with its last references. pre: count <= count()
  void release(unsigned long count);

 private:
  user_object(void* data, cudaHostFn_t destroy, unsigned count) : data_(data), destroy_(destroy), count_(count) {}

  void* const data_;
  const cudaHostFn_t destroy_;
  unsigned long count_;
};

// The references of one graph, which it releases at its end. A copy has references of its own.
class user_objects {
 public:
  user_objects() = default;
  user_objects(const user_objects& other) : counts_(other.counts_) {
    for (const auto& [object, count] : counts_) object->retain(count);
  }
  user_objects(user_objects&& other) noexcept { counts_.swap(other.counts_); }
  user_objects& operator=(user_objects other) noexcept {
    counts_.swap(other.counts_);
    return *this;
  }
  ~user_objects() {
    for (const auto& [object, count] : counts_) object->release(count);
  }

  bool empty() const { return counts_.empty(); }
  // Takes references that the object has counted already.
  void add(user_object& object, unsigned count) { counts_[&object] += count; }
  // Releases references; false if the graph has fewer.
  bool remove(user_object& object, unsigned count);

 private:
  std::map<user_object*, unsigned long> counts_;
};

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of the device variables of an executable or shared library, one copy for each device. They are the variables
// of one section, and the zero variables of all units.
//
// The linked variables are the copy of device 0. A reset of a device restores the compiled values of its copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "module.hpp"

namespace cohort::runtime {

// A zeroed range of address space; a page uses memory once it is written.
class lazy_bytes {
 public:
  lazy_bytes() = default;
  // Maps room for a copy of [first, first + bytes) whose distance from `first` is a multiple of the page size.
  lazy_bytes(const char* first, size_t bytes);
  lazy_bytes(lazy_bytes&& other) noexcept;
  lazy_bytes& operator=(lazy_bytes&& other) noexcept;
  ~lazy_bytes();
  char* data() const { return data_; }

 private:
  char* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
  char* data_ = nullptr;
};

class device_variable_copies {
 public:
  // Makes the copies and writes the table of their distances (`deltas`). `units` are linked together, and none of their
  // kernels has run. Units that are registered later have no variables outside the span of these.
  explicit device_variable_copies(const std::vector<const cohort_module*>& units);
  // Adds a unit of the section: in each copy, the addresses in its variables become addresses of that copy.
  void add(const cohort_module& module);
  // Removes a unit. False if no unit is left.
  bool remove(const cohort_module& module);

  const int64_t* deltas() const { return deltas_; }
  // Converts an address in any copy to the address in device 0's copy, and writes the device. Null if the address is in
  // no copy.
  const char* find(const void* address, int* device) const;
  // Restores the compiled values in the copy of `device`.
  void restore(int device);

 private:
  void relocate(const cohort_module& module, int device) const;
  char* copy_of(int device) const { return span_ + deltas_[device]; }
  char* const begin_;  // first byte of the section
  const size_t bytes_;
  char* span_;  // first byte of all variables, zero variables included
  size_t span_bytes_;
  int64_t* const deltas_;
  lazy_bytes compiled_;             // compiled values of the section
  std::vector<lazy_bytes> copies_;  // copies_[i] belongs to device i + 1
  std::vector<const cohort_module*> units_;
};

}  // namespace cohort::runtime

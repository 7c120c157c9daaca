// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that each device has for itself: one section of an executable or shared library, the zero variables of
// its units, and the copies of all of them.
//
// What was linked is device 0's copy. All are put back to what was compiled when their device is reset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "module.hpp"

namespace cohort::runtime {

// Bytes of address space whose pages exist once they are written; zero at first.
class lazy_bytes {
 public:
  lazy_bytes() = default;
  // Room for [first, first + bytes), at an address whose distance from `first` is a multiple of the page.
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
  // Makes the copies, and writes the table of their distances. `units` are linked together, and no kernel of theirs has
  // run; those registered later have no variables outside of what these span.
  explicit device_variable_copies(const std::vector<const cohort_module*>& units);
  // A unit that the section belongs to: the addresses in its variables become those of each copy.
  void add(const cohort_module& module);
  // Forgets a unit; false if none is left.
  bool remove(const cohort_module& module);

  const int64_t* deltas() const { return deltas_; }
  // What lies at `address` of any copy, as an address of device 0's and the device; null if it is none of them.
  const char* find(const void* address, int* device) const;
  // Puts the copy of `device` back to what was compiled.
  void restore(int device);

 private:
  void relocate(const cohort_module& module, int device) const;
  char* copy_of(int device) const { return span_ + deltas_[device]; }
  char* const begin_;  // the section
  const size_t bytes_;
  char* span_;  // from the first variable to the last, zero variables too
  size_t span_bytes_;
  int64_t* const deltas_;
  lazy_bytes compiled_;             // the section
  std::vector<lazy_bytes> copies_;  // of devices 1, 2, ...
  std::vector<const cohort_module*> units_;
};

}  // namespace cohort::runtime

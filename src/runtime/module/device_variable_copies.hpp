// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of the device variables of an executable or shared library, one copy for each device. They are the variables
// of one section, and the zero variables of all units.
//
// A copy lies between inaccessible pages, so a kernel that overruns a variable reaches no data of the host. The linked
// variables are never used; with COHORT_GUARD=off they are the copy of device 0. A reset of a device restores the
// compiled values of its copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <cohort/machine/cpu/port/module.hpp>

#include "runtime/guard/device_heap.hpp"
#include "runtime/module/variable_filler.hpp"

namespace cohort::runtime {

// A zeroed range of address space between inaccessible pages. A page uses memory only after a write.
class lazy_bytes {
 public:
  lazy_bytes() = default;
  // Maps room for a copy of [first, first + bytes) whose distance from `first` is a multiple of the page size.
  lazy_bytes(const char* first, size_t bytes);
  lazy_bytes(lazy_bytes&& other) noexcept;
  lazy_bytes& operator=(lazy_bytes&& other) noexcept;
  ~lazy_bytes();
  char* data() const { return data_; }
  // The accessible pages.
  char* begin() const;
  char* end() const;
  // Whether `address` lies in the accessible pages or in the inaccessible pages around them.
  bool surrounds(const void* address) const;

 private:
  char* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
  char* data_ = nullptr;
};

class device_variable_copies {
 public:
  // Makes the copies and writes the table of their distances (`deltas`). `units` are linked together, and none of their
  // kernels has run. Units that are registered later have no variables outside the span of these.
  device_variable_copies(const std::vector<const cohort_module*>& units, guard_mode mode);
  device_variable_copies(const device_variable_copies&) = delete;
  ~device_variable_copies();
  // Adds a unit of the section: in each copy, the addresses in its variables become addresses of that copy.
  void add(const cohort_module& module);
  // Removes a unit. False if no unit is left.
  bool remove(const cohort_module& module);

  const int64_t* deltas() const { return deltas_; }
  // Converts an address in any copy to the linked address, and writes the device. Null if the address is in no copy.
  const char* find(const void* address, int* device) const;
  // Restores the compiled values in the copy of `device`.
  void restore(int device);

  // The first filler byte of the copy of `device` that was overwritten, or null. Only strict mode has filler bytes.
  const char* find_damage(int device) const;
  // The variable, as its copy, that is nearest to an address in a copy or in the inaccessible pages around it. False if
  // the address is elsewhere.
  bool find_nearest(const void* address, cohort_own_variable* found) const;

 private:
  void make_copy(int device);
  void relocate(const cohort_module& module, int device) const;
  void fill(int device) const;
  void make_red_zones(int device) const;
  void end_red_zones(int device) const;
  char* copy_of(int device) const { return span_ + deltas_[device]; }
  int devices() const { return static_cast<int>(copies_.size()); }
  bool has_mapping(int device) const { return copies_[static_cast<size_t>(device)].data() != nullptr; }

  const guard_mode mode_;
  char* const begin_;  // first byte of the section
  const size_t bytes_;
  char* span_;  // first byte of all variables, zero variables included
  size_t span_bytes_;
  int64_t* const deltas_;
  lazy_bytes compiled_;             // the section's initial values, which each copy begins with
  std::vector<lazy_bytes> copies_;  // index: device; empty where the linked variables are the copy
  std::vector<const cohort_module*> units_;
  variable_filler filler_;
};

}  // namespace cohort::runtime

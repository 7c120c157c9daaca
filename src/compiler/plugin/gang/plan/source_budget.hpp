// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gangs of a source with many kernels, as far as the time of compilation limits them. Code of gangs costs as much
// time as all other code together, so a large source spends a share of that on the kernels that wait and loop most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gang/plan/gang_plan.hpp"

namespace cohort {

// A kernel before anything is made from it.
struct kernel_size {
  bool waits = false;
  uint64_t instructions = 0;  // with those of the functions that it calls
  double work = 0;            // instructions, waits and mathematical functions, weighted by the depth of loops
};

// An estimate of the time to compile the plan's versions, in instructions on whole vector registers.
uint64_t code_size(const gang_plan& plan, uint64_t instructions, const loop_registers& registers);

class source_budget {
 public:
  // @param kernels each kernel of the source once
  // @param is_unlimited each kernel has all its versions, as with --cohort-gangs=all
  source_budget(const std::vector<kernel_size>& kernels, bool is_unlimited);

  // False if the source has many kernels, or long ones. Each has one version at most, for one CPU.
  bool has_all_versions() const { return has_all_versions_; }
  // The kernels by their numbers, those first that gain most by gangs.
  const std::vector<size_t>& order() const { return order_; }

  // True if the budget has room for `code`. The first kernel always has: a source may consist of one long kernel.
  bool allows(size_t kernel, uint64_t code) const {
    return has_all_versions_ || kernel == order_.front() || spent_ + code <= budget_;
  }
  void spend(uint64_t code) { spent_ += code; }

 private:
  bool has_all_versions_ = true;
  std::vector<size_t> order_;
  uint64_t budget_ = 0;
  uint64_t spent_ = 0;
};

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/plan/source_budget.hpp"

#include <algorithm>
#include <numeric>

namespace cohort {
namespace {

// A source is large if its kernels have so many instructions together, or if it has many kernels that are not short.
constexpr uint64_t large_source = 4000;
constexpr uint64_t large_source_of_many_kernels = 2500;
constexpr size_t many_kernels = 13;

// Both passes of clang take as long for an empty source as for so many instructions.
constexpr uint64_t empty_source = 2500;
// A smaller share leaves kernels without gangs that run 30 to 300 times slower then: loops of mathematical functions
// and of shuffles.
constexpr double share_of_gangs = 1.0;

}  // namespace

uint64_t code_size(const gang_plan& plan, uint64_t instructions, const loop_registers& registers) {
  uint64_t size = 0;
  for (const version_plan& version : plan.versions) {
    size += version.is_fallback ? 0 : std::max<uint64_t>(1, uint64_t{version.width} * 32 / registers.bits);
  }
  return size * instructions;
}

source_budget::source_budget(const std::vector<kernel_size>& kernels, bool is_unlimited) : order_(kernels.size()) {
  std::iota(order_.begin(), order_.end(), size_t{0});
  uint64_t size = 0;
  for (const kernel_size& kernel : kernels) {
    size += kernel.instructions;
  }
  const uint64_t limit = kernels.size() < many_kernels ? large_source : large_source_of_many_kernels;
  has_all_versions_ = is_unlimited || size <= limit;
  if (has_all_versions_) {
    return;
  }
  budget_ = static_cast<uint64_t>(share_of_gangs * static_cast<double>(empty_source + size));
  const auto work_per_instruction = [](const kernel_size& kernel) {
    return kernel.work / static_cast<double>(std::max<uint64_t>(1, kernel.instructions));
  };
  std::ranges::stable_sort(order_, [&](size_t left, size_t right) {
    const kernel_size &first = kernels[left], &second = kernels[right];
    return first.waits != second.waits ? first.waits : work_per_instruction(first) > work_per_instruction(second);
  });
}

}  // namespace cohort

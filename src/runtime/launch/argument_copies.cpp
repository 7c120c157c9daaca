// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/argument_copies.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <cohort/base/round_up.hpp>

namespace cohort::runtime {

namespace {

constexpr size_t most_alignment = 128;

// The next multiple of the type's alignment. The size of a type is a multiple of its alignment, so the lowest set bit
// of the size is an upper bound.
size_t aligned_offset(size_t at, size_t bytes) {
  const size_t alignment = std::clamp(bytes & (~bytes + 1), size_t{1}, most_alignment);
  return detail::round_up(at, alignment);
}

}  // namespace

argument_copies::argument_copies(const cohort_kernel& kernel, void** arguments) {
  const uint32_t count = kernel.parameter_count;
  if (count == 0) return;
  size_t bytes = count * sizeof(void*);
  for (uint32_t i = 0; i < count; ++i)
    bytes = aligned_offset(bytes, kernel.parameter_bytes[i]) + kernel.parameter_bytes[i];
  memory_.reset(static_cast<char*>(::operator new(bytes, std::align_val_t{most_alignment})));
  size_t at = count * sizeof(void*);
  for (uint32_t i = 0; i < count; ++i) {
    at = aligned_offset(at, kernel.parameter_bytes[i]);
    std::memcpy(memory_.get() + at, arguments[i], kernel.parameter_bytes[i]);
    pointers()[i] = memory_.get() + at;
    at += kernel.parameter_bytes[i];
  }
}

void argument_copies::release::operator()(char* memory) const {
  ::operator delete(memory, std::align_val_t{most_alignment});
}

}  // namespace cohort::runtime

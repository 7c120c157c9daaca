// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of a texture over linear memory that a reference is bound to. A program may pass any address: the texture
// begins at the multiple of the alignment before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/memory/array/array_limits.hpp"

namespace cohort::runtime {

struct linear_base {
  void* first;
  size_t offset;  // bytes from `first` to the program's address
};

inline linear_base base_of(const void* memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const size_t offset = address % texture_alignment;
  return {reinterpret_cast<void*>(address - offset), offset};
}

// The bytes of a texture over `bytes` bytes after the offset. A program that passes no size passes the largest number:
// the texture then has as many texels as a texture can have.
inline size_t linear_bytes(const linear_base& base, size_t bytes, size_t texel_bytes) {
  const size_t most = size_t{texture_1d_linear_width} * texel_bytes;
  return std::min(bytes, most - base.offset) + base.offset;
}

// The texels of a row that has `width` texels after the offset.
inline size_t pitched_width(const linear_base& base, size_t width, size_t pitch, size_t texel_bytes) {
  return base.offset == 0 ? width : std::min(width + base.offset / texel_bytes, pitch / texel_bytes);
}

}  // namespace cohort::runtime

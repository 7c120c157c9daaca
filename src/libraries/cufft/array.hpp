// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a transform: a batch of up to three dimensions, with strides in elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libraries/common/stream_call.hpp"

namespace cohort::cufft {

// The first dimension is the batch. A transform of lower rank has one element in each dimension between the batch and
// its own.
inline constexpr size_t dimensions = 4, innermost = dimensions - 1;

struct array {
  std::array<int64_t, dimensions> extent{1, 1, 1, 1};
  std::array<int64_t, dimensions> stride{};

  int64_t elements() const { return extent[0] * extent[1] * extent[2] * extent[3]; }
};

// Elements without gaps between them.
inline array packed(array a) {
  int64_t stride = 1;
  for (size_t d = dimensions; d-- > 0;) {
    a.stride[d] = stride;
    stride *= a.extent[d];
  }
  return a;
}

// Calls `use(offset)` for each row: the elements of the innermost dimension.
template <class Use>
void each_row(const array& a, const Use& use) {
  for (int64_t i = 0; i < a.extent[0]; ++i) {
    for (int64_t j = 0; j < a.extent[1]; ++j) {
      for (int64_t k = 0; k < a.extent[2]; ++k) use(i * a.stride[0] + j * a.stride[1] + k * a.stride[2]);
    }
  }
}

// Calls `note` with the memory of an array in the fewest rows.
template <class Note>
void each_memory(const array& a, const void* first, size_t element, const Note& note) {
  size_t row = element;  // bytes of the innermost dimensions, as far as these have no gaps
  array outer;           // the remaining dimensions; the innermost one counts the rows of a call
  size_t next = dimensions;
  for (size_t d = dimensions; d-- > 0;) {
    if (a.extent[d] == 1) continue;
    if (next == dimensions && static_cast<size_t>(a.stride[d]) * element == row) {
      row *= static_cast<size_t>(a.extent[d]);
    } else {
      --next;
      outer.extent[next] = a.extent[d], outer.stride[next] = a.stride[d];
    }
  }
  each_row(outer, [&](int64_t offset) {
    note(libraries::memory_rows{static_cast<const char*>(first) + static_cast<size_t>(offset) * element, row,
                                static_cast<size_t>(outer.stride[innermost]) * element,
                                static_cast<size_t>(outer.extent[innermost])});
  });
}

}  // namespace cohort::cufft

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that a tensor copy moves: a box of a tensor map, or a column of pixels (im2col), as runs of bytes in global
// and in shared memory.
// Shared memory holds the elements row by row, dimension 0 first. With a swizzle each row begins at a multiple of the
// swizzle's span; otherwise rows have no gaps. The units of 16 bytes are swizzled then.
#pragma once

#include <algorithm>
#include <cohort/machine/cpu/port/tensor_map.hpp>
#include <cstddef>
#include <cstdint>

namespace cohort::engine {

constexpr unsigned tensor_type_bytes[cohort_tensor_types] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

/// A box of a tensor: the map, the coordinates of its first element, and the offsets of an im2col copy, W first.
struct tensor_box {
  cohort_tensor_map map;
  int32_t coordinates[COHORT_TENSOR_RANKS];
  uint16_t offsets[3];
};

/// The elements of a box in dimension `i`: with a step, every step-th one.
inline unsigned box_elements(const cohort_tensor_map& m, unsigned i) {
  if (m.mode == cohort_tensor_im2col) return m.box[i];
  return (m.box[i] + m.steps[i] - 1U) / m.steps[i];
}

/// The bytes of a box, which an mbarrier counts. Elements out of bounds count, gaps after rows do not.
inline size_t box_bytes(const cohort_tensor_map& m) {
  size_t bytes = tensor_type_bytes[m.type];
  const unsigned dimensions = m.mode == cohort_tensor_im2col ? 2 : m.rank;
  for (unsigned i = 0; i < dimensions; ++i) bytes *= box_elements(m, i);
  return bytes;
}

/// The distance of rows in shared memory.
inline unsigned row_pitch(const cohort_tensor_map& m) {
  return m.swizzle == 0 ? box_elements(m, 0) * tensor_type_bytes[m.type] : 16U << m.swizzle;
}

/// The address at which shared memory holds the byte that would lie at `address` without a swizzle. In a span of 32, 64
/// or 128 bytes, the number of a 16-byte unit is XORed with the number of its 128-byte line.
inline uintptr_t swizzled(uintptr_t address, unsigned swizzle) {
  const uintptr_t places = (uintptr_t{1} << swizzle) - 1;
  return address ^ (((address >> 7) & places) << 4);
}

namespace box_detail {

/// Calls `row(is_inside, address)` for each row of a tile. `address`: of the element at coordinate 0 of dimension 0.
template <class Row>
void for_each_row_of_tile(const tensor_box& b, Row row) {
  const cohort_tensor_map& m = b.map;
  unsigned count[COHORT_TENSOR_RANKS] = {};
  while (true) {
    bool is_inside = true;
    uint64_t address = m.address;
    for (unsigned i = 1; i < m.rank; ++i) {
      const int64_t at = int64_t{b.coordinates[i]} + int64_t{count[i]} * m.steps[i];
      is_inside = is_inside && at >= 0 && at <= m.last[i];
      address += static_cast<uint64_t>(at) * m.strides[i - 1];
    }
    row(is_inside, address);
    unsigned i = 1;
    while (i < m.rank && ++count[i] == box_elements(m, i)) count[i++] = 0;
    if (i >= m.rank) return;
  }
}

/// Calls `row(is_inside, address)` for each pixel of a column. The column goes through the bounding box of each image,
/// W first; the offsets move the pixels that are read, not the bounding box.
template <class Row>
void for_each_pixel(const tensor_box& b, Row row) {
  const cohort_tensor_map& m = b.map;
  const unsigned images = m.rank - 1U;  // the dimension of N
  int64_t at[COHORT_TENSOR_RANKS];
  for (unsigned i = 1; i < m.rank; ++i) at[i] = b.coordinates[i];
  for (unsigned pixel = 0; pixel < m.box[1]; ++pixel) {
    bool is_inside = true;
    uint64_t address = m.address;
    for (unsigned i = 1; i < m.rank; ++i) {
      const int64_t x = at[i] + (i < images ? b.offsets[i - 1] : 0);
      is_inside = is_inside && x >= 0 && x <= m.last[i];
      address += static_cast<uint64_t>(x) * m.strides[i - 1];
    }
    row(is_inside, address);
    unsigned i = 1;
    for (; i < images; ++i) {
      at[i] += m.steps[i];
      if (at[i] <= int64_t{m.last[i]} + m.upper[i - 1]) break;
      at[i] = m.lower[i - 1];
    }
    if (i == images) at[i] += m.steps[i];
  }
}

}  // namespace box_detail

/// Calls `run(global, shared, bytes)` for adjacent bytes of a box, in the order of shared memory before the swizzle.
/// `global` is null for elements out of bounds. `shared`: the address of the box in shared memory.
template <class Run>
void for_each_run(const tensor_box& b, uintptr_t shared, Run run) {
  const cohort_tensor_map& m = b.map;
  const int64_t element = tensor_type_bytes[m.type], first = b.coordinates[0], end = first + box_elements(m, 0);
  const int64_t inside_from = std::clamp<int64_t>(0, first, end);
  const int64_t inside_to = std::clamp<int64_t>(int64_t{m.last[0]} + 1, inside_from, end);
  uintptr_t to = shared;
  const auto bytes_of = [&](int64_t from, int64_t until, bool is_inside, uint64_t row) {
    for (size_t left = static_cast<size_t>((until - from) * element), done = 0; left > 0;) {
      const size_t bytes = m.swizzle == 0 ? left : std::min<size_t>(left, 16 - to % 16);
      const uint64_t global = row + static_cast<uint64_t>(from * element) + done;
      run(is_inside ? reinterpret_cast<char*>(global) : nullptr, reinterpret_cast<char*>(swizzled(to, m.swizzle)),
          bytes);
      to += bytes;
      done += bytes;
      left -= bytes;
    }
  };
  uintptr_t row_start = shared;
  const uintptr_t pitch = row_pitch(m);
  const auto row = [&](bool is_inside, uint64_t address) {
    to = row_start;
    row_start += pitch;
    if (!is_inside) return bytes_of(first, end, false, 0);
    bytes_of(first, inside_from, false, 0);
    bytes_of(inside_from, inside_to, true, address);
    bytes_of(inside_to, end, false, 0);
  };
  if (m.mode == cohort_tensor_im2col) {
    box_detail::for_each_pixel(b, row);
  } else {
    box_detail::for_each_row_of_tile(b, row);
  }
}

}  // namespace cohort::engine

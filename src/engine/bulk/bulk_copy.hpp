// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bulk copy that has been started. It holds the contents of its tensor map; make() moves the bytes.
#pragma once

#include <cohort/machine/cpu/port/bulk_copy.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/bulk/reduction.hpp"
#include "engine/bulk/tensor_box.hpp"

namespace cohort::engine {

class bulk_copy {
 public:
  /// @pre the copy's map, if it has one, is an encoded map
  explicit bulk_copy(const cohort_bulk_copy& started) : started_(started) {
    if (!started.map) return;
    box_.map = *started.map;
    std::memcpy(box_.coordinates, started.coordinates, sizeof box_.coordinates);
    std::memcpy(box_.offsets, started.offsets, sizeof box_.offsets);
  }

  uint64_t* mbarrier() const { return started_.mbarrier; }
  const char* name() const { return started_.name; }
  bool reduces() const { return started_.reduction != cohort_bulk_copies; }
  size_t bytes() const { return started_.map ? box_bytes(box_.map) : started_.bytes; }
  bool was_read() const { return was_read_; }

  /// Copies the source to a buffer, so a later change of the source has no effect.
  void read() {
    if (was_read_) return;
    was_read_ = true;
    for_each_piece([&](void*, const char* from, size_t count) {
      const size_t at = taken_.size();
      taken_.resize(at + count);
      if (from) std::memcpy(taken_.data() + at, from, count);
    });
  }

  /// Moves the bytes.
  void make() {
    size_t at = 0;
    for_each_piece([&](void* to, const char* from, size_t count) {
      const char* const source = was_read_ ? taken_.data() + at : from;
      at += count;
      if (to && source) move(to, source, count);
    });
  }

  /// Whether a source that for_each_piece() passes is the pattern of elements out of bounds.
  bool is_pattern(const void* from) const { return started_.map && from == fill(); }

  /// Calls `piece(to, from, bytes)` for each run of adjacent bytes. `to` is null for bytes that a store leaves out.
  /// Elements out of the bounds of a load come from a pattern.
  template <class Piece>
  void for_each_piece(Piece piece) const {
    if (!started_.map) return piece(started_.to, static_cast<const char*>(started_.from), started_.bytes);
    if (started_.direction == cohort_bulk_load) {
      for_each_run(box_, reinterpret_cast<uintptr_t>(started_.to), [&](const char* global, char* shared, size_t count) {
        if (global) return piece(shared, global, count);
        for (size_t unit = 0; unit < count; unit += fill_bytes) {
          piece(shared + unit, fill(), std::min(count - unit, fill_bytes));
        }
      });
    } else {
      for_each_run(box_, reinterpret_cast<uintptr_t>(started_.from),
                   [&](char* global, const char* shared, size_t count) { piece(global, shared, count); });
    }
  }

 private:
  static constexpr size_t fill_bytes = 16;

  // The bytes of elements out of bounds: zeros, or the NaN that a GPU writes for each floating-point type.
  const char* fill() const {
    static constexpr uint16_t patterns[2][fill_bytes / 2] = {
        {}, {0x7ff7, 0x7ff7, 0x7ff7, 0x7ff7, 0x7ff7, 0x7ff7, 0x7ff7, 0x7ff7}};
    return reinterpret_cast<const char*>(patterns[box_.map.fill]);
  }

  // A GPU rounds TF32 on its way to shared memory: to 10 bits of the fraction, to nearest, to even.
  static void copy_as_tf32(char* to, const char* from, size_t count) {
    for (size_t i = 0; i + sizeof(uint32_t) <= count; i += sizeof(uint32_t)) {
      uint32_t bits;
      std::memcpy(&bits, from + i, sizeof bits);
      const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
      bits = is_nan ? 0x7fffe000 : (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
      std::memcpy(to + i, &bits, sizeof bits);
    }
  }
  // False for the NaN of elements out of bounds, which is not rounded.
  bool rounds(const char* from) const {
    const bool is_tf32 = box_.map.type == cohort_tensor_tf32 || box_.map.type == cohort_tensor_tf32_ftz;
    return started_.map && started_.direction == cohort_bulk_load && is_tf32 && !is_pattern(from);
  }

  void move(void* to, const char* from, size_t count) const {
    if (started_.reduction == cohort_bulk_copies) {
      if (rounds(from)) return copy_as_tf32(static_cast<char*>(to), from, count);
      std::memcpy(to, from, count);
    } else {
      reduce_into(to, from, count, static_cast<cohort_bulk_reduction>(started_.reduction),
                  static_cast<cohort_tensor_type>(started_.map ? box_.map.type : started_.type));
    }
  }

  cohort_bulk_copy started_;
  tensor_box box_{};
  bool was_read_ = false;
  std::vector<char> taken_;  // the bytes of all pieces, one after another
};

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit in which a thread moves an array: as many elements as fill 16 bytes of a staging buffer, or one element that
// takes several times 16 bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../../base/types.hpp"
#include "../../contract/concept.hpp"

namespace cohort {
namespace ptx {

/// Adjacent elements of an array. Sent: half of each 16 bytes are flags, so a pack carries 8 bytes of elements in 16.
template <class T, bool Sent>
struct array_pack {
  using element = T;
  static constexpr bool is_sent = Sent;
  static constexpr uint32_t unit_bytes = Sent ? 8 : 16;  // bytes of elements in 16 bytes of a slot
  static constexpr uint32_t elements = sizeof(T) < unit_bytes ? unit_bytes / sizeof(T) : 1;
  static constexpr uint32_t units = (elements * sizeof(T) + unit_bytes - 1) / unit_bytes;
  static constexpr uint32_t slot_bytes = 16 * units;
  static constexpr bool is_dense = elements * sizeof(T) == units * unit_bytes;

  uint32_t words[units * unit_bytes / 4];

  COHORT_FN static size_t count(size_t array) { return (array + elements - 1) / elements; }

  COHORT_FN T get(uint32_t index) const {
    detail::slot<T> value;
    COHORT_COPY_BYTES(static_cast<void*>(&value.value), reinterpret_cast<const char*>(words) + index * sizeof(T),
                      sizeof(T));
    return value.value;
  }
  COHORT_FN void set(uint32_t index, const T& value) {
    COHORT_COPY_BYTES(reinterpret_cast<char*>(words) + index * sizeof(T), static_cast<const void*>(&value), sizeof(T));
  }
  COHORT_FN void store_in_slot(char* slot, size_t number) const {
    char* const to = slot + number * slot_bytes;
#pragma unroll
    for (uint32_t i = 0; i < units; ++i) {
      if constexpr (Sent) {
        store_flagged(to + 16 * i, words[2 * i] | one_flag, words[2 * i + 1] | one_flag);
      } else {
        reinterpret_cast<uint4*>(to)[i] =
            make_uint4(words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
      }
    }
  }
  /// Loads the elements from a slot. Returns false if a part of the message has not arrived.
  COHORT_FN bool load_from_slot(const char* slot, size_t number) {
    const char* const from = slot + number * slot_bytes;
    bool complete = true;
#pragma unroll
    for (uint32_t i = 0; i < units; ++i) {
      if constexpr (Sent) {
        uint64_t first, second;
        asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(first), "=l"(second)
                     : "l"(__cvta_generic_to_global(from + 16 * i))
                     : "memory");
        words[2 * i] = static_cast<uint32_t>(first);
        words[2 * i + 1] = static_cast<uint32_t>(second);
        complete = complete && ((first & second) >> 32) != 0;
      } else {
        const uint4 found = reinterpret_cast<const uint4*>(from)[i];
        words[4 * i] = found.x;
        words[4 * i + 1] = found.y;
        words[4 * i + 2] = found.z;
        words[4 * i + 3] = found.w;
      }
    }
    return complete;
  }
  COHORT_FN static void clear_in_slot(char* slot, size_t number) {
    static_assert(Sent, "only messages have flags");
#pragma unroll
    for (uint32_t i = 0; i < units; ++i) store_flagged(slot + number * slot_bytes + 16 * i, 0, 0);
  }

 private:
  static constexpr uint64_t one_flag = uint64_t{1} << 32;

  /// Writes each half at once, so a flag arrives together with the 32 bits beside it.
  COHORT_FN static void store_flagged(char* to, uint64_t first, uint64_t second) {
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)), "l"(first),
                 "l"(second)
                 : "memory");
  }
};

/// The packs that a thread moves together: `number`, and each `distance` after it below `end`. If `is_wide`, they are
/// full, and the array's address permits accesses of a full unit. Otherwise there is one pack, moved element by
/// element.
template <uint32_t Count>
struct pack_indices {
  static constexpr uint32_t count = Count;
  size_t number, distance, end;
  bool is_wide;

  COHORT_FN size_t operator[](uint32_t i) const { return number + i * distance; }
  COHORT_FN bool has(uint32_t i) const { return i == 0 || number + i * distance < end; }
};

/// An array of the program, divided into packs.
template <class Pack>
class user_array {
  using T = typename Pack::element;

 public:
  COHORT_FN user_array(const T* array, size_t count) : array_(const_cast<T*>(array)), count_(count) {}

  COHORT_FN size_t packs() const { return Pack::count(count_); }
  /// The packs of which all elements exist and which the address permits to move in whole units.
  COHORT_FN size_t wide_packs() const {
    const bool is_wide = Pack::is_dense && reinterpret_cast<uintptr_t>(array_) % Pack::unit_bytes == 0;
    return is_wide ? count_ / Pack::elements : 0;
  }

  /// Calls body(i) for the elements of pack `number` that exist.
  template <class Body>
  COHORT_FN void for_each(size_t number, bool is_wide, const Body& body) const {
#pragma unroll
    for (uint32_t i = 0; i < Pack::elements; ++i) {
      if (is_wide || number * Pack::elements + i < count_) body(i);
    }
  }

  template <uint32_t Count>
  COHORT_FN void load(const pack_indices<Count>& indices, Pack* to) const {
    if (Pack::is_dense && indices.is_wide) {
#pragma unroll
      for (uint32_t u = 0; u < Count; ++u) {
        if (indices.has(u)) load_wide(indices[u], to[u]);
      }
    } else {
      for_each(indices[0], false, [&](uint32_t i) { to->set(i, array_[indices[0] * Pack::elements + i]); });
    }
  }

  /// Stores finish(first + i, element) for the elements of the packs; i counts from the array's begin.
  template <uint32_t Count, class Finish>
  COHORT_FN void store(const pack_indices<Count>& indices, const Pack* from, size_t first, Finish& finish) const {
    if (Pack::is_dense && indices.is_wide) {
#pragma unroll
      for (uint32_t u = 0; u < Count; ++u) {
        if (!indices.has(u)) continue;
        const size_t begin = first + indices[u] * Pack::elements;
        Pack finished;
#pragma unroll
        for (uint32_t i = 0; i < Pack::elements; ++i) finished.set(i, finish(begin + i, from[u].get(i)));
        store_wide(indices[u], finished);
      }
    } else {
      const size_t begin = indices[0] * Pack::elements;
      for_each(indices[0], false,
               [&](uint32_t i) { detail::copy_value(array_[begin + i], finish(first + begin + i, from->get(i))); });
    }
  }

 private:
  using unit = typename detail::conditional<Pack::unit_bytes == 16, uint4, uint2>::type;

  COHORT_FN void load_wide(size_t number, Pack& to) const {
    const unit* const from = reinterpret_cast<const unit*>(array_) + number * Pack::units;
#pragma unroll
    for (uint32_t i = 0; i < Pack::units; ++i) {
      const unit found = from[i];
      COHORT_COPY_BYTES(to.words + i * Pack::unit_bytes / 4, &found, sizeof found);
    }
  }
  COHORT_FN void store_wide(size_t number, const Pack& from) const {
    unit* const to = reinterpret_cast<unit*>(array_) + number * Pack::units;
#pragma unroll
    for (uint32_t i = 0; i < Pack::units; ++i) {
      unit stored;
      COHORT_COPY_BYTES(&stored, from.words + i * Pack::unit_bytes / 4, sizeof stored);
      to[i] = stored;
    }
  }

  T* const array_;
  const size_t count_;
};

/// Calls body(pack_indices) until it returns false: for `wide` packs `Count` at a time, then for each pack up to
/// `packs`. One call in one loop: each copy of the body costs code. Adjacent threads move adjacent packs, and pack i is
/// that of thread i % count. Returns whether all calls have returned true.
template <uint32_t Count, class Body>
COHORT_FN bool for_packs(size_t wide, size_t packs, array_share share, const Body& body) {
  size_t number = share.rank;
  bool is_wide = true;
#pragma unroll 1
  for (;;) {
    if (is_wide && number >= wide) {
      if (wide == packs) return true;  // tested first to avoid the division
      const size_t turn = wide % share.count;
      number = wide - turn + share.rank + (share.rank < turn ? share.count : 0);
      is_wide = false;
    }
    if (number >= packs) return true;
    if (!body(pack_indices<Count>{number, share.count, is_wide ? wide : number, is_wide})) return false;
    number += is_wide ? Count * static_cast<size_t>(share.count) : share.count;
  }
}

}  // namespace ptx
}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures of the border as data. The tables that layouts.inc includes have these rows:
//
//   COHORT_STRUCT(name, bytes)          begins a structure of `bytes` bytes on a machine with 64-bit addresses
//   COHORT_FIELD(type, name)            a field
//   COHORT_FIELD_OR(type, name, value)  a field that is `value` unless it is initialized
//   COHORT_STRUCT_END
#pragma once

#include "check/checker.hpp"
#include "count/counter.hpp"
#include "host.hpp"
#include "module.hpp"

// A field of a structure of the border.
struct cohort_field_layout {
  const char* name;
  size_t offset, bytes, alignment;
};

// The fields of a structure of the border in their order (`fields`), and the size that the table states (`bytes`).
template <class T>
struct cohort_layout;

// clang-format off: parts of a structure
#define COHORT_STRUCT(structure, size)              \
  template <>                                       \
  struct cohort_layout<structure> {                 \
    using record = structure;                       \
    static constexpr const char* name = #structure; \
    static constexpr size_t bytes = size;           \
    static constexpr cohort_field_layout fields[] = {
#define COHORT_FIELD(type, field) {#field, offsetof(record, field), sizeof(type), alignof(type)},
#define COHORT_FIELD_OR(type, field, value) COHORT_FIELD(type, field)
#define COHORT_STRUCT_END }; };
// clang-format on

#include "layouts.inc"

#include "structures_end.inc"

// True if each field lies at the first aligned address after the one before it, and the structure ends with the last:
// LLVM lays out a structure type in this way, so the compiler plugin's types have the same offsets.
template <class T>
constexpr bool cohort_has_natural_layout() {
  size_t end = 0, alignment = 1;
  for (const cohort_field_layout& field : cohort_layout<T>::fields) {
    if (field.offset != (end + field.alignment - 1) / field.alignment * field.alignment) return false;
    end = field.offset + field.bytes;
    if (field.alignment > alignment) alignment = field.alignment;
  }
  end = (end + alignment - 1) / alignment * alignment;
  return sizeof(T) == end && cohort_layout<T>::bytes == end;
}

#define COHORT_STRUCT(name, bytes) static_assert(cohort_has_natural_layout<name>(), #name " has another layout");
#define COHORT_FIELD(type, name)
#define COHORT_FIELD_OR(type, name, value)
#define COHORT_STRUCT_END

#include "layouts.inc"

#include "structures_end.inc"

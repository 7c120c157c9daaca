// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// check_contract: compares a machine with concept.hpp at compile time. A function that is missing or has another type
// is an error with a message: each required function, and each optional one whose has_... is true.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/lane_mask.hpp"
#include "../../base/types.hpp"
#include "concept.hpp"

namespace cohort {
namespace detail {

// The argument of a machine's function templates while their types are compared.
struct probe {
  uint32_t word;
};
using probe_op = probe (*)(const probe&, const probe&);
using probe_finish = probe (*)(size_t, const probe&);
struct probe_publish;

// The type of each function of a machine.
#define COHORT_REQUIRED(name, ...) \
  template <class Machine>         \
  using type_of_##name = decltype(&Machine::__VA_ARGS__);
#define COHORT_PROMISED(property, name, ...) \
  template <class Machine>                   \
  using type_of_##name = decltype(&Machine::__VA_ARGS__);

#include "functions.inc"

// True if Machine has the function, with the type that machine_contract declares.
template <template <class> class TypeOf, class Machine, class = void>
inline constexpr bool has_function_v = false;
template <template <class> class TypeOf, class Machine>
inline constexpr bool has_function_v<TypeOf, Machine, void_t<TypeOf<Machine>>> =
    is_same_v<TypeOf<Machine>, TypeOf<machine_contract>>;

// Returns true; each function that Machine lacks is a compile error.
template <class Machine>
COHORT_ANY_SIDE constexpr bool check_contract() {
  static_assert(
      Machine::warp_size <= mask_size && (Machine::warp_size & (Machine::warp_size - 1)) == 0,
      "machine/contract/concept.hpp: warp_size is a power of two, and at most the 32 lanes that a mask can name");
#define COHORT_REQUIRED(name, ...)                       \
  static_assert(has_function_v<type_of_##name, Machine>, \
                "machine/contract/concept.hpp: " #name " is missing in this machine or has another type");
#define COHORT_PROMISED(property, name, ...)                                   \
  static_assert(!Machine::property || has_function_v<type_of_##name, Machine>, \
                "machine/contract/concept.hpp: " #property " promises " #name  \
                ", which is missing in this machine or has another type");

#include "functions.inc"

  return true;
}

}  // namespace detail
}  // namespace cohort

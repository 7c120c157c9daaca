// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/bulk/reduction.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "engine/tensor/half_bits.hpp"

namespace cohort::engine {

namespace {

// Applies `reduction(old, operand)`, which works on bits, to each number.
template <class Bits, class Operation>
void for_each_number(void* to, const void* from, size_t bytes, Operation reduction) {
  typedef Bits __attribute__((may_alias)) number;
  auto* const target = static_cast<number*>(to);
  for (size_t i = 0; i < bytes / sizeof(Bits); ++i) {
    Bits operand;
    std::memcpy(&operand, static_cast<const char*>(from) + i * sizeof operand, sizeof operand);
    Bits old = __atomic_load_n(target + i, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(target + i, &old, static_cast<Bits>(reduction(old, operand)), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
}

template <class Number, class Bits>
void reduce_integers(void* to, const void* from, size_t bytes, cohort_bulk_reduction reduction) {
  const auto with = [&](auto function) {
    for_each_number<Bits>(to, from, bytes, [&](Bits a, Bits b) { return function(a, b); });
  };
  switch (reduction) {
    case cohort_bulk_add:
      return with([](Bits a, Bits b) { return a + b; });
    case cohort_bulk_min:
      return with([](Bits a, Bits b) { return static_cast<Number>(a) < static_cast<Number>(b) ? a : b; });
    case cohort_bulk_max:
      return with([](Bits a, Bits b) { return static_cast<Number>(a) < static_cast<Number>(b) ? b : a; });
    case cohort_bulk_inc:
      return with([](Bits a, Bits b) { return a >= b ? Bits{0} : a + 1; });
    case cohort_bulk_dec:
      return with([](Bits a, Bits b) { return a == 0 || a > b ? b : a - 1; });
    case cohort_bulk_and:
      return with([](Bits a, Bits b) { return a & b; });
    case cohort_bulk_or:
      return with([](Bits a, Bits b) { return a | b; });
    case cohort_bulk_xor:
      return with([](Bits a, Bits b) { return a ^ b; });
    case cohort_bulk_copies:
      break;
  }
}

// Numbers of 16 bits as floats. rounded() rounds to nearest, ties to even. pre: its argument is not NaN
struct half {
  static float value(uint16_t bits) { return float_of_half(bits); }
  static uint16_t rounded(float value) { return static_cast<uint16_t>(half_of_float(value)); }
};
// The upper half of a float.
struct bfloat16 {
  static float value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
  static uint16_t rounded(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  }
};

// The smaller number; of a number and a NaN the number. -0 is smaller than +0.
bool is_less(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

template <class Number>
void reduce_small_floats(void* to, const void* from, size_t bytes, cohort_bulk_reduction reduction) {
  constexpr uint16_t nan = 0x7fff;
  for_each_number<uint16_t>(to, from, bytes, [&](uint16_t a, uint16_t b) -> uint16_t {
    const float x = Number::value(a), y = Number::value(b);
    if (reduction == cohort_bulk_add) {
      const float sum = x + y;
      return sum == sum ? Number::rounded(sum) : nan;
    }
    if (x != x || y != y) return y == y ? b : x == x ? a : nan;
    return is_less(x, y) == (reduction == cohort_bulk_min) ? a : b;
  });
}

void add_floats(void* to, const void* from, size_t bytes) {
  constexpr uint32_t nan = 0x7fffffff;  // a GPU's NaN, whatever the operands' NaNs are
  for_each_number<uint32_t>(to, from, bytes, [](uint32_t a, uint32_t b) {
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    return sum == sum ? std::bit_cast<uint32_t>(sum) : nan;
  });
}

void add_doubles(void* to, const void* from, size_t bytes) {
  for_each_number<uint64_t>(to, from, bytes, [](uint64_t a, uint64_t b) {
    return std::bit_cast<uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  });
}

}  // namespace

bool can_reduce(cohort_bulk_reduction reduction, cohort_tensor_type type) {
  switch (type) {
    case cohort_tensor_u32:
      return true;
    case cohort_tensor_s64:
      return reduction == cohort_bulk_min || reduction == cohort_bulk_max;
    case cohort_tensor_s32:
    case cohort_tensor_u64:
      return reduction != cohort_bulk_inc && reduction != cohort_bulk_dec;
    case cohort_tensor_f16:
    case cohort_tensor_bf16:
      return reduction == cohort_bulk_add || reduction == cohort_bulk_min || reduction == cohort_bulk_max;
    case cohort_tensor_f32:
    case cohort_tensor_f64:
    case cohort_tensor_f32_ftz:
      return reduction == cohort_bulk_add;
    default:
      return false;
  }
}

void reduce_into(void* to, const void* from, size_t bytes, cohort_bulk_reduction reduction, cohort_tensor_type type) {
  switch (type) {
    case cohort_tensor_u32:
      return reduce_integers<uint32_t, uint32_t>(to, from, bytes, reduction);
    case cohort_tensor_s32:
      return reduce_integers<int32_t, uint32_t>(to, from, bytes, reduction);
    case cohort_tensor_u64:
      return reduce_integers<uint64_t, uint64_t>(to, from, bytes, reduction);
    case cohort_tensor_s64:
      return reduce_integers<int64_t, uint64_t>(to, from, bytes, reduction);
    case cohort_tensor_f16:
      return reduce_small_floats<half>(to, from, bytes, reduction);
    case cohort_tensor_bf16:
      return reduce_small_floats<bfloat16>(to, from, bytes, reduction);
    case cohort_tensor_f64:
      return add_doubles(to, from, bytes);
    default:
      return add_floats(to, from, bytes);
  }
}

}  // namespace cohort::engine

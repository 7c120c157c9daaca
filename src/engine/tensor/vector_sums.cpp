// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tensor/vector_sums.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/tensor/number.hpp"

namespace cohort::engine {
namespace {

using floats = float __attribute__((vector_size(32)));
using words = uint32_t __attribute__((vector_size(32)));
using integers = int32_t __attribute__((vector_size(32)));
using doubles = double __attribute__((vector_size(64)));
using long_integers = int64_t __attribute__((vector_size(64)));

#define COHORT_VECTOR_CODE static inline __attribute__((always_inline))

// Products and results within these exponents neither overflow nor lose bits in f32.
constexpr int32_t smallest_exponent = -100, largest_exponent = 125;
constexpr unsigned exact_products = 8;  // as many aligned products fit an integer: each is below 2^27

template <class Vector, class Element>
COHORT_VECTOR_CODE void load(Vector& to, const Element* from) {
  std::memcpy(&to, from, sizeof to);
}
template <class Vector, class Element>
COHORT_VECTOR_CODE void store(Element* to, const Vector& from) {
  std::memcpy(to, &from, sizeof from);
}
template <class To, class From>
COHORT_VECTOR_CODE void copy_bits(To& to, const From& from) {
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
}
COHORT_VECTOR_CODE bool any(const integers& mask) {
  uint64_t parts[4];
  std::memcpy(parts, &mask, sizeof parts);
  return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
}

// The exponent of each number, at least `smallest`.
COHORT_VECTOR_CODE void find_exponents(const floats& values, int32_t smallest, integers& exponents) {
  integers bits;
  copy_bits(bits, values);
  const integers found = ((bits >> 23) & 255) - 127;
  exponents = found > smallest ? found : integers{} + smallest;
  exponents = (bits & 0x7fffffff) == 0 ? integers{} + exponent_of_zero : exponents;
}

COHORT_VECTOR_CODE bool unpack(const number_source& from, unsigned rows, float* values, int32_t* exponents,
                               unsigned stride) {
  const float_format format = format_of(from.element);
  const int fraction_bits = format.fraction_bits + format.dropped_bits;
  const uint32_t magnitude_mask = (format.largest_exponent() << fraction_bits) | ((1u << fraction_bits) - 1);
  const uint32_t not_finite = format.has_infinity ? format.largest_exponent() << fraction_bits : magnitude_mask;
  const uint32_t read_mask = magnitude_mask & ~((1u << format.dropped_bits) - 1);
  const int sign_shift = 31 - format.exponent_bits - fraction_bits;
  const int32_t smallest = 1 - format_of(from.read_as).bias();
  // The product by a power of two moves the exponent, and makes subnormal numbers normal.
  const float scale = std::bit_cast<float>(static_cast<uint32_t>(254 - format.bias()) << 23);
  integers special = {};
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned i = 0; i < from.count; i += vector_columns) {
      words bits;
      load(bits, from.words + row * from.stride + i);
      bits >>= from.from;
      special |= (bits & not_finite) == not_finite;
      const words magnitude = (bits & read_mask) << (23 - fraction_bits), sign = (bits << sign_shift) & 0x80000000u;
      floats value;
      copy_bits(value, magnitude);
      value *= scale;
      words signed_bits;
      copy_bits(signed_bits, value);
      signed_bits |= sign;
      copy_bits(value, signed_bits);
      integers exponent = {};
      find_exponents(value, smallest, exponent);
      store(values + row * stride + i, value);
      store(exponents + row * stride + i, exponent);
    }
  }
  return !any(special);
}

// The rounded sums. `sum` counts units of 2^(largest - bits).
COHORT_VECTOR_CODE void round_sums(const sum_rule& rule, const doubles& sum, const integers& largest, floats& result) {
  long_integers bits;
  copy_bits(bits, sum);
  // Mask of a double's low significand bits that the result lacks, or that f32 lacks if it is then rounded to f16.
  const int64_t below = (int64_t{1} << (rule.rounds == rounding::to_nearest ? 29 : 53 - rule.result_bits)) - 1;
  const long_integers truncated = bits & ~below;
  // Sets the last kept bit if bits were cut off: a second rounding, to f16, depends on it.
  const long_integers is_inexact = (bits & below) != 0 ? long_integers{} + (below + 1) : long_integers{};
  const long_integers kept = rule.rounds == rounding::to_nearest ? truncated | is_inexact : truncated;
  doubles value;
  copy_bits(value, kept);
  const long_integers unit = __builtin_convertvector(largest, long_integers) - rule.aligned_bits;
  const long_integers power = (unit + 1023) << 52;
  doubles scale;
  copy_bits(scale, power);
  result = __builtin_convertvector(value * scale, floats);
}

using rows_of_a = vector_numbers<16 * largest_products>;
using columns_of_b = vector_numbers<largest_products * vector_columns>;

// Adds the products of some rows. `count`: the number of products; a constant lets the compiler unroll their loops.
COHORT_VECTOR_CODE void add_some(const sum_rule& rule, const rows_of_a& a, const columns_of_b& b,
                                 const summed_products& which, size_t count, float (*sums)[vector_columns],
                                 uint8_t* left_out) {
  const int32_t smallest_of_sum = 1 - format_of(rule.result_format).bias();
  const float* const b_values = b.values + which.first * vector_columns;
  const int32_t* const b_exponents = b.exponents + which.first * vector_columns;
  for (size_t row = 0; row < which.rows; ++row) {
    const float* const a_values = a.values + row * largest_products + which.first;
    const int32_t* const a_exponents = a.exponents + row * largest_products + which.first;
    floats accumulator;
    integers largest = {};
    load(accumulator, sums[row]);
    find_exponents(accumulator, smallest_of_sum, largest);
    for (size_t k = 0; k < count; ++k) {
      integers exponents;
      load(exponents, b_exponents + k * vector_columns);
      exponents += a_exponents[k];
      largest = exponents > largest ? exponents : largest;
    }
    largest = largest < exponent_of_zero / 2 ? integers{} : largest;  // the sum of zeros is zero
    const integers outside = (largest < smallest_exponent) | (largest > largest_exponent);
    left_out[row] = 0;
    if (any(outside)) [[unlikely]] {
      for (unsigned column = 0; column < vector_columns; ++column) {
        left_out[row] = static_cast<uint8_t>(left_out[row] | (outside[column] != 0 ? 1u << column : 0u));
      }
    }
    const integers power = (127 + rule.aligned_bits - largest) << 23;
    floats scale;
    copy_bits(scale, power);
    integers part = __builtin_convertvector(accumulator * scale, integers);
    doubles sum = __builtin_convertvector(part, doubles);
    for (size_t k = 0; k < count; k += exact_products) {
      part = integers{};
      for (size_t i = k; i < k + exact_products; ++i) {
        floats column;
        load(column, b_values + i * vector_columns);
        part += __builtin_convertvector(column * a_values[i] * scale, integers);
      }
      sum += __builtin_convertvector(part, doubles);
    }
    floats result;
    round_sums(rule, sum, largest, result);
    store(sums[row], result);
  }
}

COHORT_VECTOR_CODE void add(const sum_rule& rule, const rows_of_a& a, const columns_of_b& b,
                            const summed_products& which, float (*sums)[vector_columns], uint8_t* left_out) {
  if (which.count == 16) {
    add_some(rule, a, b, which, 16, sums, left_out);
  } else {
    add_some(rule, a, b, which, which.count, sums, left_out);
  }
}

#define COHORT_VECTOR_VERSION(name, attributes)                                                               \
  attributes bool unpack_##name(const number_source& from, unsigned rows, float* values, int32_t* exponents,  \
                                unsigned stride) {                                                            \
    return unpack(from, rows, values, exponents, stride);                                                     \
  }                                                                                                           \
  attributes void add_##name(const sum_rule& rule, const rows_of_a& a, const columns_of_b& b,                 \
                             const summed_products& which, float(*sums)[vector_columns], uint8_t* left_out) { \
    add(rule, a, b, which, sums, left_out);                                                                   \
  }
COHORT_VECTOR_VERSION(plain, )
#if defined(__x86_64__)
COHORT_VECTOR_VERSION(avx2, __attribute__((target("avx2"))))
COHORT_VECTOR_VERSION(avx512, __attribute__((target("avx2,avx512f,avx512dq,avx512vl"))))
#endif
#undef COHORT_VECTOR_VERSION
#undef COHORT_VECTOR_CODE

struct version {
  decltype(&unpack_plain) unpack;
  decltype(&add_plain) add;
};

version version_of_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return {unpack_avx512, add_avx512};
  }
  if (__builtin_cpu_supports("avx2")) {
    return {unpack_avx2, add_avx2};
  }
#endif
  return {unpack_plain, add_plain};
}

const version& own_version() {
  static const version own = version_of_cpu();
  return own;
}

}  // namespace

bool unpack_numbers(const number_source& from, unsigned rows, float* values, int32_t* exponents, unsigned stride) {
  return own_version().unpack(from, rows, values, exponents, stride);
}

void add_products(const sum_rule& rule, const rows_of_a& a, const columns_of_b& b, const summed_products& which,
                  float (*sums)[vector_columns], uint8_t* left_out) {
  own_version().add(rule, a, b, which, sums, left_out);
}

}  // namespace cohort::engine

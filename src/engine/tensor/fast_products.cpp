// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tensor/fast_products.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/tensor/fast_forms.hpp"
#include "engine/tensor/fragments.hpp"
#include "engine/tensor/matrix_product.hpp"
#include "engine/tensor/wide_fast_products.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cohort::engine {
namespace {

fast_code selected = fast_code::none;

#if defined(__x86_64__)

#define COHORT_FAST_CODE static inline __attribute__((always_inline, target("avx2,fma,f16c")))
#define COHORT_UNROLL _Pragma("GCC unroll 16")
#define COHORT_FAST_ENTRY __attribute__((target("avx2,fma,f16c")))

constexpr unsigned largest_k = 16;

// The elements as floats: A row by row, B column by column.
struct numbers {
  alignas(64) float a[largest_rows][largest_k];
  alignas(64) float b[largest_k][columns];
};

// Reads eight adjacent elements of 16 bits as floats.
template <int Element>
COHORT_FAST_CODE __m256 read_halves(const void* from) {
  const __m128i packed = _mm_loadu_si128(static_cast<const __m128i*>(from));
  if constexpr (Element == cohort_element_f16) {
    return _mm256_cvtph_ps(packed);
  } else {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(packed), 16));
  }
}
COHORT_FAST_CODE __m128 read_tf32(const uint32_t* from) {
  const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm_castsi128_ps(_mm_and_si128(words, _mm_set1_epi32(-0x2000)));
}

// Reads four adjacent words of a row. `elements_of_words`: the number of their elements.
template <int Element>
constexpr unsigned elements_of_words = Element == cohort_element_tf32 ? 4 : 8;
template <int Element>
COHORT_FAST_CODE void read_row(const uint32_t* from, float* to) {
  if constexpr (Element == cohort_element_tf32) {
    _mm_store_ps(to, read_tf32(from));
  } else {
    _mm256_store_ps(to, read_halves<Element>(from));
  }
}

COHORT_FAST_CODE __m256 joined(__m128 low, __m128 high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

// In each half of the vectors, transposes four by four numbers.
COHORT_FAST_CODE void transpose_halves(__m256 (&v)[4]) {
  const __m256 a = _mm256_unpacklo_ps(v[0], v[1]), b = _mm256_unpackhi_ps(v[0], v[1]);
  const __m256 c = _mm256_unpacklo_ps(v[2], v[3]), d = _mm256_unpackhi_ps(v[2], v[3]);
  v[0] = _mm256_shuffle_ps(a, c, 0x44);
  v[1] = _mm256_shuffle_ps(a, c, 0xee);
  v[2] = _mm256_shuffle_ps(b, d, 0x44);
  v[3] = _mm256_shuffle_ps(b, d, 0xee);
}

// Reads four words of each of the eight columns, which begin at `from(column)`, to rows of numbers. The columns lie in
// the order 0, 2, 4, 6, 1, 3, 5, 7, as the registers of an accumulator hold them.
template <int Element, class From>
COHORT_FAST_CODE void read_columns(From from, float (*to)[columns]) {
  __m256 low[4];
  if constexpr (Element == cohort_element_tf32) {
    COHORT_UNROLL
    for (unsigned i = 0; i < 4; ++i) low[i] = joined(read_tf32(from(2 * i)), read_tf32(from(2 * i + 1)));
  } else {
    __m256 high[4];
    COHORT_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      const __m256 even = read_halves<Element>(from(2 * i)), odd = read_halves<Element>(from(2 * i + 1));
      low[i] = _mm256_permute2f128_ps(even, odd, 0x20);
      high[i] = _mm256_permute2f128_ps(even, odd, 0x31);
    }
    transpose_halves(high);
    COHORT_UNROLL
    for (unsigned i = 0; i < 4; ++i) _mm256_store_ps(to[4 + i], high[i]);
  }
  transpose_halves(low);
  COHORT_UNROLL
  for (unsigned i = 0; i < 4; ++i) _mm256_store_ps(to[i], low[i]);
}

// Calls read(row) for the accumulators of a row, and write(row, sums). The loops have constant counts: the sums are
// registers of the CPU.
template <unsigned K, class Read, class Write>
COHORT_FAST_CODE void sum_rows(const numbers& of, Read read, Write write) {
  constexpr unsigned together = 8;
  for (unsigned first = 0; first < largest_rows; first += together) {
    __m256 sums[together];
    COHORT_UNROLL
    for (unsigned row = 0; row < together; ++row) sums[row] = read(first + row);
    for (unsigned k = 0; k < K; ++k) {
      const __m256 of_b = _mm256_load_ps(of.b[k]);
      COHORT_UNROLL
      for (unsigned row = 0; row < together; ++row) {
        sums[row] = _mm256_fmadd_ps(_mm256_broadcast_ss(&of.a[first + row][k]), of_b, sums[row]);
      }
    }
    // The NaN of a tensor core: that of a CPU depends on the order of operands.
    __m256 is_nan = _mm256_cmp_ps(sums[0], sums[1], _CMP_UNORD_Q);
    COHORT_UNROLL
    for (unsigned row = 2; row < together; row += 2) {
      is_nan = _mm256_or_ps(is_nan, _mm256_cmp_ps(sums[row], sums[row + 1], _CMP_UNORD_Q));
    }
    if (_mm256_movemask_ps(is_nan) != 0) [[unlikely]] {
      const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
      COHORT_UNROLL
      for (unsigned row = 0; row < together; ++row) {
        sums[row] = _mm256_blendv_ps(sums[row], nan, _mm256_cmp_ps(sums[row], sums[row], _CMP_UNORD_Q));
      }
    }
    COHORT_UNROLL
    for (unsigned row = 0; row < together; ++row) write(first + row, sums[row]);
  }
}

template <int Element, int Sum, unsigned K>
COHORT_FAST_ENTRY void multiply(cohort_matrix_registers& registers) {
  constexpr unsigned step = elements_of_words<Element>;
  constexpr product_shape shape(fast_form(Element, Sum, K));
  numbers of;
  COHORT_UNROLL
  for (unsigned i = 0; i < K / step; ++i) {
    COHORT_UNROLL
    for (unsigned row = 0; row < largest_rows; ++row) {
      const uint32_t* const words = registers.words[shape.a_begin + 2 * i + row / 8];
      read_row<Element>(words + 4 * (row % 8), &of.a[row][step * i]);
    }
    const uint32_t* const words = registers.words[shape.b_begin + i];
    read_columns<Element>([&](unsigned column) { return words + 4 * column; }, of.b + step * i);
  }
  register_words* const sums = registers.words;
  if constexpr (Sum == cohort_element_f16) {
    const __m256i by_parity = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    const __m256i by_column = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    sum_rows<K>(
        of,
        [&](unsigned row) __attribute__((target("avx2,fma,f16c"))) {
          return _mm256_permutevar8x32_ps(read_halves<cohort_element_f16>(&sums[row / 8][4 * (row % 8)]), by_parity);
        },
        [&](unsigned row, __m256 sum) __attribute__((target("avx2,fma,f16c"))) {
          const __m128i packed = _mm256_cvtps_ph(_mm256_permutevar8x32_ps(sum, by_column), _MM_FROUND_TO_NEAREST_INT);
          _mm_storeu_si128(reinterpret_cast<__m128i*>(&sums[row / 8][4 * (row % 8)]), packed);
        });
  } else {
    sum_rows<K>(
        of,
        [&](unsigned row) __attribute__((target("avx2,fma,f16c"))) {
          const auto* even = reinterpret_cast<const float*>(&sums[row / 8 * 2][4 * (row % 8)]);
          return joined(_mm_loadu_ps(even), _mm_loadu_ps(even + lanes_of_warp));
        },
        [&](unsigned row, __m256 sum) __attribute__((target("avx2,fma,f16c"))) {
          auto* even = reinterpret_cast<float*>(&sums[row / 8 * 2][4 * (row % 8)]);
          _mm_storeu_ps(even, _mm256_castps256_ps128(sum));
          _mm_storeu_ps(even + lanes_of_warp, _mm256_extractf128_ps(sum, 1));
        });
  }
}

#define COHORT_FAST_ROW(a, d, k) \
  {fast_form(cohort_element_##a, cohort_element_##d, k), multiply<cohort_element_##a, cohort_element_##d, k>},
constexpr fast_row fast_rows[] = {COHORT_FAST_FORMS(COHORT_FAST_ROW)};
#undef COHORT_FAST_ROW

bool cpu_has_fast_products() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

#undef COHORT_FAST_CODE
#undef COHORT_FAST_ENTRY
#undef COHORT_UNROLL
#else

constexpr fast_row fast_rows[] = {{{}, nullptr}};
bool cpu_has_fast_products() { return false; }

#endif

}  // namespace

fast_code fast_code_of_cpu() {
  if (!cpu_has_fast_products()) return fast_code::none;
  return cpu_has_wide_products() ? fast_code::avx512 : fast_code::avx2;
}

void use_fast_products(fast_code code) { selected = std::min(code, fast_code_of_cpu()); }

fast_product fast_product_of(const cohort_matrix_form& form) {
  if (selected == fast_code::none) return nullptr;
  return selected == fast_code::avx512 ? wide_product_of(form) : find_product(fast_rows, form);
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector has four rows of a fragment as the registers of a warp hold them: each 128 bits are four lanes, and those
// are one row. Accumulators thus stay where they are. An element of A is broadcast inside its 128 bits, four elements
// of B from memory to all rows.
#include "engine/tensor/wide_fast_products.hpp"

#include <cstdint>

#include "engine/tensor/fast_forms.hpp"
#include "engine/tensor/fragments.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cohort::engine {

#if defined(__x86_64__)

// GCC 12 reports the undefined operands that its own intrinsics pass to instructions without a mask.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace {

#define COHORT_WIDE_TARGET __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")))
#define COHORT_WIDE_CODE static inline __attribute__((always_inline)) COHORT_WIDE_TARGET
#define COHORT_UNROLL _Pragma("GCC unroll 16")

constexpr unsigned row_groups = 4;  // a fragment has 16 rows, a group has four

// Columns of B of one parity: those that one register of an accumulator has.
struct columns_of_k {
  float of[2][4];
};

template <int Element>
COHORT_WIDE_CODE __m512 floats_of_halves(__m256i packed) {
  if constexpr (Element == cohort_element_f16) {
    return _mm512_cvtph_ps(packed);
  } else {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(packed), 16));
  }
}
COHORT_WIDE_CODE __m512i load_words(const uint32_t* from) { return _mm512_loadu_si512(from); }
COHORT_WIDE_CODE __m512 floats_of_tf32(__m512i words) {
  return _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(-0x2000)));
}

// Reads four words of each of four rows of A: vectors with four adjacent elements of each row.
template <int Element>
COHORT_WIDE_CODE void read_wide_rows(const uint32_t* from, __m512* to) {
  if constexpr (Element == cohort_element_tf32) {
    to[0] = floats_of_tf32(load_words(from));
  } else {
    const __m512i words = load_words(from);
    const __m512 upper = floats_of_halves<Element>(_mm512_castsi512_si256(words));
    const __m512 lower = floats_of_halves<Element>(_mm512_extracti64x4_epi64(words, 1));
    to[0] = _mm512_shuffle_f32x4(upper, lower, 0x88);
    to[1] = _mm512_shuffle_f32x4(upper, lower, 0xdd);
  }
}

// Reads a register of B: four words of each column, by k.
template <int Element>
COHORT_WIDE_CODE void read_wide_columns(const uint32_t* from, columns_of_k* to) {
  const __m512i low = load_words(from), high = load_words(from + 16);
  // Word w of the columns 0, 2, 4, 6, of the columns 1, 3, 5, 7, then word w + 1 of them.
  const __m512i places = _mm512_setr_epi32(0, 8, 16, 24, 4, 12, 20, 28, 1, 9, 17, 25, 5, 13, 21, 29);
  COHORT_UNROLL
  for (unsigned pair = 0; pair < 2; ++pair) {
    const __m512i at = _mm512_add_epi32(places, _mm512_set1_epi32(static_cast<int>(2 * pair)));
    const __m512i words = _mm512_permutex2var_epi32(low, at, high);
    if constexpr (Element == cohort_element_tf32) {
      _mm512_storeu_ps(to[2 * pair].of[0], floats_of_tf32(words));
    } else {
      // In each 128 bits, the four lower halves and then the four upper ones, which are the next k.
      const __m512i by_half = _mm512_shuffle_epi8(
          words, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)));
      const __m512 first = floats_of_halves<Element>(_mm512_castsi512_si256(by_half));
      const __m512 second = floats_of_halves<Element>(_mm512_extracti64x4_epi64(by_half, 1));
      _mm512_storeu_ps(to[4 * pair].of[0], _mm512_shuffle_f32x4(first, first, 0xd8));
      _mm512_storeu_ps(to[4 * pair + 2].of[0], _mm512_shuffle_f32x4(second, second, 0xd8));
    }
  }
}

// Out of line: a compiler that sees the stores takes the broadcasts from registers, by 32 more shuffles in a product.
template <int Element, unsigned Count>
COHORT_WIDE_TARGET __attribute__((noinline)) void read_matrix(const register_words* from, columns_of_k* to) {
  COHORT_UNROLL
  for (unsigned i = 0; i < Count; ++i)
    read_wide_columns<Element>(from[i], to + (Element == cohort_element_tf32 ? 4 : 8) * i);
}

// Accumulators of four rows: columns 0, 2, 4, 6 and columns 1, 3, 5, 7.
struct wide_sums {
  __m512 of[2];
};

template <int Sum>
COHORT_WIDE_CODE wide_sums read_sums(const register_words* registers, unsigned group) {
  const unsigned lane = 16 * (group % 2);
  if constexpr (Sum == cohort_element_f16) {
    const __m512i words = load_words(&registers[group / 2][lane]);
    return {{_mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)),
             _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(words, 16)))}};
  } else {
    return {{_mm512_loadu_ps(&registers[group / 2 * 2][lane]), _mm512_loadu_ps(&registers[group / 2 * 2 + 1][lane])}};
  }
}

// Writes the NaN of a tensor core for a NaN: that of a CPU depends on the order of operands.
template <int Sum>
COHORT_WIDE_CODE void write_sums(const wide_sums& from, register_words* registers, unsigned group) {
  const unsigned lane = 16 * (group % 2);
  const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fffffff));
  const __m512 even = _mm512_mask_mov_ps(from.of[0], _mm512_cmp_ps_mask(from.of[0], from.of[0], _CMP_UNORD_Q), nan);
  const __m512 odd = _mm512_mask_mov_ps(from.of[1], _mm512_cmp_ps_mask(from.of[1], from.of[1], _CMP_UNORD_Q), nan);
  if constexpr (Sum == cohort_element_f16) {
    const __m512i low = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(even, _MM_FROUND_TO_NEAREST_INT));
    const __m512i high = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(odd, _MM_FROUND_TO_NEAREST_INT));
    _mm512_storeu_si512(&registers[group / 2][lane], _mm512_or_si512(low, _mm512_slli_epi32(high, 16)));
  } else {
    _mm512_storeu_ps(&registers[group / 2 * 2][lane], even);
    _mm512_storeu_ps(&registers[group / 2 * 2 + 1][lane], odd);
  }
}

// Adds the products of element `Element` of the four of each row.
template <int Element>
COHORT_WIDE_CODE void add_wide_products(const __m512 (&a)[row_groups], const columns_of_k& b,
                                        wide_sums (&all)[row_groups]) {
  const __m512 even = _mm512_broadcast_f32x4(_mm_load_ps(b.of[0])), odd = _mm512_broadcast_f32x4(_mm_load_ps(b.of[1]));
  COHORT_UNROLL
  for (unsigned group = 0; group < row_groups; ++group) {
    const __m512 of_a = _mm512_permute_ps(a[group], Element * 0x55);
    all[group].of[0] = _mm512_fmadd_ps(of_a, even, all[group].of[0]);
    all[group].of[1] = _mm512_fmadd_ps(of_a, odd, all[group].of[1]);
  }
}

template <int Element, int Sum, unsigned K>
COHORT_WIDE_TARGET void multiply_wide(cohort_matrix_registers& registers) {
  constexpr unsigned quads = Element == cohort_element_tf32 ? 1 : 2;  // groups of four elements in four words
  constexpr product_shape shape(fast_form(Element, Sum, K));
  register_words* const words = registers.words;
  alignas(64) columns_of_k b[K];
  read_matrix<Element, shape.b_words>(words + shape.b_begin, b);
  wide_sums all[row_groups];
  COHORT_UNROLL
  for (unsigned group = 0; group < row_groups; ++group) all[group] = read_sums<Sum>(words, group);
  COHORT_UNROLL
  for (unsigned i = 0; i < shape.a_words / 2; ++i) {
    __m512 rows[row_groups][quads];
    COHORT_UNROLL
    for (unsigned group = 0; group < row_groups; ++group) {
      read_wide_rows<Element>(&words[shape.a_begin + 2 * i + group / 2][16 * (group % 2)], rows[group]);
    }
    COHORT_UNROLL
    for (unsigned quad = 0; quad < quads; ++quad) {
      const __m512 of[row_groups] = {rows[0][quad], rows[1][quad], rows[2][quad], rows[3][quad]};
      const columns_of_k* const from = b + 4 * (quads * i + quad);
      add_wide_products<0>(of, from[0], all);
      add_wide_products<1>(of, from[1], all);
      add_wide_products<2>(of, from[2], all);
      add_wide_products<3>(of, from[3], all);
    }
  }
  COHORT_UNROLL
  for (unsigned group = 0; group < row_groups; ++group) write_sums<Sum>(all[group], words, group);
}

#define COHORT_WIDE_ROW(a, d, k) \
  {fast_form(cohort_element_##a, cohort_element_##d, k), multiply_wide<cohort_element_##a, cohort_element_##d, k>},
constexpr fast_row wide_rows[] = {COHORT_FAST_FORMS(COHORT_WIDE_ROW)};
#undef COHORT_WIDE_ROW
#undef COHORT_WIDE_TARGET
#undef COHORT_WIDE_CODE
#undef COHORT_UNROLL

}  // namespace

bool cpu_has_wide_products() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

fast_product wide_product_of(const cohort_matrix_form& form) { return find_product(wide_rows, form); }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#else

bool cpu_has_wide_products() { return false; }
fast_product wide_product_of(const cohort_matrix_form&) { return nullptr; }

#endif

}  // namespace cohort::engine

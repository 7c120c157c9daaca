// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: matrices in the registers of a warp, in all shapes and types of sm_90. The elements of a fragment lie
// where an H100 has them, and the numbers are those of an H100, bit for bit (docs/tensor-cores.md). A fragment consists
// of fragments of `mma`: of 16 or 8 rows of A, of 8 columns of B, and of their products.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <cohort/base/types.hpp>

#include <stdint.h>
#include <string.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cudart_detail/device/ptx/matrices.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {

struct tf32;

}  // namespace precision

namespace experimental {

namespace precision {

struct u4;
struct s4;
struct b1;

}  // namespace precision

enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };

}  // namespace experimental

namespace cohort_detail {

// The type of an element: its bits, the type that stores it, its number at the engine, and the shapes that take it.
template <class T>
struct element {
  using storage = T;
  static constexpr int bits = 0, number = -1;
};
template <class Storage, int Bits, int Number>
struct known_element {
  using storage = Storage;
  static constexpr int bits = Bits, number = Number;
};
template <>
struct element<__half> : known_element<__half, 16, cohort_element_f16> {};
template <>
struct element<__nv_bfloat16> : known_element<__nv_bfloat16, 16, cohort_element_bf16> {};
template <>
struct element<precision::tf32> : known_element<float, 32, cohort_element_tf32> {};
template <>
struct element<float> : known_element<float, 32, cohort_element_f32> {};
template <>
struct element<double> : known_element<double, 64, cohort_element_f64> {};
template <>
struct element<signed char> : known_element<signed char, 8, cohort_element_s8> {};
template <>
struct element<unsigned char> : known_element<unsigned char, 8, cohort_element_u8> {};
template <>
struct element<experimental::precision::s4> : known_element<int, 4, cohort_element_s4> {};
template <>
struct element<experimental::precision::u4> : known_element<unsigned int, 4, cohort_element_u4> {};
template <>
struct element<experimental::precision::b1> : known_element<unsigned int, 1, cohort_element_b1> {};
template <>
struct element<int> : known_element<int, 32, cohort_element_s32> {};

constexpr bool is_shape(int m, int n, int k, int wanted_m, int wanted_n, int wanted_k) {
  return m == wanted_m && n == wanted_n && k == wanted_k;
}
constexpr bool is_large_shape(int m, int n, int k) {
  return is_shape(m, n, k, 16, 16, 16) || is_shape(m, n, k, 32, 8, 16) || is_shape(m, n, k, 8, 32, 16);
}
constexpr bool takes_factor(int number, int m, int n, int k) {
  return number == cohort_element_tf32                                ? is_shape(m, n, k, 16, 16, 8)
         : number == cohort_element_f64                               ? is_shape(m, n, k, 8, 8, 4)
         : number == cohort_element_s4 || number == cohort_element_u4 ? is_shape(m, n, k, 8, 8, 32)
         : number == cohort_element_b1                                ? is_shape(m, n, k, 8, 8, 128)
         : number == cohort_element_f16 || number == cohort_element_bf16 || number == cohort_element_s8 ||
                 number == cohort_element_u8
             ? is_large_shape(m, n, k)
             : false;
}
constexpr bool takes_sum(int number, int m, int n, int k) {
  return number == cohort_element_f16   ? is_large_shape(m, n, k)
         : number == cohort_element_f32 ? is_large_shape(m, n, k) || is_shape(m, n, k, 16, 16, 8)
         : number == cohort_element_f64 ? is_shape(m, n, k, 8, 8, 4)
         : number == cohort_element_s32
             ? is_large_shape(m, n, k) || is_shape(m, n, k, 8, 8, 32) || is_shape(m, n, k, 8, 8, 128)
             : false;
}

template <class Layout>
inline constexpr bool is_row = false;
template <>
inline constexpr bool is_row<row_major> = true;

struct place {
  unsigned int row, column;

  // The index of the element in memory whose rows, or columns, are `stride` apart.
  __attribute__((device)) unsigned int index(unsigned int stride, bool is_row_major) const {
    return is_row_major ? row * stride + column : column * stride + row;
  }
};

// The products of a shape. m8n32 is the transposed m32n8: B takes the place of A.
template <int M, int N, int K>
struct products {
  static constexpr bool is_transposed = N == 32;
  static constexpr unsigned int rows = M == 8 && N == 8 ? 8 : 16;  // rows of the factor in A's place
  static constexpr unsigned int count = M * N / (8 * rows);
  static constexpr bool repeats_rows = M == 16;  // all products share the factor in A's place
};

// Layout of a factor's elements in the registers of a fragment: `per_word` elements in each register.
template <class Use, int M, int N, int K, class T>
struct factor_layout {
  static constexpr bool is_a = __is_same(Use, matrix_a);
  static constexpr bool is_in_place_of_a = is_a != products<M, N, K>::is_transposed;
  static constexpr unsigned int word_bits = element<T>::bits == 64 ? 64 : 32, per_word = word_bits / element<T>::bits;
  static constexpr unsigned int lines = is_in_place_of_a ? products<M, N, K>::rows : 8;  // lines of one factor's matrix
  static constexpr unsigned int words = lines * K / per_word / 32;                       // words of one factor
  static constexpr unsigned int factors = (is_a ? M : N) / lines;
  static constexpr unsigned int elements = factors * words * per_word;
  // Fragments of __half have 16 elements: they repeat.
  static constexpr unsigned int size = element<T>::number == cohort_element_f16 ? 16 : elements;

  __attribute__((device)) static place of(unsigned int lane, unsigned int number) {
    const unsigned int word = number / per_word % words, factor = number / per_word / words % factors;
    const unsigned int groups = lines / 8;
    const unsigned int line = lane / 4 + 8 * (word % groups) + lines * factor;
    const unsigned int k = lane % 4 * per_word + number % per_word + 4 * per_word * (word / groups);
    return is_a ? place{line, k} : place{k, line};
  }
};

template <int M, int N, int K>
struct sum_layout {
  static constexpr unsigned int size = M * N / 32, of_product = size / products<M, N, K>::count;

  __attribute__((device)) static place of(unsigned int lane, unsigned int number) {
    using all = products<M, N, K>;
    const unsigned int product = number / of_product, i = number % of_product;
    place at = {lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2};
    (all::repeats_rows ? at.column : at.row) += (all::repeats_rows ? 8 : all::rows) * product;
    return all::is_transposed ? place{at.column, at.row} : at;
  }
};

template <class T, unsigned int Size, unsigned int StorageSize>
struct alignas(8) fragment_base {
  enum { num_elements = Size };
  enum { num_storage_elements = StorageSize };
  using element_type = T;
  using storage_element_type = typename element<T>::storage;
  storage_element_type x[StorageSize];
};

template <class Use, int M, int N, int K, class T>
struct size_of_fragment {
  using layout = factor_layout<Use, M, N, K, T>;
  static constexpr unsigned int size = layout::size, storage = element<T>::bits < 8 ? layout::words : layout::size;
};
template <int M, int N, int K, class T>
struct size_of_fragment<accumulator, M, N, K, T> {
  using layout = sum_layout<M, N, K>;
  static constexpr unsigned int size = layout::size, storage = layout::size;
};

template <bool IsKnown, class Use, int M, int N, int K, class T>
struct base_of_fragment {
  static_assert(IsKnown, "nvcuda::wmma::fragment: no GPU has a matrix product of this shape and type of elements");
};
template <class Use, int M, int N, int K, class T>
struct base_of_fragment<true, Use, M, N, K, T>
    : fragment_base<T, size_of_fragment<Use, M, N, K, T>::size, size_of_fragment<Use, M, N, K, T>::storage> {};

template <class Use, int M, int N, int K, class T, class Layout>
inline constexpr bool is_fragment =
    (__is_same(Use, accumulator) ? takes_sum(element<T>::number, M, N, K) && __is_same(Layout, void)
                                 : takes_factor(element<T>::number, M, N, K) &&
                                       (__is_same(Layout, row_major) || __is_same(Layout, col_major)) &&
                                       (element<T>::bits >= 8 || is_row<Layout> == __is_same(Use, matrix_a)));

__attribute__((device)) inline void meet(const char* name) {
  cohort_require_full_warp(name);
  cohort::this_machine::sync_lanes(0xffffffffu, name);
}

// A product of fragments of `mma`, as the engine takes it. C comes first, and D replaces it.
template <class Word, unsigned int SumWords, unsigned int RowWords, unsigned int ColumnWords>
struct product_operand {
  cohort_matrix_operand head;
  Word sum[SumWords], rows[RowWords], columns[ColumnWords];
};

struct product_types {
  int factors, sum;
  unsigned int flags;
};

// `m` x 8 x `k`. The words of the factors and of the sum, which the product replaces.
template <unsigned int SumWords, unsigned int RowWords, unsigned int ColumnWords, class Word>
__attribute__((device)) void multiply(unsigned int m, unsigned int k, const product_types& types, const Word* rows,
                                      const Word* columns, Word* sum) {
  product_operand<Word, SumWords, RowWords, ColumnWords> operand;
  operand.head = {{static_cast<uint8_t>(m), 8, static_cast<uint8_t>(k / 4), static_cast<uint8_t>(types.factors),
                   static_cast<uint8_t>(types.factors), static_cast<uint8_t>(types.sum),
                   static_cast<uint8_t>(types.sum), static_cast<uint8_t>(types.flags)},
                  0,
                  0};
  for (unsigned int i = 0; i < SumWords; ++i) operand.sum[i] = sum[i];
  for (unsigned int i = 0; i < RowWords; ++i) operand.rows[i] = rows[i];
  for (unsigned int i = 0; i < ColumnWords; ++i) operand.columns[i] = columns[i];
  cohort_multiply_in_warp(&operand, "mma_sync");
  for (unsigned int i = 0; i < SumWords; ++i) sum[i] = operand.sum[i];
}

template <class Word, class Fragment, unsigned int Count>
__attribute__((device)) void copy_words(Word (&to)[Count], const Fragment& from) {
  memcpy(to, from.x, sizeof to);
}

// All products of a shape. `T`, `Sum`: the types of the elements of A and B, and of D and C.
template <int M, int N, int K, class T, class Sum, class FragmentA, class FragmentB, class Result>
__attribute__((device)) void multiply_all(const FragmentA& a, const FragmentB& b, Result& sum, unsigned int flags) {
  using all = products<M, N, K>;
  using layout_a = factor_layout<matrix_a, M, N, K, T>;
  using layout_b = factor_layout<matrix_b, M, N, K, T>;
  using row_layout = typename cohort::detail::conditional<all::is_transposed, layout_b, layout_a>::type;
  using column_layout = typename cohort::detail::conditional<all::is_transposed, layout_a, layout_b>::type;
  using word = typename cohort::detail::conditional<element<T>::bits == 64, uint64_t, uint32_t>::type;
  constexpr unsigned int sum_words = sum_layout<M, N, K>::of_product * element<Sum>::bits / (8 * sizeof(word));
  word of_a[layout_a::words * layout_a::factors], of_b[layout_b::words * layout_b::factors];
  word of_sum[sum_words * all::count];
  copy_words(of_a, a);
  copy_words(of_b, b);
  copy_words(of_sum, sum);
  const word* rows = all::is_transposed ? of_b : of_a;
  const word* columns = all::is_transposed ? of_a : of_b;
  const product_types types = {element<T>::number, element<Sum>::number, flags};
  // The GPU's compiler makes m16n16k8 of tf32 of two steps in k.
  constexpr unsigned int steps = element<T>::number == cohort_element_tf32 ? 2 : 1;
  for (unsigned int i = 0; i < all::count; ++i) {
    const word* own_rows = rows + (all::repeats_rows ? 0 : i * row_layout::words);
    const word* own_columns = columns + (all::repeats_rows ? i * column_layout::words : 0);
    for (unsigned int step = 0; step < steps; ++step) {
      multiply<sum_words, row_layout::words / steps, column_layout::words / steps>(
          all::rows, K / steps, types, own_rows + step * (row_layout::words / steps),
          own_columns + step * (column_layout::words / steps), of_sum + i * sum_words);
    }
  }
  memcpy(sum.x, of_sum, sizeof of_sum);
}

template <class T, unsigned int Size, unsigned int StorageSize>
__attribute__((device)) T storage_of(T value) {
  constexpr unsigned int bits = 32 * StorageSize / Size;
  unsigned int word = static_cast<unsigned int>(value) & ((1u << bits) - 1);
  for (unsigned int filled = bits; filled < 32; filled *= 2) word |= word << filled;
  return static_cast<T>(word);
}

}  // namespace cohort_detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment
    : public cohort_detail::base_of_fragment<cohort_detail::is_fragment<Use, M, N, K, T, Layout>, Use, M, N, K, T> {};

template <class T, unsigned int Size, unsigned int StorageSize>
__attribute__((device)) void fill_fragment(cohort_detail::fragment_base<T, Size, StorageSize>& to,
                                           const typename cohort_detail::element<T>::storage& value) {
  auto filled = value;
  if constexpr (Size != StorageSize) {
    filled = cohort_detail::storage_of<decltype(filled), Size, StorageSize>(value);
  }
  for (auto& each : to.x) each = filled;
}

template <class Use, int M, int N, int K, class T, class Layout,
          class = cohort::detail::enable_if_t<(cohort_detail::element<T>::bits >= 8)>>
__attribute__((device)) void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to,
                                              const typename cohort_detail::element<T>::storage* from,
                                              unsigned int stride) {
  static_assert(!__is_same(Use, accumulator), "an accumulator is loaded with its layout as fourth argument");
  using layout = cohort_detail::factor_layout<Use, M, N, K, T>;
  cohort_detail::meet("load_matrix_sync");
  const unsigned int lane = cohort::this_machine::lane();
  for (unsigned int i = 0; i < layout::size; ++i) {
    to.x[i] = from[layout::of(lane, i).index(stride, cohort_detail::is_row<Layout>)];
  }
}
// Elements of less than a byte lie in words; `stride` counts elements.
template <class Use, int M, int N, int K, class T, class Layout,
          class = cohort::detail::enable_if_t<(cohort_detail::element<T>::bits < 8)>>
__attribute__((device)) void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to, const void* from,
                                              unsigned int stride) {
  using layout = cohort_detail::factor_layout<Use, M, N, K, T>;
  cohort_detail::meet("load_matrix_sync");
  const unsigned int lane = cohort::this_machine::lane();
  const auto* words = static_cast<const unsigned int*>(from);
  for (unsigned int i = 0; i < layout::words; ++i) {
    const unsigned int number = lane / 4 * stride + (lane % 4 + 4 * i) * layout::per_word;
    to.x[i] = static_cast<typename cohort_detail::element<T>::storage>(words[number / layout::per_word]);
  }
}
template <int M, int N, int K, class T>
__attribute__((device)) void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const T* from, unsigned int stride,
                                              layout_t layout) {
  cohort_detail::meet("load_matrix_sync");
  const unsigned int lane = cohort::this_machine::lane();
  for (unsigned int i = 0; i < cohort_detail::sum_layout<M, N, K>::size; ++i) {
    to.x[i] = from[cohort_detail::sum_layout<M, N, K>::of(lane, i).index(stride, layout == mem_row_major)];
  }
}

template <int M, int N, int K, class T>
__attribute__((device)) void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& from,
                                               unsigned int stride, layout_t layout) {
  cohort_detail::meet("store_matrix_sync");
  const unsigned int lane = cohort::this_machine::lane();
  for (unsigned int i = 0; i < cohort_detail::sum_layout<M, N, K>::size; ++i) {
    to[cohort_detail::sum_layout<M, N, K>::of(lane, i).index(stride, layout == mem_row_major)] = from.x[i];
  }
}

// Where the types of C and D differ, the product is one of f32: C is converted before it, D after it.
template <int M, int N, int K, class A, class B, class LayoutA, class LayoutB, class D, class C>
__attribute__((device)) void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                      const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                      const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                                      const fragment<accumulator, M, N, K, C>& c) {
  static_assert(__is_same(A, B), "nvcuda::wmma::mma_sync: A and B have elements of one type");
  if constexpr (__is_same(D, C)) {
    auto sum = c;
    cohort_detail::multiply_all<M, N, K, A, D>(a, b, sum, 0);
    d = sum;
  } else {
    fragment<accumulator, M, N, K, float> sum;
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = static_cast<float>(c.x[i]);
    cohort_detail::multiply_all<M, N, K, A, float>(a, b, sum, 0);
    for (int i = 0; i < sum.num_elements; ++i) d.x[i] = static_cast<D>(sum.x[i]);
  }
}
template <int M, int N, int K, class A, class B, class LayoutA, class LayoutB>
__attribute__((device)) void mma_sync(fragment<accumulator, M, N, K, int>& d,
                                      const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                      const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                                      const fragment<accumulator, M, N, K, int>& c, bool saturates = false) {
  static_assert(__is_same(A, B), "nvcuda::wmma::mma_sync: A and B have elements of one type");
  auto sum = c;
  cohort_detail::multiply_all<M, N, K, A, int>(a, b, sum, saturates ? cohort_matrix_saturates : 0);
  d = sum;
}

__attribute__((device)) inline void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c, experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using experimental::precision::b1;
  auto sum = c;
  cohort_detail::multiply_all<8, 8, 128, b1, int>(a, b, sum,
                                                  operation == experimental::bmmaBitOpXOR ? cohort_matrix_xor : 0);
  d = sum;
}

// Rounds to the nearest number of tf32, ties away from zero.
__attribute__((device)) inline float __float_to_tf32(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
  const unsigned int rounded = is_finite ? (bits + 0x1000u) & 0xffffe000u : bits;
  return __builtin_bit_cast(float, (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : rounded);
}

}  // namespace wmma
}  // namespace nvcuda

#include <cohort/base/user_macros/on.hpp>

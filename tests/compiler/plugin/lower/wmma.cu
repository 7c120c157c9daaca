// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: the positions of elements in fragments, compared with hashes from an H100, and products of all shapes,
// types and layouts. Elements are small integers, so any order of additions is exact.
#include <mma.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "../check.hpp"

#define EXPECT(condition) expect_equal((condition), true, #condition)

using namespace nvcuda::wmma;
namespace precision = nvcuda::wmma::precision;
namespace experimental = nvcuda::wmma::experimental;

constexpr int largest_fragment = 16;

template <class Fragment>
__device__ void show(const Fragment& of, int* out) {
  for (int i = 0; i < of.num_elements; ++i)
    out[threadIdx.x * of.num_elements + i] = static_cast<int>(static_cast<float>(of.x[i]));
}

template <class Use, class T, int M, int N, int K, class Layout, class Stored>
__global__ void show_factor(const Stored* in, unsigned stride, int* out) {
  fragment<Use, M, N, K, T, Layout> of;
  load_matrix_sync(of, in, stride);
  show(of, out);
}
template <class T, int M, int N, int K>
__global__ void show_sum(const T* in, int* out) {
  fragment<accumulator, M, N, K, T> of;
  load_matrix_sync(of, in, N, mem_row_major);
  show(of, out);
}

template <class T>
struct stored_as {
  using type = T;
};
template <>
struct stored_as<precision::tf32> {
  using type = float;
};

template <class T>
T* numbers(size_t count) {
  T* memory = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&memory, count * sizeof(T)));
  for (size_t i = 0; i < count; ++i) memory[i] = static_cast<T>(static_cast<float>(i));
  return memory;
}
template <>
unsigned char* numbers(size_t count) {
  unsigned char* memory = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&memory, count));
  for (size_t i = 0; i < count; ++i) memory[i] = static_cast<unsigned char>(i);
  return memory;
}

template <class Use, class T, int M, int N, int K, class Layout>
void check_factor(int elements, uint64_t wanted) {
  using stored = typename stored_as<T>::type;
  constexpr bool is_a = std::is_same<Use, matrix_a>::value, is_row = std::is_same<Layout, row_major>::value;
  static_assert(fragment<Use, M, N, K, T, Layout>::num_elements <= largest_fragment);
  stored* in = numbers<stored>((is_a ? M : N) * K);
  int* out = numbers<int>(32 * largest_fragment);
  show_factor<Use, T, M, N, K, Layout><<<1, 32>>>(in, is_a ? (is_row ? K : M) : (is_row ? N : K), out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  EXPECT((fragment<Use, M, N, K, T, Layout>::num_elements) == elements);
  EXPECT(hash_of(out, 32 * static_cast<size_t>(elements)) == wanted);
  cudaFree(in);
  cudaFree(out);
}
template <class T, int M, int N, int K>
void check_sum(int elements, uint64_t wanted) {
  T* in = numbers<T>(M * N);
  int* out = numbers<int>(32 * largest_fragment);
  show_sum<T, M, N, K><<<1, 32>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  EXPECT((fragment<accumulator, M, N, K, T>::num_elements) == elements);
  EXPECT(hash_of(out, 32 * static_cast<size_t>(elements)) == wanted);
  cudaFree(in);
  cudaFree(out);
}

void check_places() {
  check_factor<matrix_a, half, 16, 16, 16, row_major>(16, 0x168084c0983a5894);
  check_factor<matrix_a, half, 16, 16, 16, col_major>(16, 0x21347e55253deb63);
  check_factor<matrix_b, half, 16, 16, 16, row_major>(16, 0xa16c379da81cbaef);
  check_factor<matrix_b, half, 16, 16, 16, col_major>(16, 0xc72281e93fb5c6cd);
  check_factor<matrix_a, half, 32, 8, 16, row_major>(16, 0xc3efac488b4b141f);
  check_factor<matrix_a, half, 32, 8, 16, col_major>(16, 0x494624fed633edd3);
  check_factor<matrix_b, half, 32, 8, 16, row_major>(16, 0xcd24da73b616bd98);
  check_factor<matrix_b, half, 32, 8, 16, col_major>(16, 0xf53c54f4d284fe00);
  check_factor<matrix_a, half, 8, 32, 16, row_major>(16, 0xf53c54f4d284fe00);
  check_factor<matrix_a, half, 8, 32, 16, col_major>(16, 0xcd24da73b616bd98);
  check_factor<matrix_b, half, 8, 32, 16, row_major>(16, 0x494624fed633edd3);
  check_factor<matrix_b, half, 8, 32, 16, col_major>(16, 0xc3efac488b4b141f);
  check_factor<matrix_a, __nv_bfloat16, 16, 16, 16, row_major>(8, 0x4f152c076f8f5be9);
  check_factor<matrix_a, __nv_bfloat16, 16, 16, 16, col_major>(8, 0xbc288b6c1c9ea1fa);
  check_factor<matrix_b, __nv_bfloat16, 16, 16, 16, row_major>(8, 0xfe876d696c71b2b3);
  check_factor<matrix_b, __nv_bfloat16, 16, 16, 16, col_major>(8, 0x5135aeddf6864198);
  check_factor<matrix_a, __nv_bfloat16, 32, 8, 16, row_major>(16, 0x2dae9c852238c8b6);
  check_factor<matrix_a, __nv_bfloat16, 32, 8, 16, col_major>(16, 0x6f40e64d5be3527f);
  check_factor<matrix_b, __nv_bfloat16, 32, 8, 16, row_major>(4, 0x141380e15a1edb1f);
  check_factor<matrix_b, __nv_bfloat16, 32, 8, 16, col_major>(4, 0x4ce0443dc9f9cc70);
  check_factor<matrix_a, __nv_bfloat16, 8, 32, 16, row_major>(4, 0x4ce0443dc9f9cc70);
  check_factor<matrix_a, __nv_bfloat16, 8, 32, 16, col_major>(4, 0x141380e15a1edb1f);
  check_factor<matrix_b, __nv_bfloat16, 8, 32, 16, row_major>(16, 0x6f40e64d5be3527f);
  check_factor<matrix_b, __nv_bfloat16, 8, 32, 16, col_major>(16, 0x2dae9c852238c8b6);
  check_factor<matrix_a, unsigned char, 16, 16, 16, row_major>(8, 0xe7fcbe842af707d0);
  check_factor<matrix_a, unsigned char, 16, 16, 16, col_major>(8, 0x5897f025ea85e589);
  check_factor<matrix_b, unsigned char, 16, 16, 16, row_major>(8, 0x5897f025ea85e589);
  check_factor<matrix_b, unsigned char, 16, 16, 16, col_major>(8, 0xe7fcbe842af707d0);
  check_factor<matrix_a, unsigned char, 32, 8, 16, row_major>(16, 0xc1fee67f982aa964);
  check_factor<matrix_a, unsigned char, 32, 8, 16, col_major>(16, 0xf365441d2bb3bd90);
  check_factor<matrix_b, unsigned char, 32, 8, 16, row_major>(4, 0x65c332b1c64fccad);
  check_factor<matrix_b, unsigned char, 32, 8, 16, col_major>(4, 0xfb6610c21df4b4a3);
  check_factor<matrix_a, unsigned char, 8, 32, 16, row_major>(4, 0xfb6610c21df4b4a3);
  check_factor<matrix_a, unsigned char, 8, 32, 16, col_major>(4, 0x65c332b1c64fccad);
  check_factor<matrix_b, unsigned char, 8, 32, 16, row_major>(16, 0xf365441d2bb3bd90);
  check_factor<matrix_b, unsigned char, 8, 32, 16, col_major>(16, 0xc1fee67f982aa964);
  check_factor<matrix_a, precision::tf32, 16, 16, 8, row_major>(4, 0x6ccf072bcffb1449);
  check_factor<matrix_a, precision::tf32, 16, 16, 8, col_major>(4, 0x141380e15a1edb1f);
  check_factor<matrix_b, precision::tf32, 16, 16, 8, row_major>(4, 0x0dadc5b94c1f9944);
  check_factor<matrix_b, precision::tf32, 16, 16, 8, col_major>(4, 0x04442fa45679fd45);
  check_sum<half, 16, 16, 16>(8, 0x4f152c076f8f5be9);
  check_sum<half, 32, 8, 16>(8, 0x04fbecd5032c8f5f);
  check_sum<half, 8, 32, 16>(8, 0x9af0f6c527030c25);
  check_sum<float, 16, 16, 16>(8, 0x4f152c076f8f5be9);
  check_sum<float, 32, 8, 16>(8, 0x04fbecd5032c8f5f);
  check_sum<float, 8, 32, 16>(8, 0x9af0f6c527030c25);
  check_sum<int, 16, 16, 16>(8, 0x4f152c076f8f5be9);
  check_sum<int, 32, 8, 16>(8, 0x04fbecd5032c8f5f);
  check_sum<int, 8, 32, 16>(8, 0x9af0f6c527030c25);
  check_sum<float, 16, 16, 8>(8, 0x4f152c076f8f5be9);
  check_factor<matrix_a, double, 8, 8, 4, row_major>(1, 0x02d74e4247bdb13e);
  check_factor<matrix_b, double, 8, 8, 4, row_major>(1, 0x917a6c7f548c4523);
  check_sum<double, 8, 8, 4>(2, 0xe5096b058933948d);
  check_sum<int, 8, 8, 32>(2, 0xe5096b058933948d);
  check_sum<int, 8, 8, 128>(2, 0xe5096b058933948d);
}

// Small integers, whose sums are exact in all types.
template <class T>
T small(unsigned seed) {
  return static_cast<T>(static_cast<float>(seed * 7 % 5));
}

template <class T, class D, class C, int M, int N, int K, class LayoutA, class LayoutB, class Stored>
__global__ void multiply(const Stored* a, const Stored* b, const C* c, D* d, unsigned extra, layout_t layout) {
  fragment<matrix_a, M, N, K, T, LayoutA> of_a;
  fragment<matrix_b, M, N, K, T, LayoutB> of_b;
  fragment<accumulator, M, N, K, C> of_c;
  fragment<accumulator, M, N, K, D> of_d;
  load_matrix_sync(of_a, a, (std::is_same<LayoutA, row_major>::value ? K : M) + extra);
  load_matrix_sync(of_b, b, (std::is_same<LayoutB, row_major>::value ? N : K) + extra);
  load_matrix_sync(of_c, c, (layout == mem_row_major ? N : M) + extra, layout);
  mma_sync(of_d, of_a, of_b, of_c);
  store_matrix_sync(d, of_d, (layout == mem_row_major ? N : M) + extra, layout);
}

template <class T, class D, class C, int M, int N, int K, class LayoutA, class LayoutB>
void check_product(layout_t layout) {
  using stored = typename stored_as<T>::type;
  constexpr unsigned extra = 16;
  constexpr bool a_is_row = std::is_same<LayoutA, row_major>::value, b_is_row = std::is_same<LayoutB, row_major>::value;
  const bool is_row = layout == mem_row_major;
  auto at = [](bool row_major, unsigned rows, unsigned columns, unsigned row, unsigned column) {
    return row_major ? row * (columns + extra) + column : column * (rows + extra) + row;
  };
  constexpr size_t room = 64 * 64;
  stored *a = numbers<stored>(room), *b = numbers<stored>(room);
  C* c = numbers<C>(room);
  D* d = numbers<D>(room);
  for (size_t i = 0; i < room; ++i) {
    a[i] = small<stored>(static_cast<unsigned>(i));
    b[i] = small<stored>(static_cast<unsigned>(i * i + 3));
    c[i] = small<C>(static_cast<unsigned>(i + 1));
    d[i] = small<D>(0);
  }
  multiply<T, D, C, M, N, K, LayoutA, LayoutB><<<1, dim3(8, 4)>>>(a, b, c, d, extra, layout);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  size_t wrong = 0;
  for (unsigned row = 0; row < M; ++row) {
    for (unsigned column = 0; column < N; ++column) {
      double wanted = static_cast<double>(static_cast<float>(c[at(is_row, M, N, row, column)]));
      for (unsigned k = 0; k < K; ++k) {
        wanted += static_cast<double>(static_cast<float>(a[at(a_is_row, M, K, row, k)])) *
                  static_cast<double>(static_cast<float>(b[at(b_is_row, K, N, k, column)]));
      }
      wrong += static_cast<double>(static_cast<float>(d[at(is_row, M, N, row, column)])) != wanted;
    }
  }
  EXPECT(wrong == 0);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
}

template <class T, class D, class C, int M, int N, int K>
void check_layouts() {
  check_product<T, D, C, M, N, K, row_major, row_major>(mem_row_major);
  check_product<T, D, C, M, N, K, row_major, col_major>(mem_col_major);
  check_product<T, D, C, M, N, K, col_major, row_major>(mem_col_major);
  check_product<T, D, C, M, N, K, col_major, col_major>(mem_row_major);
}
template <class T, class D, class C>
void check_shapes() {
  check_layouts<T, D, C, 16, 16, 16>();
  check_product<T, D, C, 32, 8, 16, row_major, col_major>(mem_row_major);
  check_product<T, D, C, 8, 32, 16, col_major, row_major>(mem_col_major);
}

// Elements of four bits and of one bit, and saturating products.
struct small_elements {
  const unsigned *a, *b;
  int *fours, *ands, *xors, *saturated;
};
__global__ void multiply_small(small_elements of) {
  fragment<matrix_a, 8, 8, 32, experimental::precision::s4, row_major> a4;
  fragment<matrix_b, 8, 8, 32, experimental::precision::s4, col_major> b4;
  fragment<accumulator, 8, 8, 32, int> c4;
  load_matrix_sync(a4, of.a, 32);
  load_matrix_sync(b4, of.b, 32);
  fill_fragment(c4, 5);
  mma_sync(c4, a4, b4, c4);
  store_matrix_sync(of.fours, c4, 8, mem_row_major);
  fill_fragment(c4, 0x7ffffff0);
  fill_fragment(a4, -7);
  fill_fragment(b4, -7);
  mma_sync(c4, a4, b4, c4, true);
  store_matrix_sync(of.saturated, c4, 8, mem_row_major);
  fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> a1;
  fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> b1;
  fragment<accumulator, 8, 8, 128, int> c1, d1;
  load_matrix_sync(a1, of.a, 128);
  load_matrix_sync(b1, of.b, 128);
  fill_fragment(c1, 3);
  bmma_sync(d1, a1, b1, c1);
  store_matrix_sync(of.xors, d1, 8, mem_col_major);
  bmma_sync(d1, a1, b1, c1, experimental::bmmaBitOpAND);
  store_matrix_sync(of.ands, d1, 8, mem_col_major);
}

void check_small_elements() {
  unsigned *a = numbers<unsigned>(32), *b = numbers<unsigned>(32);
  int* out = numbers<int>(4 * 64);
  for (unsigned i = 0; i < 32; ++i) {
    a[i] = (i + 1) * 2654435761u;
    b[i] = (i + 7) * 2246822519u;
  }
  multiply_small<<<1, 32>>>({a, b, out, out + 64, out + 128, out + 192});
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  auto four = [](const unsigned* words, unsigned number) {
    return static_cast<int>(words[number / 8] << (28 - 4 * (number % 8))) >> 28;
  };
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      int fours = 5, ands = 3, xors = 3;
      for (unsigned k = 0; k < 32; ++k) fours += four(a, row * 32 + k) * four(b, column * 32 + k);
      for (unsigned i = 0; i < 4; ++i) {
        ands += __builtin_popcount(a[row * 4 + i] & b[column * 4 + i]);
        xors += __builtin_popcount(a[row * 4 + i] ^ b[column * 4 + i]);
      }
      EXPECT(out[row * 8 + column] == fours);
      EXPECT(out[64 + column * 8 + row] == ands);
      EXPECT(out[128 + column * 8 + row] == xors);
      EXPECT(out[192 + row * 8 + column] == 0x7fffffff);
    }
  }
}

int main() {
  check_places();
  check_shapes<half, float, float>();
  check_shapes<half, half, half>();
  check_shapes<half, float, half>();
  check_shapes<half, half, float>();
  check_shapes<__nv_bfloat16, float, float>();
  check_shapes<signed char, int, int>();
  check_shapes<unsigned char, int, int>();
  check_layouts<precision::tf32, float, float, 16, 16, 8>();
  check_layouts<double, double, double, 8, 8, 4>();
  check_small_elements();
  return result();
}

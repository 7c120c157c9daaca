// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's algorithm: tiles of 32 x 32 of both factors are copied to local arrays, one output tile after another.
// A row of a tile is two vectors of 16 floats.
#include <cstring>

#include "cores.hpp"
#include "hand_written.hpp"

namespace bench::hand_written {

namespace {

constexpr size_t tile = 32;
typedef float lanes __attribute__((vector_size(64)));
constexpr size_t vectors = tile / 16;

#if defined(__AVX512F__)
constexpr size_t rows_at_once = 8;  // the sums take 16 of the 32 registers
#else
constexpr size_t rows_at_once = 2;  // the sums take 8 of the 16 registers, two registers for each `lanes`
#endif

void copy_tile(const float* from, size_t pitch, float (&to)[tile][tile]) {
  for (size_t y = 0; y < tile; ++y) std::memcpy(to[y], from + y * pitch, sizeof to[y]);
}

void add_product(const float (&a)[tile][tile], const float (&b)[tile][tile], lanes (&sums)[tile][vectors]) {
  for (size_t y = 0; y < tile; y += rows_at_once) {
    lanes some[rows_at_once][vectors];
    for (size_t r = 0; r < rows_at_once; ++r) {
      for (size_t v = 0; v < vectors; ++v) some[r][v] = sums[y + r][v];
    }
    for (size_t k = 0; k < tile; ++k) {
      lanes row[vectors];
      std::memcpy(row, b[k], sizeof row);
      for (size_t r = 0; r < rows_at_once; ++r) {
        for (size_t v = 0; v < vectors; ++v) some[r][v] += a[y + r][k] * row[v];
      }
    }
    for (size_t r = 0; r < rows_at_once; ++r) {
      for (size_t v = 0; v < vectors; ++v) sums[y + r][v] = some[r][v];
    }
  }
}

}  // namespace

void matrix_product(const float* a, const float* b, float* c, size_t n) {
  for_each_range(n / tile, 1, [=](size_t first, size_t last) {
    alignas(64) float of_a[tile][tile];
    alignas(64) float of_b[tile][tile];
    for (size_t x = 0; x < n; x += tile) {  // a column of tiles of b stays in the second-level cache
      for (size_t y = first * tile; y < last * tile; y += tile) {
        lanes sums[tile][vectors] = {};
        for (size_t k = 0; k < n; k += tile) {
          copy_tile(a + y * n + k, n, of_a);
          copy_tile(b + k * n + x, n, of_b);
          add_product(of_a, of_b, sums);
        }
        for (size_t row = 0; row < tile; ++row) std::memcpy(c + (y + row) * n + x, sums[row], sizeof sums[row]);
      }
    }
  });
}

}  // namespace bench::hand_written

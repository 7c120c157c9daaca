// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of elements as numbers of BLAS. Halves are converted by the processor's instructions where it has them: the
// compiler's function for one half takes about 6 ns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libraries/cublas/element_types.hpp"

namespace cohort::cublas {

template <class E, class W>
void load_array(const E* from, W* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<W>(computed<E>::load(from[i]));
}
template <class W, class E>
void store_array(const W* from, E* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = computed<E>::store(from[i]);
}
void load_array(const __half* from, float* to, int64_t count);
void store_array(const float* from, __half* to, int64_t count);

// The matrix of rows x columns elements as numbers of type W, without gaps between its columns.
template <class W, class E>
std::vector<W> load_matrix(const E* a, int64_t rows, int64_t columns, int64_t ld) {
  std::vector<W> loaded(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  for (int64_t column = 0; column < columns; ++column) load_array(a + column * ld, loaded.data() + column * rows, rows);
  return loaded;
}

}  // namespace cohort::cublas

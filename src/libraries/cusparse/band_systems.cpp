// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems with three or five diagonals: gtsv2, gtsvInterleavedBatch, gpsvInterleavedBatch. One elimination serves all.
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

// A matrix with `width` diagonals on each side of the main one. Pivoting adds `width` more above.
template <class Number, int width>
class band {
 public:
  explicit band(int64_t rows) : rows_(rows), elements_(static_cast<size_t>(rows * line)) {}

  Number& operator()(int64_t row, int64_t column) {
    return elements_[static_cast<size_t>(row * line + column - row + width)];
  }

  // Replaces `count` right-hand sides by the solutions: element (row, side) is right[row * step + side * side_step].
  void solve(bool pivots, Number* right, int64_t step, int64_t count, int64_t side_step) {
    for (int64_t k = 0; k < rows_; ++k) {
      const int64_t last_row = std::min(k + width, rows_ - 1), last_column = std::min(k + 2 * width, rows_ - 1);
      if (pivots) exchange(k, last_row, last_column, right, step, count, side_step);
      for (int64_t row = k + 1; row <= last_row; ++row) {
        const Number by = (*this)(row, k) / (*this)(k, k);
        for (int64_t column = k + 1; column <= last_column; ++column)
          (*this)(row, column) -= times(by, (*this)(k, column));
        for (int64_t side = 0; side < count; ++side) {
          right[row * step + side * side_step] -= times(by, right[k * step + side * side_step]);
        }
      }
    }
    for (int64_t k = rows_ - 1; k >= 0; --k) {
      const int64_t last_column = std::min(k + 2 * width, rows_ - 1);
      for (int64_t side = 0; side < count; ++side) {
        Number* const at = right + side * side_step;
        Number sum = at[k * step];
        for (int64_t column = k + 1; column <= last_column; ++column)
          sum -= times((*this)(k, column), at[column * step]);
        at[k * step] = sum / (*this)(k, k);
      }
    }
  }

 private:
  static constexpr int64_t line = 3 * width + 1;

  // Brings the row with the largest element of column k to row k.
  void exchange(int64_t k, int64_t last_row, int64_t last_column, Number* right, int64_t step, int64_t count,
                int64_t side_step) {
    int64_t largest = k;
    for (int64_t row = k + 1; row <= last_row; ++row) {
      if (std::abs((*this)(row, k)) > std::abs((*this)(largest, k))) largest = row;
    }
    if (largest == k) return;
    for (int64_t column = k; column <= last_column; ++column) std::swap((*this)(k, column), (*this)(largest, column));
    for (int64_t side = 0; side < count; ++side) {
      std::swap(right[k * step + side * side_step], right[largest * step + side * side_step]);
    }
  }

  int64_t rows_;
  std::vector<Number> elements_;
};

// Addresses of the diagonals, from the lowest to the highest. The elements of each are `step` apart.
template <class T, int width>
struct diagonals {
  const T* each[2 * width + 1];
  int64_t step;

  band<number_for<T>, width> load(int64_t rows, int64_t first) const {
    band<number_for<T>, width> matrix(rows);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t k = -width; k <= width; ++k) {
        if (row + k < 0 || row + k >= rows) continue;
        matrix(row, row + k) = *reinterpret_cast<const number_for<T>*>(each[k + width] + first + row * step);
      }
    }
    return matrix;
  }
  bool exist() const {
    return std::all_of(each, each + 2 * width + 1, [](const T* diagonal) { return diagonal != nullptr; });
  }
};

constexpr int64_t least_rows = 3;

template <class T>
checks check_system(const call& c, int m, int n, const diagonals<T, 1>& d, const T* b, int ldb) {
  checks valid(c);
  valid.require(m >= least_rows && n >= 0 && ldb >= m && d.exist()).pointers(b);
  return valid;
}

template <class T>
cusparseStatus_t gtsv2(const call& c, bool pivots, int m, int n, const diagonals<T, 1>& d, T* b, int ldb) {
  const checks valid = check_system(c, m, n, d, b, ldb);
  if (!valid.hold() || n == 0) return valid.status();
  return submit(c, int64_t{m} * n, false, [=](memory_accesses& memory) {
    for (const T* diagonal : d.each) {
      if (!reads(memory, diagonal, m)) return;
    }
    if (!memory.writes(
            {b, static_cast<size_t>(m) * sizeof(T), static_cast<size_t>(ldb) * sizeof(T), static_cast<size_t>(n)})) {
      return;
    }
    d.load(m, 0).solve(pivots, reinterpret_cast<number_for<T>*>(b), 1, n, ldb);
  });
}

// Batches: element i of system j is at i * step + j * batch_step.
template <class T, int width>
checks check_batch(const call& c, int m, const diagonals<T, width>& d, const T* x, int count, int64_t distance,
                   int64_t least_distance) {
  checks valid(c);
  valid.require(m >= least_rows && count >= 0 && distance >= least_distance && d.exist()).pointers(x);
  return valid;
}

template <class T, int width>
cusparseStatus_t solve_batch(const call& c, const checks& valid, bool pivots, int m, const diagonals<T, width>& d, T* x,
                             int count, int64_t batch_step) {
  if (!valid.hold() || count == 0) return valid.status();
  return submit(c, int64_t{m} * count * width * 4, false, [=](memory_accesses& memory) {
    const int64_t elements = d.step * (m - 1) + batch_step * (count - 1) + 1;
    for (const T* diagonal : d.each) {
      if (!reads(memory, diagonal, elements)) return;
    }
    if (!writes(memory, x, elements)) return;
    libraries::parallel_for(
        count, rows_per_part(count, int64_t{m} * count * width * 4), [&](int64_t begin, int64_t end) {
          for (int64_t system = begin; system < end; ++system) {
            d.load(m, system * batch_step)
                .solve(pivots, reinterpret_cast<number_for<T>*>(x + system * batch_step), d.step, 1, 0);
          }
        });
  });
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

#define COHORT_BAND_SYSTEMS(X, T)                                                                                     \
  cusparseStatus_t cusparse##X##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,   \
                                                    const T* du, const T* b, int ldb, size_t* buffer_size) {          \
    return nominal_size(                                                                                              \
        check_system<T>({handle, "cusparse" #X "gtsv2_bufferSizeExt"}, m, n, {{dl, d, du}, 1}, b, ldb), buffer_size); \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du,    \
                                      T* b, int ldb, void*) {                                                         \
    return gtsv2<T>({handle, "cusparse" #X "gtsv2"}, true, m, n, {{dl, d, du}, 1}, b, ldb);                           \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T* dl,       \
                                                            const T* d, const T* du, const T* b, int ldb,             \
                                                            size_t* buffer_size) {                                    \
    return nominal_size(                                                                                              \
        check_system<T>({handle, "cusparse" #X "gtsv2_nopivot_bufferSizeExt"}, m, n, {{dl, d, du}, 1}, b, ldb),       \
        buffer_size);                                                                                                 \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,         \
                                              const T* du, T* b, int ldb, void*) {                                    \
    return gtsv2<T>({handle, "cusparse" #X "gtsv2_nopivot"}, false, m, n, {{dl, d, du}, 1}, b, ldb);                  \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int m, const T* dl,          \
                                                                const T* d, const T* du, const T* x, int count,       \
                                                                int stride, size_t* buffer_size) {                    \
    return nominal_size(check_batch<T, 1>({handle, "cusparse" #X "gtsv2StridedBatch_bufferSizeExt"}, m,               \
                                          {{dl, d, du}, 1}, x, count, stride, m),                                     \
                        buffer_size);                                                                                 \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl, const T* d,            \
                                                  const T* du, T* x, int count, int stride, void*) {                  \
    const call c{handle, "cusparse" #X "gtsv2StridedBatch"};                                                          \
    const diagonals<T, 1> all{{dl, d, du}, 1};                                                                        \
    return solve_batch(c, check_batch(c, m, all, x, count, stride, m), false, m, all, x, count, stride);              \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algo, int m,          \
                                                                   const T* dl, const T* d, const T* du, const T* x,  \
                                                                   int count, size_t* buffer_size) {                  \
    checks valid = check_batch<T, 1>({handle, "cusparse" #X "gtsvInterleavedBatch_bufferSizeExt"}, m,                 \
                                     {{dl, d, du}, count}, x, count, 1, 1);                                           \
    return nominal_size(valid.require(algo >= 0 && algo <= 2), buffer_size);                                          \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, T* dl, T* d, T* du,    \
                                                     T* x, int count, void*) {                                        \
    const call c{handle, "cusparse" #X "gtsvInterleavedBatch"};                                                       \
    const diagonals<T, 1> all{{dl, d, du}, count};                                                                    \
    checks valid = check_batch(c, m, all, x, count, 1, 1);                                                            \
    return solve_batch(c, valid.require(algo >= 0 && algo <= 2), algo != 0, m, all, x, count, 1);                     \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gpsvInterleavedBatch_bufferSizeExt(                                                   \
      cusparseHandle_t handle, int algo, int m, const T* ds, const T* dl, const T* d, const T* du, const T* dw,       \
      const T* x, int count, size_t* buffer_size) {                                                                   \
    checks valid = check_batch<T, 2>({handle, "cusparse" #X "gpsvInterleavedBatch_bufferSizeExt"}, m,                 \
                                     {{ds, dl, d, du, dw}, count}, x, count, 1, 1);                                   \
    return nominal_size(valid.require(algo == 0), buffer_size);                                                       \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gpsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, T* ds, T* dl, T* d,    \
                                                     T* du, T* dw, T* x, int count, void*) {                          \
    const call c{handle, "cusparse" #X "gpsvInterleavedBatch"};                                                       \
    const diagonals<T, 2> all{{ds, dl, d, du, dw}, count};                                                            \
    checks valid = check_batch(c, m, all, x, count, 1, 1);                                                            \
    return solve_batch(c, valid.require(algo == 0), true, m, all, x, count, 1);                                       \
  }

extern "C" {
COHORT_BAND_SYSTEMS(S, float)
COHORT_BAND_SYSTEMS(D, double)
COHORT_BAND_SYSTEMS(C, cuComplex)
COHORT_BAND_SYSTEMS(Z, cuDoubleComplex)
}

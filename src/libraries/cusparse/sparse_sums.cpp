// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of two CSR matrices whose arrays are arguments: C = alpha A + beta B. The columns of C ascend in each row.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

// The pattern of an operand, as the caller passes it.
struct pattern {
  cusparseMatDescr_t descr;
  int entries;
  const int *offsets, *columns;

  int base() const { return static_cast<int>(descr->base); }
};

checks check_operands(const call& c, int rows, int columns, const pattern& a, const pattern& b,
                      cusparseMatDescr_t sum) {
  checks valid(c);
  valid.sizes(rows, columns, a.entries, b.entries).pointers(a.offsets, b.offsets);
  valid.require((a.entries == 0 || a.columns) && (b.entries == 0 || b.columns));
  for (const cusparseMatDescr_t descr : {a.descr, b.descr, sum}) require_general(valid, descr);
  return valid;
}

bool reads_pattern(memory_accesses& memory, int rows, const pattern& operand) {
  return reads(memory, operand.offsets, rows + 1) && reads(memory, operand.columns, operand.entries);
}

// The entries of one row in the order of their columns. Entries with equal columns keep their order.
class sorted_row {
 public:
  void load(const pattern& from, int row) {
    base_ = from.base(), columns_ = from.columns;
    order_.resize(static_cast<size_t>(std::max(0, from.offsets[row + 1] - from.offsets[row])));
    std::iota(order_.begin(), order_.end(), from.offsets[row] - base_);
    const auto before = [this](int a, int b) { return columns_[a] < columns_[b]; };
    if (!std::is_sorted(order_.begin(), order_.end(), before)) std::stable_sort(order_.begin(), order_.end(), before);
    next_ = 0;
  }
  bool has_next() const { return next_ < order_.size(); }
  int next_column() const { return columns_[order_[next_]] - base_; }
  int take() { return order_[next_++]; }

 private:
  const int* columns_ = nullptr;
  int base_ = 0;
  std::vector<int> order_;
  size_t next_ = 0;
};

// Calls begin(column) for each column of the two rows, ascending, then add_a(entry) and add_b(entry) for its entries.
template <class Begin, class AddA, class AddB>
void merge(sorted_row& a, sorted_row& b, const Begin& begin, const AddA& add_a, const AddB& add_b) {
  while (a.has_next() || b.has_next()) {
    const int column = !b.has_next()   ? a.next_column()
                       : !a.has_next() ? b.next_column()
                                       : std::min(a.next_column(), b.next_column());
    begin(column);
    while (a.has_next() && a.next_column() == column) add_a(a.take());
    while (b.has_next() && b.next_column() == column) add_b(b.take());
  }
}

constexpr int64_t rows_at_once = 256;

int count_entries(const pattern& a, const pattern& b, int row) {
  sorted_row of_a, of_b;
  of_a.load(a, row), of_b.load(b, row);
  int count = 0;
  const auto add = [](int) {};
  merge(of_a, of_b, [&](int) { ++count; }, add, add);
  return count;
}

cusparseStatus_t count_sum(const call& c, int rows, int columns, const pattern& a, const pattern& b,
                           cusparseMatDescr_t sum, int* offsets, int* total) {
  checks valid = check_operands(c, rows, columns, a, b, sum);
  valid.pointers(offsets, total);
  if (!valid.hold()) return valid.status();
  const bool on_host = c.has_host_pointers();
  return submit(c, int64_t{a.entries} + b.entries + rows, on_host, [=, base = int{sum->base}](memory_accesses& memory) {
    if (!reads_pattern(memory, rows, a) || !reads_pattern(memory, rows, b) || !writes(memory, offsets, rows + 1) ||
        (!on_host && !writes(memory, total, 1))) {
      return;
    }
    libraries::parallel_for(rows, rows_at_once, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) offsets[row + 1] = count_entries(a, b, static_cast<int>(row));
    });
    offsets[0] = base;
    std::partial_sum(offsets, offsets + rows + 1, offsets);
    *total = offsets[rows] - base;
  });
}

template <class Number>
struct values_of_sum {
  const Number *a, *b;
  Number* sum;
};

// Writes a row of the sum. A row that has less room than entries, because its offsets are of other operands, is cut.
template <class Number>
void add_row(const pattern& a, const pattern& b, int row, Number by_a, Number by_b, const values_of_sum<Number>& values,
             int base, const int* offsets, int* columns) {
  sorted_row of_a, of_b;
  of_a.load(a, row), of_b.load(b, row);
  int at = offsets[row] - base - 1;
  const int end = offsets[row + 1] - base;
  const auto add = [&](Number by, Number value) {
    if (at < end && by != Number{}) values.sum[at] += times(by, value);
  };
  merge(
      of_a, of_b,
      [&](int column) {
        if (++at < end) columns[at] = column + base, values.sum[at] = Number{};
      },
      [&](int entry) { add(by_a, values.a[entry]); }, [&](int entry) { add(by_b, values.b[entry]); });
}

template <class T>
cusparseStatus_t add(const call& c, int rows, int columns, const T* alpha, const pattern& a, const T* a_values,
                     const T* beta, const pattern& b, const T* b_values, cusparseMatDescr_t sum, T* sum_values,
                     const int* sum_offsets, int* sum_columns) {
  using number = number_for<T>;
  checks valid = check_operands(c, rows, columns, a, b, sum);
  valid.pointers(alpha, beta, sum_offsets).require((a.entries == 0 || a_values) && (b.entries == 0 || b_values));
  valid.require(a.entries + int64_t{b.entries} == 0 || (sum_values && sum_columns));
  if (!valid.hold()) return valid.status();
  const factor factor_a(c, data_type_of<T>, alpha), factor_b(c, data_type_of<T>, beta);
  const int64_t cost = 2 * (int64_t{a.entries} + b.entries) + rows;
  return submit(c, cost, false, [=, base = int{sum->base}](memory_accesses& memory) {
    const auto by_a = number_of<number>(factor_a.read(memory)), by_b = number_of<number>(factor_b.read(memory));
    if (!reads_pattern(memory, rows, a) || !reads_pattern(memory, rows, b) || !reads(memory, a_values, a.entries) ||
        !reads(memory, b_values, b.entries) || !reads(memory, sum_offsets, rows + 1)) {
      return;
    }
    const int entries = sum_offsets[rows] - sum_offsets[0];
    if (!writes(memory, sum_columns, entries) || !writes(memory, sum_values, entries)) return;
    const values_of_sum<number> values{reinterpret_cast<const number*>(a_values),
                                       reinterpret_cast<const number*>(b_values),
                                       reinterpret_cast<number*>(sum_values)};
    libraries::parallel_for(rows, rows_at_once, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row)
        add_row(a, b, static_cast<int>(row), by_a, by_b, values, base, sum_offsets, sum_columns);
    });
  });
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

#define COHORT_SPARSE_SUM(X, T)                                                                                        \
  cusparseStatus_t cusparse##X##csrgeam2_bufferSizeExt(                                                                \
      cusparseHandle_t handle, int m, int n, const T*, const cusparseMatDescr_t descr_a, int nnz_a, const T*,          \
      const int* offsets_a, const int* columns_a, const T*, const cusparseMatDescr_t descr_b, int nnz_b, const T*,     \
      const int* offsets_b, const int* columns_b, const cusparseMatDescr_t descr_c, const T*, const int*, const int*,  \
      size_t* size) {                                                                                                  \
    return nominal_size(                                                                                               \
        check_operands({handle, "cusparse" #X "csrgeam2_bufferSizeExt"}, m, n, {descr_a, nnz_a, offsets_a, columns_a}, \
                       {descr_b, nnz_b, offsets_b, columns_b}, descr_c),                                               \
        size);                                                                                                         \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##csrgeam2(                                                                              \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descr_a, int nnz_a,              \
      const T* values_a, const int* offsets_a, const int* columns_a, const T* beta, const cusparseMatDescr_t descr_b,  \
      int nnz_b, const T* values_b, const int* offsets_b, const int* columns_b, const cusparseMatDescr_t descr_c,      \
      T* values_c, int* offsets_c, int* columns_c, void*) {                                                            \
    return add({handle, "cusparse" #X "csrgeam2"}, m, n, alpha, {descr_a, nnz_a, offsets_a, columns_a}, values_a,      \
               beta, {descr_b, nnz_b, offsets_b, columns_b}, values_b, descr_c, values_c, offsets_c, columns_c);       \
  }

extern "C" {

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr_a,
                                      int nnz_a, const int* offsets_a, const int* columns_a,
                                      const cusparseMatDescr_t descr_b, int nnz_b, const int* offsets_b,
                                      const int* columns_b, const cusparseMatDescr_t descr_c, int* offsets_c,
                                      int* total, void*) {
  return count_sum({handle, "cusparseXcsrgeam2Nnz"}, m, n, {descr_a, nnz_a, offsets_a, columns_a},
                   {descr_b, nnz_b, offsets_b, columns_b}, descr_c, offsets_c, total);
}

COHORT_SPARSE_SUM(S, float)
COHORT_SPARSE_SUM(D, double)
COHORT_SPARSE_SUM(C, cuComplex)
COHORT_SPARSE_SUM(Z, cuDoubleComplex)

}  // extern "C"

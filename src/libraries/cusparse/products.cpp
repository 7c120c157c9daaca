// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a sparse matrix with a dense vector (SpMV) and a dense matrix (SpMM). Each element of a result is summed
// in the order of the entries, so the result does not depend on the number of threads.
#include "libraries/cusparse/products.hpp"

#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

namespace {

using libraries::parallel_for;

using mixed_products = combinations<combination<CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I>,
                                    combination<CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F>,
                                    combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F>,
                                    combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F>,
                                    combination<CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F>,
                                    combination<CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F>,
                                    combination<CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_32F>,
                                    combination<CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F>>;
// A real matrix with vectors of more precision, or of complex numbers.
using real_matrix_products = combinations<combination<CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F>,
                                          combination<CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F>,
                                          combination<CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F>>;
using matrix_products = joined<uniform_floats, mixed_products>;
using vector_products = joined<matrix_products, real_matrix_products>;

// C = alpha * op(A) * op(B) + beta * C, where A is stored by rows. A vector is a matrix with one column.
struct product {
  const compressed& a;
  row_operation op;
  any_number alpha, beta;
  const void* b;
  int64_t b_row, b_column;  // distances between elements of B in memory
  bool is_b_conjugated;
  void* c;
  int64_t c_row, c_column;
  int64_t c_rows, n;
};

// Calls `use(array, base)` with the array of indices in its type.
template <class Use>
void with_indices(const index_array& indices, Use&& use) {
  if (indices.is_wide()) {
    use(static_cast<const int64_t*>(indices.at()), indices.base());
  } else {
    use(static_cast<const int32_t*>(indices.at()), static_cast<int32_t>(indices.base()));
  }
}

// A term of the dot product of a row and a vector.
template <bool is_conjugated, class Number, class A, class X, class Index>
Number term_of(const A* values, const Index* indices, const X* x, int64_t k) {
  return times(conjugate_if<is_conjugated>(load<Number>(values[k])), load<Number>(x[indices[k]]));
}
// A long row has four sums, because an addition waits for the one before it. In shorter rows a processor overlaps the
// additions of several rows, and four sums cost 5 to 10 %.
constexpr int64_t long_row = 128;
template <bool is_conjugated, class Number, class A, class X, class Index>
[[gnu::noinline]] Number sum_long_row(const A* values, const Index* indices, int64_t count, const X* x) {
  Number sums[4] = {};
  int64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (int i = 0; i < 4; ++i) sums[i] = plus(sums[i], term_of<is_conjugated, Number>(values, indices, x, k + i));
  }
  for (; k < count; ++k) sums[0] = plus(sums[0], term_of<is_conjugated, Number>(values, indices, x, k));
  return plus(plus(sums[0], sums[1]), plus(sums[2], sums[3]));
}
template <bool is_conjugated, class Number, class A, class X, class Index>
[[gnu::always_inline]] inline Number sum_row(const A* values, const Index* indices, int64_t count, const X* x) {
  if (count >= long_row) return sum_long_row<is_conjugated, Number>(values, indices, count, x);
  // Two entries a step: compilers would gather four into a vector, which takes longer than the multiplications.
  Number sum{};
  int64_t k = 0;
  for (; k + 2 <= count; k += 2) {
    sum = plus(sum, term_of<is_conjugated, Number>(values, indices, x, k));
    sum = plus(sum, term_of<is_conjugated, Number>(values, indices, x, k + 1));
  }
  return k < count ? plus(sum, term_of<is_conjugated, Number>(values, indices, x, k)) : sum;
}

// Calls `use(row, first, next)` for rows and the range of their entries.
template <class Use>
void each_row(const index_array& offsets, int64_t begin, int64_t end, Use&& use) {
  with_indices(offsets, [=](const auto* at, int64_t base) {
    int64_t first = at[begin] - base;
    for (int64_t row = begin; row < end; ++row) {
      const int64_t next = at[row + 1] - base;
      use(row, first, next);
      first = next;
    }
  });
}

template <bool is_conjugated, class Types, class Index>
void multiply_vector(const product& p, const Index* indices, int64_t base) {
  using Number = typename Types::Compute;
  using C = typename Types::C;
  const auto* const values = static_cast<const typename Types::A*>(p.a.values.at);
  const auto* const x = static_cast<const typename Types::B*>(p.b) - base;
  auto* const y = static_cast<C*>(p.c);
  const Number alpha = number_of<Number>(p.alpha), beta = number_of<Number>(p.beta);
  // Alpha and beta are tested once, because tests for each row would take as long as a few of its entries.
  const auto multiply_rows = [=, &p](auto&& store) {
    parallel_for(p.a.rows, rows_per_part(p.a.rows, p.a.entries), [=, &p](int64_t begin, int64_t end) {
      each_row(p.a.offsets, begin, end, [=](int64_t row, int64_t first, int64_t next) {
        store(y[row], sum_row<is_conjugated, Number>(values + first, indices + first, next - first, x));
      });
    });
  };
  if (alpha == Number()) {
    for (int64_t row = 0; row < p.a.rows; ++row) finish_element(y[row], alpha, Number(), beta);
  } else if (beta == Number()) {
    multiply_rows([=](C& element, Number sum) { element = store<C>(times(alpha, sum)); });
  } else {
    multiply_rows([=](C& element, Number sum) { finish_element(element, alpha, sum, beta); });
  }
}

// y = alpha * A^T * x + beta * y: each part of the rows adds to its own sums, which are added in the order of the
// parts. The number of parts depends on the sizes only.
template <bool is_conjugated, class Types, class Index>
void multiply_transposed_vector(const product& p, const Index* indices, int64_t base) {
  using Number = typename Types::Compute;
  const auto* const values = static_cast<const typename Types::A*>(p.a.values.at);
  const auto* const x = static_cast<const typename Types::B*>(p.b);
  auto* const y = static_cast<typename Types::C*>(p.c);
  const Number alpha = number_of<Number>(p.alpha), beta = number_of<Number>(p.beta);
  const int64_t columns = p.a.columns;
  const int64_t parts = std::clamp<int64_t>(p.a.entries / (4 * std::max<int64_t>(columns, short_work)), 1, 8);
  std::vector<Number> sums(static_cast<size_t>(parts * columns));
  if (alpha != Number()) {
    parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        Number* const sum = sums.data() + part * columns - base;
        for (int64_t row = p.a.rows * part / parts; row < p.a.rows * (part + 1) / parts; ++row) {
          const Number by = load<Number>(x[row]);
          for (int64_t k = p.a.offsets[row]; k < p.a.offsets[row + 1]; ++k) {
            Number& element = sum[indices[k]];
            element = plus(element, times(conjugate_if<is_conjugated>(load<Number>(values[k])), by));
          }
        }
      }
    });
  }
  parallel_for(columns, rows_per_part(columns, columns * parts), [&](int64_t begin, int64_t end) {
    for (int64_t column = begin; column < end; ++column) {
      Number sum{};
      for (int64_t part = 0; part < parts; ++part) sum = plus(sum, sums[static_cast<size_t>(part * columns + column)]);
      finish_element(y[column], alpha, sum, beta);
    }
  });
}

template <class Types>
void multiply_by_vector(const product& p) {
  with_indices(p.a.indices, [&](const auto* indices, auto base) {
    if constexpr (is_complex<typename Types::Compute>) {
      if (p.op.is_conjugated) {
        return p.op.is_transposed ? multiply_transposed_vector<true, Types>(p, indices, base)
                                  : multiply_vector<true, Types>(p, indices, base);
      }
    }
    return p.op.is_transposed ? multiply_transposed_vector<false, Types>(p, indices, base)
                              : multiply_vector<false, Types>(p, indices, base);
  });
}

// Columns of a product that are summed together.
constexpr int64_t width = 16;

template <class Types>
class row_sums {
 public:
  using Number = typename Types::Compute;
  using B = typename Types::B;

  explicit row_sums(const product& p) : p_(p) {}

  // Adds `by` times `count` elements of B.
  void add(Number by, const B* b, int64_t count) {
    if (count == width && p_.b_column == 1) {
      for (int64_t i = 0; i < width; ++i) add(i, by, b[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) add(i, by, b[i * p_.b_column]);
    }
  }
  Number operator[](int64_t i) const { return sums_[i]; }

 private:
  void add(int64_t i, Number by, B element) {
    const Number number = load<Number>(element);
    sums_[i] = plus(sums_[i], times(by, p_.is_b_conjugated ? conjugate(number) : number));
  }

  const product& p_;
  Number sums_[width] = {};
};

template <class Types>
void multiply_by_matrix(const product& p) {
  using Number = typename Types::Compute;
  const auto* const values = static_cast<const typename Types::A*>(p.a.values.at);
  const auto* const b = static_cast<const typename Types::B*>(p.b);
  auto* const c = static_cast<typename Types::C*>(p.c);
  const Number alpha = number_of<Number>(p.alpha), beta = number_of<Number>(p.beta);
  parallel_for(p.a.rows, rows_per_part(p.a.rows, (p.a.entries + p.a.rows) * p.n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t column = 0; column < p.n; column += width) {
        const int64_t count = std::min(width, p.n - column);
        row_sums<Types> sums(p);
        for (int64_t k = p.a.offsets[row]; alpha != Number() && k < p.a.offsets[row + 1]; ++k) {
          Number by = load<Number>(values[k]);
          if (p.op.is_conjugated) by = conjugate(by);
          sums.add(by, b + p.a.indices[k] * p.b_row + column * p.b_column, count);
        }
        for (int64_t i = 0; i < count; ++i) {
          finish_element(c[row * p.c_row + (column + i) * p.c_column], alpha, sums[i], beta);
        }
      }
    }
  });
}

using multiply_function = void(const product&);

// An algorithm and a format that it accepts. The default algorithm, which has no row, accepts all formats.
struct algorithm {
  int number;
  cusparseFormat_t format;
};
constexpr algorithm vector_algorithms[] = {
    {CUSPARSE_SPMV_COO_ALG1, CUSPARSE_FORMAT_COO}, {CUSPARSE_SPMV_COO_ALG2, CUSPARSE_FORMAT_COO},
    {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_FORMAT_CSR}, {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_FORMAT_CSC},
    {CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_FORMAT_CSR}, {CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_FORMAT_CSC},
    {CUSPARSE_SPMV_BSR_ALG1, CUSPARSE_FORMAT_BSR}, {CUSPARSE_SPMV_SELL_ALG1, CUSPARSE_FORMAT_SLICED_ELLPACK},
};
constexpr algorithm matrix_algorithms[] = {
    {CUSPARSE_SPMM_COO_ALG1, CUSPARSE_FORMAT_COO}, {CUSPARSE_SPMM_COO_ALG2, CUSPARSE_FORMAT_COO},
    {CUSPARSE_SPMM_COO_ALG3, CUSPARSE_FORMAT_COO}, {CUSPARSE_SPMM_COO_ALG4, CUSPARSE_FORMAT_COO},
    {CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_FORMAT_CSR}, {CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_FORMAT_CSC},
    {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_FORMAT_CSR}, {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_FORMAT_CSC},
    {CUSPARSE_SPMM_CSR_ALG3, CUSPARSE_FORMAT_CSR}, {CUSPARSE_SPMM_CSR_ALG3, CUSPARSE_FORMAT_CSC},
    {CUSPARSE_SPMM_BSR_ALG1, CUSPARSE_FORMAT_BSR}, {CUSPARSE_SPMM_BLOCKED_ELL_ALG1, CUSPARSE_FORMAT_BLOCKED_ELL},
};
template <size_t n>
bool serves(const algorithm (&all)[n], int number, cusparseFormat_t format) {
  return number == 0 ||
         std::any_of(all, all + n, [&](const algorithm& a) { return a.number == number && a.format == format; });
}
constexpr const char* algorithm_refused = "the algorithm is for another format of the matrix";

multiply_function* find_vector_product(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute) {
  return find_combination<multiply_function>(
      vector_products{}, a, x, y, compute,
      []<class Types>(Types) -> multiply_function* { return multiply_by_vector<Types>; });
}
multiply_function* find_matrix_product(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType compute) {
  return find_combination<multiply_function>(
      matrix_products{}, a, b, c, compute,
      []<class Types>(Types) -> multiply_function* { return multiply_by_matrix<Types>; });
}

struct vector_call {
  cusparseOperation_t op;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  const void* beta;
  cusparseDnVecDescr_t y;
  cudaDataType compute;
  cusparseSpMVAlg_t alg;

  void check(checks& valid) const {
    valid.pointers(alpha, a, x, beta, y).is_op(op);
    if (!valid.hold()) return;
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    valid.require((plain ? a->rows : a->columns) == y->size && (plain ? a->columns : a->rows) == x->size)
        .supports(a->format != CUSPARSE_FORMAT_BLOCKED_ELL, "SpMV has no matrices in the format Blocked-ELL")
        .supports(serves(vector_algorithms, alg, a->format), algorithm_refused)
        .supports(find_vector_product(a->values.type, x->values.type, y->values.type, compute), types_refused);
  }
};

cusparseStatus_t multiply_vector_call(const call& c, const vector_call& v) {
  checks valid(c);
  v.check(valid);
  return valid.hold() ? submit_product(c, v.op, v.alpha, *v.a, *v.x, v.beta, *v.y, v.compute) : valid.status();
}

struct matrix_call {
  cusparseOperation_t op_a, op_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  const void* beta;
  cusparseDnMatDescr_t c;
  cudaDataType compute;
  cusparseSpMMAlg_t alg;

  void check(checks& valid) const {
    valid.pointers(alpha, a, b, beta, c).is_op(op_a).is_op(op_b);
    if (!valid.hold()) return;
    const bool plain_a = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, plain_b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool is_ell = a->format == CUSPARSE_FORMAT_BLOCKED_ELL;
    valid.require((plain_a ? a->rows : a->columns) == c->rows)
        .require((plain_b ? b->columns : b->rows) == c->columns)
        .require((plain_a ? a->columns : a->rows) == (plain_b ? b->rows : b->columns))
        .require((a->batches == 1 || a->batches == c->batches) && (b->batches == 1 || b->batches == c->batches))
        .supports(a->format != CUSPARSE_FORMAT_SLICED_ELLPACK, "SpMM has no matrices in the format Sliced-ELL")
        .supports(!is_ell || (plain_a && op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE),
                  "a matrix in the format Blocked-ELL is not transposed, and the other matrix not conjugated")
        .supports(serves(matrix_algorithms, alg, a->format), algorithm_refused)
        .supports(find_matrix_product(a->values.type, b->values.type, c->values.type, compute), types_refused);
  }
};

cusparseStatus_t multiply_matrix_call(const call& c, const matrix_call& v) {
  checks valid(c);
  v.check(valid);
  if (!valid.hold()) return valid.status();
  return submit_product(c, v.op_a, v.op_b, v.alpha, *v.a, *v.b, v.beta, *v.c, v.compute);
}

}  // namespace

cusparseStatus_t submit_product(const call& c, cusparseOperation_t op, const void* alpha, const sparse_matrix& a,
                                const dense_vector& x, const void* beta, const dense_vector& y, cudaDataType compute) {
  if (y.size == 0) return CUSPARSE_STATUS_SUCCESS;
  return submit(
      c, a.entries + y.size, false,
      [=, alpha = factor(c, compute, alpha), beta = factor(c, compute, beta),
       multiply = find_vector_product(a.values.type, x.values.type, y.values.type, compute)](memory_accesses& memory) {
        const any_number by_a = alpha.read(memory), by_b = beta.read(memory);
        if (!report(memory, a, access::reads) || !report(memory, x, access::reads) ||
            !report(memory, y, access::writes)) {
          return;
        }
        const compressed rows = compress(a, true);
        multiply({rows, row_operation(op, is_by_columns(a)), by_a, by_b, x.values.at, 1, 1, false, y.values.at, 1, 1,
                  y.size, 1});
      });
}

cusparseStatus_t submit_product(const call& c, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
                                const sparse_matrix& all_a, const dense_matrix& all_b, const void* beta,
                                const dense_matrix& all_c, cudaDataType compute) {
  if (all_c.rows == 0 || all_c.columns == 0) return CUSPARSE_STATUS_SUCCESS;
  const int64_t cost = (all_a.entries + all_c.rows) * all_c.columns * all_c.batches;
  return submit(c, cost, false,
                [=, alpha = factor(c, compute, alpha), beta = factor(c, compute, beta),
                 multiply = find_matrix_product(all_a.values.type, all_b.values.type, all_c.values.type, compute)](
                    memory_accesses& memory) {
                  const any_number by_a = alpha.read(memory), by_b = beta.read(memory);
                  for (int batch = 0; batch < all_c.batches; ++batch) {
                    const sparse_matrix a = all_a.at_batch(all_a.batches == 1 ? 0 : batch);
                    const dense_matrix b = all_b.at_batch(all_b.batches == 1 ? 0 : batch),
                                       result = all_c.at_batch(batch);
                    if (!report(memory, a, access::reads) || !report(memory, b, access::reads) ||
                        !report(memory, result, access::writes)) {
                      return;
                    }
                    row_operation op(op_a, is_by_columns(a));
                    compressed rows = compress(a, true);
                    if (op.is_transposed) {
                      const compressed turned = std::move(rows);
                      rows = transpose(turned, true);
                    }
                    const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
                    multiply({rows, op, by_a, by_b, b.values.at, plain ? b.row_step() : b.column_step(),
                              plain ? b.column_step() : b.row_step(), op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                              result.values.at, result.row_step(), result.column_step(), result.rows, result.columns});
                  }
                });
}

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         const void* beta, cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t alg, size_t* buffer_size) {
  checks valid({handle, "cusparseSpMV_bufferSize"});
  vector_call{op_a, alpha, mat_a, vec_x, beta, vec_y, compute_type, alg}.check(valid);
  return nominal_size(valid, buffer_size);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         const void* beta, cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t alg, void*) {
  checks valid({handle, "cusparseSpMV_preprocess"});
  vector_call{op_a, alpha, mat_a, vec_x, beta, vec_y, compute_type, alg}.check(valid);
  return valid.status();
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                              cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x, const void* beta,
                              cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpMVAlg_t alg, void*) {
  return multiply_vector_call({handle, "cusparseSpMV"}, {op_a, alpha, mat_a, vec_x, beta, vec_y, compute_type, alg});
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t alg, size_t* buffer_size) {
  checks valid({handle, "cusparseSpMM_bufferSize"});
  matrix_call{op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg}.check(valid);
  return nominal_size(valid, buffer_size);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t alg, void*) {
  checks valid({handle, "cusparseSpMM_preprocess"});
  matrix_call{op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg}.check(valid);
  return valid.status();
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                              const void* beta, cusparseDnMatDescr_t mat_c, cudaDataType compute_type,
                              cusparseSpMMAlg_t alg, void*) {
  return multiply_matrix_call({handle, "cusparseSpMM"},
                              {op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type, alg});
}

}  // extern "C"

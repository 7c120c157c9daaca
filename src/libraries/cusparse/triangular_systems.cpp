// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular systems with one right-hand side (SpSV) or with many (SpSM). The analysis copies the triangle of op(A), so
// that a solution goes through its rows. One right-hand side is solved by one thread, since each row waits for the rows
// before it.
#include <cusparse.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/triangle.hpp"

namespace cohort::cusparse {

void find_entries(const sparse_matrix& a, cusparseOperation_t op, triangle& t) {
  compressed rows = compress(a, false);
  t.rows = rows.rows;
  t.type = a.values.type;
  t.stored_values = a.stored;
  t.is_unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  t.is_conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  t.is_lower = (a.fill == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
  if (op != CUSPARSE_OPERATION_NON_TRANSPOSE) {
    const compressed plain = std::move(rows);
    rows = transpose(plain, false);
  }
  t.offsets.assign(1, 0);
  for (int64_t row = 0; row < t.rows; ++row) {
    for (int64_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      const int64_t column = rows.indices[k];
      if (column == row) {
        t.diagonal_places.emplace_back(row, rows.place_of(k));
      } else if ((column < row) == t.is_lower) {
        t.columns.push_back(column);
        t.places.push_back(rows.place_of(k));
      }
    }
    t.offsets.push_back(static_cast<int64_t>(t.columns.size()));
  }
}

namespace {

template <class E>
void copy_diagonal(triangle& t, const void* values) {
  t.diagonal.resize(static_cast<size_t>(t.rows) * sizeof(E));
  auto* const diagonal = reinterpret_cast<E*>(t.diagonal.data());
  for (int64_t row = 0; row < t.rows; ++row) {
    const E value = static_cast<const E*>(values)[row];
    diagonal[row] = t.is_conjugated ? conjugate(value) : value;
  }
}

template <class E>
void copy_all(triangle& t, const void* from) {
  const auto* const all = static_cast<const E*>(from);
  std::vector<E> diagonal(static_cast<size_t>(t.rows));
  for (const auto& [row, place] : t.diagonal_places) diagonal[static_cast<size_t>(row)] += all[place];
  copy_diagonal<E>(t, diagonal.data());
  t.values.resize(t.places.size() * sizeof(E));
  auto* const values = reinterpret_cast<E*>(t.values.data());
  for (size_t k = 0; k < t.places.size(); ++k)
    values[k] = t.is_conjugated ? conjugate(all[t.places[k]]) : all[t.places[k]];
}

template <class E>
void solve(const triangle& t, const any_number& alpha, const void* x, int64_t x_step, void* y, int64_t y_step) {
  const auto* const values = reinterpret_cast<const E*>(t.values.data());
  const auto* const diagonal = reinterpret_cast<const E*>(t.diagonal.data());
  const auto* const right = static_cast<const E*>(x);
  auto* const result = static_cast<E*>(y);
  const E by = number_of<E>(alpha);
  for (int64_t i = 0; i < t.rows; ++i) {
    const int64_t row = t.is_lower ? i : t.rows - 1 - i;
    E sum = times(by, right[row * x_step]);
    for (int64_t k = t.offsets[static_cast<size_t>(row)]; k < t.offsets[static_cast<size_t>(row) + 1]; ++k) {
      sum -= times(values[k], result[t.columns[static_cast<size_t>(k)] * y_step]);
    }
    result[row * y_step] = t.is_unit ? sum : sum / diagonal[row];
  }
}

}  // namespace

const triangle_functions* find_functions(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute) {
  return find_combination<const triangle_functions>(
      uniform_floats{}, a, x, y, compute, []<class Types>(Types) -> const triangle_functions* {
        using E = typename Types::A;
        static constexpr triangle_functions functions{copy_all<E>, copy_diagonal<E>, solve<E>};
        return &functions;
      });
}
const triangle_functions& functions_of(cudaDataType type) {
  const triangle_functions* const found = find_functions(type, type, type, type);
  if (!found) std::terminate();
  return *found;
}

namespace {

// A triangle as the descriptors of SpSV and SpSM hold it. An operation in a stream keeps it alive.
struct analysis {
  std::shared_ptr<triangle> of;
  int64_t rows = -1;  // rows of an analyzed matrix
  int64_t stored_values = 0;
  cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cudaDataType type = CUDA_R_32F;
};

void check_triangle(checks& valid, cusparseOperation_t op, cusparseConstSpMatDescr_t a, const void* alpha,
                    const analysis* descr) {
  valid.pointers(alpha, a, descr).is_op(op);
  if (valid.hold()) valid.require(a->rows == a->columns);
}

cusparseStatus_t analyze(const call& c, cusparseOperation_t op, cusparseConstSpMatDescr_t a, analysis& result) {
  result = {std::make_shared<triangle>(), a->rows, a->stored, op, a->values.type};
  return submit(c, a->entries, false, [a = sparse_matrix(*a), op, t = result.of](memory_accesses& memory) {
    if (!report(memory, a, access::reads)) return;
    *t = triangle();
    find_entries(a, op, *t);
    functions_of(t->type).copy_all(*t, a.values.at);
  });
}

cusparseStatus_t update(const call& c, analysis* descr, const void* new_values, int part) {
  checks valid(c);
  valid.pointers(descr, new_values).require(part == 0 || part == 1);
  if (valid.hold()) valid.require(descr->rows >= 0);
  if (!valid.hold()) return valid.status();
  const bool is_general = part == CUSPARSE_SPSV_UPDATE_GENERAL;
  const int64_t count = is_general ? descr->stored_values : descr->rows;
  return submit(c, count, false, [t = descr->of, new_values, is_general, count](memory_accesses& memory) {
    if (count == 0 || !memory.reads(bytes_at(new_values, static_cast<size_t>(count) * size_of(t->type)))) return;
    (is_general ? functions_of(t->type).copy_all : functions_of(t->type).copy_diagonal)(*t, new_values);
  });
}

// Checks that a solution has the size, operation and type of the analysis.
void check_analyzed(checks& valid, cusparseOperation_t op, cusparseConstSpMatDescr_t a, const analysis* descr) {
  if (valid.hold()) valid.require(descr->rows == a->rows && descr->op == op && descr->type == a->values.type);
}

}  // namespace

}  // namespace cohort::cusparse

struct cusparseSpSVDescr : cohort::cusparse::analysis {};
struct cusparseSpSMDescr : cohort::cusparse::analysis {};

namespace cohort::cusparse {

namespace {

checks check_vectors(const call& c, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a,
                     cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y, cudaDataType compute,
                     cusparseSpSVDescr_t descr) {
  checks valid(c);
  check_triangle(valid, op, a, alpha, descr);
  valid.pointers(x, y);
  if (!valid.hold()) return valid;
  return valid.require(a->rows == x->size && a->rows == y->size)
      .supports(a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO ||
                    a->format == CUSPARSE_FORMAT_SLICED_ELLPACK,
                "the matrix of SpSV has the format CSR, COO or Sliced-ELL")
      .supports(find_functions(a->values.type, x->values.type, y->values.type, compute), types_refused);
}

checks check_matrices(const call& c, cusparseOperation_t op, cusparseOperation_t op_b, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseConstDnMatDescr_t result,
                      cudaDataType compute, cusparseSpSMDescr_t descr) {
  checks valid(c);
  check_triangle(valid, op, a, alpha, descr);
  valid.pointers(b, result).is_op(op_b);
  if (!valid.hold()) return valid;
  const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return valid.require(a->rows == result->rows && a->rows == (plain ? b->rows : b->columns))
      .require(result->columns == (plain ? b->columns : b->rows))
      .supports(a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO,
                "the matrix of SpSM has the format CSR or COO")
      .supports(op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "SpSM does not conjugate the right sides")
      .supports(a->batches == 1 && b->batches == 1 && result->batches == 1, "SpSM has no batches")
      .supports(find_functions(a->values.type, b->values.type, result->values.type, compute), types_refused);
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr) { return statuses.create(descr); }
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) { return destroy(descr); }

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                         cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t descr, size_t* buffer_size) {
  return nominal_size(
      check_vectors({handle, "cusparseSpSV_bufferSize"}, op_a, alpha, mat_a, vec_x, vec_y, compute_type, descr),
      buffer_size);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                       cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                       cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t descr, void*) {
  const call c{handle, "cusparseSpSV_analysis"};
  const checks valid = check_vectors(c, op_a, alpha, mat_a, vec_x, vec_y, compute_type, descr);
  return valid.hold() ? analyze(c, op_a, mat_a, *descr) : valid.status();
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                                    cusparseConstSpMatDescr_t mat_a, cusparseConstDnVecDescr_t vec_x,
                                    cusparseDnVecDescr_t vec_y, cudaDataType compute_type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descr) {
  const call c{handle, "cusparseSpSV_solve"};
  checks valid = check_vectors(c, op_a, alpha, mat_a, vec_x, vec_y, compute_type, descr);
  check_analyzed(valid, op_a, mat_a, descr);
  if (!valid.hold()) return valid.status();
  return submit(c, mat_a->entries, false,
                [t = descr->of, x = dense_vector(*vec_x), y = dense_vector(*vec_y),
                 alpha = factor(c, compute_type, alpha)](memory_accesses& memory) {
                  const any_number by = alpha.read(memory);
                  if (!report(memory, x, access::reads) || !report(memory, y, access::writes)) return;
                  functions_of(t->type).solve(*t, by, x.values.at, 1, y.values.at, 1);
                });
}

cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr, void* new_values,
                                           cusparseSpSVUpdate_t part) {
  return update({handle, "cusparseSpSV_updateMatrix"}, descr, new_values, part);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr) { return statuses.create(descr); }
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) { return destroy(descr); }

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                         cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
                                         cudaDataType compute_type, cusparseSpSMAlg_t, cusparseSpSMDescr_t descr,
                                         size_t* buffer_size) {
  return nominal_size(
      check_matrices({handle, "cusparseSpSM_bufferSize"}, op_a, op_b, alpha, mat_a, mat_b, mat_c, compute_type, descr),
      buffer_size);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                       const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                       cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
                                       cudaDataType compute_type, cusparseSpSMAlg_t, cusparseSpSMDescr_t descr, void*) {
  const call c{handle, "cusparseSpSM_analysis"};
  const checks valid = check_matrices(c, op_a, op_b, alpha, mat_a, mat_b, mat_c, compute_type, descr);
  return valid.hold() ? analyze(c, op_a, mat_a, *descr) : valid.status();
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void* alpha, cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                                    cusparseDnMatDescr_t mat_c, cudaDataType compute_type, cusparseSpSMAlg_t,
                                    cusparseSpSMDescr_t descr) {
  const call c{handle, "cusparseSpSM_solve"};
  checks valid = check_matrices(c, op_a, op_b, alpha, mat_a, mat_b, mat_c, compute_type, descr);
  check_analyzed(valid, op_a, mat_a, descr);
  if (!valid.hold()) return valid.status();
  return submit(c, mat_a->entries * mat_c->columns, false,
                [t = descr->of, b = dense_matrix(*mat_b), result = dense_matrix(*mat_c), op_b,
                 alpha = factor(c, compute_type, alpha)](memory_accesses& memory) {
                  const any_number by = alpha.read(memory);
                  if (!report(memory, b, access::reads) || !report(memory, result, access::writes)) return;
                  const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
                  const int64_t work = static_cast<int64_t>(t->columns.size() + 1) * result.columns;
                  cohort::libraries::parallel_for(
                      result.columns, rows_per_part(result.columns, work), [&](int64_t begin, int64_t end) {
                        for (int64_t column = begin; column < end; ++column) {
                          const int64_t from = column * (plain ? b.column_step() : b.row_step());
                          functions_of(t->type).solve(
                              *t, by, b.values.from(from).at, plain ? b.row_step() : b.column_step(),
                              result.values.from(column * result.column_step()).at, result.row_step());
                        }
                      });
                });
}

cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr, void* new_values,
                                           cusparseSpSMUpdate_t part) {
  return update({handle, "cusparseSpSM_updateMatrix"}, descr, new_values, part);
}

}  // extern "C"

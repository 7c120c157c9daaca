// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of two sparse matrices in CSR (SpGEMM): row by row, with sorted columns. The descriptor of a product holds
// its pattern, and for SpGEMM its values too, until the program has allocated the arrays of C.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

namespace {

using libraries::parallel_for;

// Shared by the descriptor and the operations of its stream.
struct sparse_product {
  std::vector<int64_t> offsets, columns;
  std::vector<char> values;  // alpha * A * B
  int64_t multiplications = 0;
};

// The dense form of one row of C: the place of each column's value, valid where its mark is the row.
class row_places {
 public:
  explicit row_places(int64_t columns) : marks_(static_cast<size_t>(columns), -1), places_(marks_.size()) {}

  bool has(int64_t row, int64_t column) const { return marks_[static_cast<size_t>(column)] == row; }
  void set(int64_t row, int64_t column, int64_t place) {
    marks_[static_cast<size_t>(column)] = row;
    places_[static_cast<size_t>(column)] = place;
  }
  int64_t operator[](int64_t column) const { return places_[static_cast<size_t>(column)]; }

 private:
  std::vector<int64_t> marks_, places_;
};

int64_t count_multiplications(const compressed& a, const compressed& b) {
  int64_t count = 0;
  for (int64_t k = a.rows > 0 ? a.offsets[0] : 0; a.rows > 0 && k < a.offsets[a.rows]; ++k) {
    count += b.offsets[a.indices[k] + 1] - b.offsets[a.indices[k]];
  }
  return count;
}

// A part of the rows needs a row in dense form, so parts are large.
int64_t rows_of_part(const compressed& a, int64_t columns, int64_t multiplications) {
  return std::max(rows_per_part(a.rows, multiplications + columns), (a.rows + 63) / 64);
}

void find_pattern(const compressed& a, const compressed& b, sparse_product& c) {
  c.multiplications = count_multiplications(a, b);
  std::vector<std::vector<int64_t>> rows(static_cast<size_t>(a.rows));
  parallel_for(a.rows, rows_of_part(a, b.columns, c.multiplications), [&](int64_t begin, int64_t end) {
    row_places seen(b.columns);
    for (int64_t row = begin; row < end; ++row) {
      std::vector<int64_t>& columns = rows[static_cast<size_t>(row)];
      for (int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
        for (int64_t j = b.offsets[a.indices[k]]; j < b.offsets[a.indices[k] + 1]; ++j) {
          const int64_t column = b.indices[j];
          if (seen.has(row, column)) continue;
          seen.set(row, column, 0);
          columns.push_back(column);
        }
      }
      std::sort(columns.begin(), columns.end());
    }
  });
  c.offsets.assign(1, 0);
  c.columns.clear();
  for (std::vector<int64_t>& columns : rows) {
    c.columns.insert(c.columns.end(), columns.begin(), columns.end());
    c.offsets.push_back(static_cast<int64_t>(c.columns.size()));
    std::vector<int64_t>().swap(columns);
  }
}

// Stores alpha * A * B + beta * C in values of C in the order of the pattern.
using compute_function = void(const compressed& a, const compressed& b, const sparse_product& c,
                              const any_number& alpha, const any_number& beta, void* values);
template <class Types>
void compute_values(const compressed& a, const compressed& b, const sparse_product& c, const any_number& alpha,
                    const any_number& beta, void* values) {
  using Number = typename Types::Compute;
  using E = typename Types::A;
  const auto* const left = static_cast<const E*>(a.values.at);
  const auto* const right = static_cast<const E*>(b.values.at);
  auto* const result = static_cast<E*>(values);
  parallel_for(a.rows, rows_of_part(a, b.columns, c.multiplications), [&](int64_t begin, int64_t end) {
    row_places places(b.columns);
    std::vector<Number> sums;
    for (int64_t row = begin; row < end; ++row) {
      const int64_t first = c.offsets[static_cast<size_t>(row)], last = c.offsets[static_cast<size_t>(row) + 1];
      sums.assign(static_cast<size_t>(last - first), Number());
      for (int64_t i = first; i < last; ++i) places.set(row, c.columns[static_cast<size_t>(i)], i - first);
      for (int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
        const Number by = load<Number>(left[k]);
        for (int64_t j = b.offsets[a.indices[k]]; j < b.offsets[a.indices[k] + 1]; ++j) {
          Number& sum = sums[static_cast<size_t>(places[b.indices[j]])];
          sum = plus(sum, times(by, load<Number>(right[j])));
        }
      }
      for (int64_t i = first; i < last; ++i) {
        finish_element(result[i], number_of<Number>(alpha), sums[static_cast<size_t>(i - first)],
                       number_of<Number>(beta));
      }
    }
  });
}

// Adds the stored product to beta times the old values of C.
using add_function = void(const sparse_product& product, const any_number& beta, void* values);
template <class Types>
void add_values(const sparse_product& product, const any_number& beta, void* values) {
  using Number = typename Types::Compute;
  const auto* const computed = reinterpret_cast<const Number*>(product.values.data());
  auto* const result = static_cast<Number*>(values);
  for (size_t i = 0; i < product.columns.size(); ++i) {
    finish_element(result[i], Number(1), computed[i], number_of<Number>(beta));
  }
}

}  // namespace

}  // namespace cohort::cusparse

struct cusparseSpGEMMDescr {
  std::shared_ptr<cohort::cusparse::sparse_product> product = std::make_shared<cohort::cusparse::sparse_product>();
};

namespace cohort::cusparse {

namespace {

struct product_call {
  cusparseOperation_t op_a, op_b;
  cusparseConstSpMatDescr_t a, b;
  cusparseSpMatDescr_t c;
  cudaDataType compute;
  cusparseSpGEMMDescr_t descr;

  template <class Function, class Use>
  Function* function(Use&& use) const {
    return find_combination<Function>(uniform_floats{}, a->values.type, b->values.type, c->values.type, compute, use);
  }
  compute_function* compute_values_of() const {
    return function<compute_function>([]<class Types>(Types) -> compute_function* { return compute_values<Types>; });
  }
  checks check(const call& by) const {
    checks valid(by);
    valid.pointers(a, b, c, descr).is_op(op_a).is_op(op_b);
    if (!valid.hold()) return valid;
    return valid.require(a->rows == c->rows && b->columns == c->columns && a->columns == b->rows)
        .supports(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE,
                  "SpGEMM does not transpose")
        .supports(
            a->format == CUSPARSE_FORMAT_CSR && b->format == CUSPARSE_FORMAT_CSR && c->format == CUSPARSE_FORMAT_CSR,
            "the matrices of SpGEMM have the format CSR")
        .supports(a->batches == 1 && b->batches == 1 && c->batches == 1, "SpGEMM has no batches")
        .supports(compute_values_of() != nullptr, types_refused);
  }
};

// A stage with a buffer: a call without the buffer is a size query. Returns true for a size query.
bool asks_size(checks& valid, size_t* size, const void* buffer) {
  valid.pointers(size);
  if (!valid.hold()) return true;
  if (!buffer) *size = nominal_buffer;
  return !buffer;
}

// Finds the pattern of C and returns after it, because its size is an argument of the program's next calls. With
// `compute` it stores alpha * A * B too.
cusparseStatus_t find_pattern_of(const call& c, const product_call& p, compute_function* compute = nullptr,
                                 const std::optional<factor>& alpha = {}) {
  const auto fresh = std::make_shared<sparse_product>();
  const cusparseStatus_t status =
      submit(c, INT64_MAX, true,
             [a = sparse_matrix(*p.a), b = sparse_matrix(*p.b), fresh, compute, alpha](memory_accesses& memory) {
               const access values = compute ? access::reads : access::pattern;
               if (!report(memory, a, values) || !report(memory, b, values)) return;
               const compressed left = compress(a, true), right = compress(b, true);
               find_pattern(left, right, *fresh);
               if (!compute) return;
               fresh->values.resize(fresh->columns.size() * size_of(a.values.type));
               compute(left, right, *fresh, alpha->read(memory), any_number(), fresh->values.data());
             });
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  p.descr->product = fresh;
  p.c->entries = p.c->stored = static_cast<int64_t>(fresh->columns.size());
  return status;
}

// Writes the pattern to the arrays of C.
bool store_pattern(memory_accesses& memory, const sparse_matrix& c, const sparse_product& product) {
  const auto lines = static_cast<int64_t>(product.offsets.size());
  if (!memory.writes(bytes_at(c.offsets, c.offset_array().bytes(lines)))) return false;
  for (int64_t i = 0; i < lines; ++i) c.offset_array().set(i, product.offsets[static_cast<size_t>(i)]);
  const auto entries = static_cast<int64_t>(product.columns.size());
  if (entries > 0 && !memory.writes(bytes_at(c.indices, c.index_array_of_entries().bytes(entries)))) return false;
  for (int64_t i = 0; i < entries; ++i) c.index_array_of_entries().set(i, product.columns[static_cast<size_t>(i)]);
  return true;
}

// Checks that the pattern exists, and that C has arrays for it.
void check_arrays(checks& valid, const product_call& p) {
  if (!valid.hold()) return;
  const sparse_product& product = *p.descr->product;
  valid.require(static_cast<int64_t>(product.offsets.size()) == p.c->rows + 1)
      .require(static_cast<int64_t>(product.columns.size()) == p.c->entries)
      .require(p.c->offsets && (p.c->entries == 0 || (p.c->indices && p.c->values.at)));
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr) { return statuses.create(descr); }

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) { return destroy(descr); }

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* buffer_size1,
                                               void* buffer1) {
  const call c{handle, "cusparseSpGEMM_workEstimation"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, compute_type, descr};
  checks valid = p.check(c);
  valid.pointers(alpha, beta);
  if (asks_size(valid, buffer_size1, buffer1)) return valid.status();
  const auto fresh = std::make_shared<sparse_product>();
  const cusparseStatus_t status = submit(
      c, mat_a->entries, true, [a = sparse_matrix(*mat_a), b = sparse_matrix(*mat_b), fresh](memory_accesses& memory) {
        if (!report(memory, a, access::pattern) || !report(memory, b, access::pattern)) return;
        fresh->multiplications = count_multiplications(compress(a, false), compress(b, false));
      });
  if (status == CUSPARSE_STATUS_SUCCESS) descr->product = fresh;
  return status;
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t* num_prods) {
  if (!descr || !num_prods) return CUSPARSE_STATUS_INVALID_VALUE;
  *num_prods = descr->product->multiplications;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                               float chunk_fraction, size_t* buffer_size3, void* buffer3,
                                               size_t* buffer_size2) {
  checks valid = product_call{op_a, op_b, mat_a, mat_b, mat_c, compute_type, descr}.check(
      {handle, "cusparseSpGEMM_estimateMemory"});
  valid.pointers(alpha, beta).require(chunk_fraction > 0 && chunk_fraction <= 1);
  valid.supports(alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3,
                 "it estimates CUSPARSE_SPGEMM_ALG2 and CUSPARSE_SPGEMM_ALG3");
  if (asks_size(valid, buffer_size3, buffer3)) return valid.status();
  return nominal_size(valid, buffer_size2);
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                        const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                        cusparseConstSpMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                        cudaDataType compute_type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                        size_t* buffer_size2, void* buffer2) {
  const call c{handle, "cusparseSpGEMM_compute"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, compute_type, descr};
  checks valid = p.check(c);
  valid.pointers(alpha, beta);
  if (asks_size(valid, buffer_size2, buffer2)) return valid.status();
  return find_pattern_of(c, p, p.compute_values_of(), factor(c, compute_type, alpha));
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void* alpha, cusparseConstSpMatDescr_t mat_a,
                                     cusparseConstSpMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                     cudaDataType compute_type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  const call c{handle, "cusparseSpGEMM_copy"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, compute_type, descr};
  checks valid = p.check(c);
  valid.pointers(alpha, beta);
  check_arrays(valid, p);
  if (!valid.hold()) return valid.status();
  auto* const add = p.function<add_function>([]<class Types>(Types) -> add_function* { return add_values<Types>; });
  return submit(c, mat_c->entries, false,
                [result = sparse_matrix(*mat_c), product = descr->product, add,
                 beta = factor(c, compute_type, beta)](memory_accesses& memory) {
                  const any_number by = beta.read(memory);
                  if (!store_pattern(memory, result, *product) || !report(memory, result, access::writes)) return;
                  add(*product, by, result.values.at);
                });
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                    cusparseOperation_t op_b, cusparseConstSpMatDescr_t mat_a,
                                                    cusparseConstSpMatDescr_t mat_b, cusparseSpMatDescr_t mat_c,
                                                    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                                    size_t* buffer_size1, void* buffer1) {
  const call c{handle, "cusparseSpGEMMreuse_workEstimation"};
  checks valid = product_call{op_a, op_b, mat_a, mat_b, mat_c, mat_a ? mat_a->values.type : CUDA_R_32F, descr}.check(c);
  asks_size(valid, buffer_size1, buffer1);
  return valid.status();
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                         cusparseSpMatDescr_t mat_c, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                         size_t* buffer_size2, void* buffer2, size_t* buffer_size3, void* buffer3,
                                         size_t* buffer_size4, void* buffer4) {
  const call c{handle, "cusparseSpGEMMreuse_nnz"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, mat_a ? mat_a->values.type : CUDA_R_32F, descr};
  checks valid = p.check(c);
  const bool sizes_only = asks_size(valid, buffer_size2, buffer2) | asks_size(valid, buffer_size3, buffer3) |
                          asks_size(valid, buffer_size4, buffer4);
  return sizes_only ? valid.status() : find_pattern_of(c, p);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                          cusparseSpMatDescr_t mat_c, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                          size_t* buffer_size5, void* buffer5) {
  const call c{handle, "cusparseSpGEMMreuse_copy"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, mat_a ? mat_a->values.type : CUDA_R_32F, descr};
  checks valid = p.check(c);
  if (asks_size(valid, buffer_size5, buffer5)) return valid.status();
  check_arrays(valid, p);
  if (!valid.hold()) return valid.status();
  return submit(c, mat_c->entries, false,
                [result = sparse_matrix(*mat_c), product = descr->product](memory_accesses& memory) {
                  store_pattern(memory, result, *product);
                });
}

cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                             cusparseOperation_t op_b, const void* alpha,
                                             cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b,
                                             const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                             cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  const call c{handle, "cusparseSpGEMMreuse_compute"};
  const product_call p{op_a, op_b, mat_a, mat_b, mat_c, compute_type, descr};
  checks valid = p.check(c);
  valid.pointers(alpha, beta);
  check_arrays(valid, p);
  if (!valid.hold()) return valid.status();
  return submit(c, descr->product->multiplications, false,
                [a = sparse_matrix(*mat_a), b = sparse_matrix(*mat_b), result = sparse_matrix(*mat_c),
                 product = descr->product, compute = p.compute_values_of(), alpha = factor(c, compute_type, alpha),
                 beta = factor(c, compute_type, beta)](memory_accesses& memory) {
                  const any_number by_a = alpha.read(memory), by_b = beta.read(memory);
                  if (!report(memory, a, access::reads) || !report(memory, b, access::reads) ||
                      !report(memory, result, access::writes)) {
                    return;
                  }
                  compute(compress(a, true), compress(b, true), *product, by_a, by_b, result.values.at);
                });
}

}  // extern "C"

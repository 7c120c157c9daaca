// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of dense matrices at the places of a sparse matrix (SDDMM).
#include <cusparse.h>

#include <cstdint>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

namespace {

using sampled_types = joined<uniform_floats, combinations<combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F>,
                                                          combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F>>>;

// op(A) and op(B) by their distances between elements.
struct sampled_product {
  const void* a;
  int64_t a_row, a_step;
  const void* b;
  int64_t b_step, b_column;
  int64_t k;
  any_number alpha, beta;
  const compressed& places;
  void* values;
};
using sample_function = void(const sampled_product&);

template <class Types>
void sample(const sampled_product& p) {
  using Number = typename Types::Compute;
  const auto* const a = static_cast<const typename Types::A*>(p.a);
  const auto* const b = static_cast<const typename Types::B*>(p.b);
  auto* const values = static_cast<typename Types::C*>(p.values);
  const Number alpha = number_of<Number>(p.alpha), beta = number_of<Number>(p.beta);
  const compressed& c = p.places;
  libraries::parallel_for(c.rows, rows_per_part(c.rows, c.entries * p.k), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t entry = c.offsets[row]; entry < c.offsets[row + 1]; ++entry) {
        const auto* const left = a + row * p.a_row;
        const auto* const right = b + c.indices[entry] * p.b_column;
        Number sum{};
        for (int64_t i = 0; alpha != Number() && i < p.k; ++i) {
          sum = plus(sum, times(load<Number>(left[i * p.a_step]), load<Number>(right[i * p.b_step])));
        }
        finish_element(values[c.place_of(entry)], alpha, sum, beta);
      }
    }
  });
}

struct sampled_call {
  cusparseOperation_t op_a, op_b;
  const void* alpha;
  cusparseConstDnMatDescr_t a, b;
  const void* beta;
  cusparseSpMatDescr_t c;
  cudaDataType compute;

  sample_function* function() const {
    return find_combination<sample_function>(sampled_types{}, a->values.type, b->values.type, c->values.type, compute,
                                             []<class Types>(Types) -> sample_function* { return sample<Types>; });
  }
  void check(checks& valid) const {
    valid.pointers(alpha, a, b, beta, c).is_op(op_a).is_op(op_b);
    if (!valid.hold()) return;
    const bool plain_a = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, plain_b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    valid.require((plain_a ? a->rows : a->columns) == c->rows && (plain_b ? b->columns : b->rows) == c->columns)
        .require((plain_a ? a->columns : a->rows) == (plain_b ? b->rows : b->columns))
        .require((a->batches == 1 || a->batches == c->batches) && (b->batches == 1 || b->batches == c->batches))
        .supports(c->format == CUSPARSE_FORMAT_CSR || c->format == CUSPARSE_FORMAT_BSR,
                  "the result of SDDMM has the format CSR or BSR")
        .supports(op_a != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                  "SDDMM does not conjugate")
        .supports(function() != nullptr, types_refused);
  }
};

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t mat_a,
                                          cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t, size_t* buffer_size) {
  checks valid({handle, "cusparseSDDMM_bufferSize"});
  sampled_call{op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type}.check(valid);
  return nominal_size(valid, buffer_size);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const void* alpha, cusparseConstDnMatDescr_t mat_a,
                                          cusparseConstDnMatDescr_t mat_b, const void* beta, cusparseSpMatDescr_t mat_c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t, void*) {
  checks valid({handle, "cusparseSDDMM_preprocess"});
  sampled_call{op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type}.check(valid);
  return valid.status();
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                               const void* beta, cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                               cusparseSDDMMAlg_t, void*) {
  const call c{handle, "cusparseSDDMM"};
  const sampled_call s{op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute_type};
  checks valid(c);
  s.check(valid);
  if (!valid.hold()) return valid.status();
  const bool plain_a = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, plain_b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return submit(
      c, mat_c->entries * (plain_a ? mat_a->columns : mat_a->rows) * mat_c->batches, false,
      [all_a = dense_matrix(*mat_a), all_b = dense_matrix(*mat_b), all_c = sparse_matrix(*mat_c), plain_a, plain_b,
       function = s.function(), alpha = factor(c, compute_type, alpha),
       beta = factor(c, compute_type, beta)](memory_accesses& memory) {
        const any_number by_a = alpha.read(memory), by_b = beta.read(memory);
        for (int batch = 0; batch < all_c.batches; ++batch) {
          const dense_matrix a = all_a.at_batch(all_a.batches == 1 ? 0 : batch);
          const dense_matrix b = all_b.at_batch(all_b.batches == 1 ? 0 : batch);
          const sparse_matrix result = all_c.at_batch(batch);
          if (!report(memory, a, access::reads) || !report(memory, b, access::reads) ||
              !report(memory, result, access::writes)) {
            return;
          }
          const compressed places = compress(result, false);
          function({a.values.at, plain_a ? a.row_step() : a.column_step(), plain_a ? a.column_step() : a.row_step(),
                    b.values.at, plain_b ? b.row_step() : b.column_step(), plain_b ? b.column_step() : b.row_step(),
                    plain_a ? a.columns : a.rows, by_a, by_b, places, result.values.at});
        }
      });
}

}  // extern "C"

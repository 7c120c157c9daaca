// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on a sparse and a dense vector. They work in the order of the entries, so an index may appear twice.
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <cstdint>
#include <cstring>

#include "libraries/cusparse/compressed.hpp"

namespace cohort::cusparse {

namespace {

// The type in which a vector of elements is computed.
using vector_updates = combinations<uniform<CUDA_R_32F>, uniform<CUDA_R_64F>, uniform<CUDA_C_32F>, uniform<CUDA_C_64F>,
                                    combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F>,
                                    combination<CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F>,
                                    combination<CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_32F>,
                                    combination<CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F>>;
cudaDataType compute_type_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return CUDA_R_32F;
    case CUDA_C_16F:
    case CUDA_C_16BF:
      return CUDA_C_32F;
    default:
      return type;
  }
}

// A and C are the types of the sparse vector and of the result.
using dot_products = combinations<combination<CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F>,
                                  combination<CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F>,
                                  combination<CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F>,
                                  combination<CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F>,
                                  combination<CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I>,
                                  combination<CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F>,
                                  combination<CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F>,
                                  combination<CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F>,
                                  combination<CUDA_C_16F, CUDA_C_16F, CUDA_C_32F, CUDA_C_32F>,
                                  combination<CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F, CUDA_C_32F>>;

// An update of both vectors by two factors.
struct update {
  const sparse_vector& x;
  const dense_vector& y;
  any_number first, second;
};
using update_function = void(const update&);

template <class Types>
void axpby(const update& u) {
  using Number = typename Types::Compute;
  using E = typename Types::A;
  const auto* const x = static_cast<const E*>(u.x.values.at);
  auto* const y = static_cast<E*>(u.y.values.at);
  const Number alpha = number_of<Number>(u.first), beta = number_of<Number>(u.second);
  for (int64_t i = 0; beta != Number(1) && i < u.y.size; ++i) {
    y[i] = beta == Number() ? store<E>(Number()) : store<E>(times(beta, load<Number>(y[i])));
  }
  for (int64_t k = 0; k < u.x.entries; ++k) {
    E& element = y[u.x.places()[k]];
    element = store<E>(plus(load<Number>(element), times(alpha, load<Number>(x[k]))));
  }
}

template <class Types>
void rotate(const update& u) {
  using Number = typename Types::Compute;
  using E = typename Types::A;
  auto* const x = static_cast<E*>(u.x.values.at);
  auto* const y = static_cast<E*>(u.y.values.at);
  const Number c = number_of<Number>(u.first), s = number_of<Number>(u.second);
  for (int64_t k = 0; k < u.x.entries; ++k) {
    E& element = y[u.x.places()[k]];
    const Number old_x = load<Number>(x[k]), old_y = load<Number>(element);
    element = store<E>(times(c, old_y) - times(s, old_x));
    x[k] = store<E>(times(c, old_x) + times(s, old_y));
  }
}

template <class Types>
void dot(const sparse_vector& x, const dense_vector& y, bool is_conjugated, any_number* result) {
  using Number = typename Types::Compute;
  const auto* const values = static_cast<const typename Types::A*>(x.values.at);
  const auto* const dense = static_cast<const typename Types::B*>(y.values.at);
  Number sum{};
  for (int64_t k = 0; k < x.entries; ++k) {
    const Number value = load<Number>(values[k]);
    sum = plus(sum, times(is_conjugated ? conjugate(value) : value, load<Number>(dense[x.places()[k]])));
  }
  std::memcpy(result->bytes, &sum, sizeof sum);
}

template <class X, class Y>
checks checked(const call& c, X x, Y y) {
  checks valid(c);
  valid.pointers(x, y);
  if (valid.hold()) valid.require(x->size == y->size);
  return valid;
}

// Runs `function` over both vectors with two factors.
template <class X>
cusparseStatus_t update_vectors(const call& c, const void* first, const void* second, X x, cusparseDnVecDescr_t y,
                                access of_x, update_function* function, cudaDataType compute) {
  return submit(c, x->entries + y->size, false,
                [x = sparse_vector(*x), y = dense_vector(*y), of_x, function, first = factor(c, compute, first),
                 second = factor(c, compute, second)](memory_accesses& memory) {
                  const any_number a = first.read(memory), b = second.read(memory);
                  if (report(memory, x, of_x) && report(memory, y, access::writes)) function({x, y, a, b});
                });
}

// Copies elements between both vectors, which have one type.
template <class X, class Y>
cusparseStatus_t move_elements(const call& c, X x, Y y, bool to_dense) {
  checks valid = checked(c, x, y);
  if (valid.hold()) valid.require(x->values.type == y->values.type);
  valid.supports(!valid.hold() || x->values.type != CUDA_R_32I, types_refused);
  if (!valid.hold() || x->entries == 0) return valid.status();
  return submit(c, x->entries, false, [x = sparse_vector(*x), y = dense_vector(*y), to_dense](memory_accesses& memory) {
    if (!report(memory, x, to_dense ? access::reads : access::writes) ||
        !report(memory, y, to_dense ? access::writes : access::reads)) {
      return;
    }
    const size_t size = size_of(x.values.type);
    for (int64_t k = 0; k < x.entries; ++k) {
      void* const sparse = x.values.from(k).at;
      void* const dense = y.values.from(x.places()[k]).at;
      std::memcpy(to_dense ? dense : sparse, to_dense ? sparse : dense, size);
    }
  });
}

using dot_function = void(const sparse_vector&, const dense_vector&, bool, any_number*);

struct dot_call {
  cusparseOperation_t op;
  cusparseConstSpVecDescr_t x;
  cusparseConstDnVecDescr_t y;
  const void* result;
  cudaDataType compute;

  dot_function* function() const {
    return find_combination<dot_function>(dot_products{}, x->values.type, y->values.type, compute, compute,
                                          []<class Types>(Types) -> dot_function* { return dot<Types>; });
  }
  checks check(const call& c) const {
    checks valid = checked(c, x, y);
    valid.pointers(result).is_op(op);
    if (!valid.hold()) return valid;
    return valid.supports(op != CUSPARSE_OPERATION_TRANSPOSE, "a vector is conjugated or not, but not transposed")
        .supports(function() != nullptr, types_refused);
  }
};

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

extern "C" {

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t vec_x,
                               const void* beta, cusparseDnVecDescr_t vec_y) {
  const call c{handle, "cusparseAxpby"};
  checks valid = checked(c, vec_x, vec_y);
  valid.pointers(alpha, beta);
  if (!valid.hold()) return valid.status();
  const cudaDataType compute = compute_type_of(vec_x->values.type);
  auto* const function =
      find_combination<update_function>(vector_updates{}, vec_x->values.type, vec_y->values.type, vec_y->values.type,
                                        compute, []<class Types>(Types) -> update_function* { return axpby<Types>; });
  if (!valid.supports(function, types_refused).hold()) return valid.status();
  return update_vectors(c, alpha, beta, vec_x, vec_y, access::reads, function, compute);
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c_coeff, const void* s_coeff,
                             cusparseSpVecDescr_t vec_x, cusparseDnVecDescr_t vec_y) {
  const call c{handle, "cusparseRot"};
  checks valid = checked(c, vec_x, vec_y);
  valid.pointers(c_coeff, s_coeff);
  if (!valid.hold()) return valid.status();
  const cudaDataType compute = compute_type_of(vec_x->values.type);
  auto* const function =
      find_combination<update_function>(vector_updates{}, vec_x->values.type, vec_y->values.type, vec_y->values.type,
                                        compute, []<class Types>(Types) -> update_function* { return rotate<Types>; });
  if (!valid.supports(function, types_refused).hold()) return valid.status();
  return update_vectors(c, c_coeff, s_coeff, vec_x, vec_y, access::writes, function, compute);
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vec_y, cusparseSpVecDescr_t vec_x) {
  return move_elements({handle, "cusparseGather"}, vec_x, vec_y, false);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vec_x, cusparseDnVecDescr_t vec_y) {
  return move_elements({handle, "cusparseScatter"}, vec_x, vec_y, true);
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_x,
                                         cusparseConstSpVecDescr_t vec_x, cusparseConstDnVecDescr_t vec_y,
                                         const void* result, cudaDataType compute_type, size_t* buffer_size) {
  const dot_call d{op_x, vec_x, vec_y, result, compute_type};
  return nominal_size(d.check({handle, "cusparseSpVV_bufferSize"}), buffer_size);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op_x, cusparseConstSpVecDescr_t vec_x,
                              cusparseConstDnVecDescr_t vec_y, void* result, cudaDataType compute_type, void*) {
  const call c{handle, "cusparseSpVV"};
  const dot_call d{op_x, vec_x, vec_y, result, compute_type};
  const checks valid = d.check(c);
  if (!valid.hold()) return valid.status();
  // A graph writes a result in host memory when it runs.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const bool is_captured =
      cudaStreamIsCapturing(handle->stream, &capture) == cudaSuccess && capture != cudaStreamCaptureStatusNone;
  return submit(c, vec_x->entries, c.has_host_pointers() && !is_captured,
                [x = sparse_vector(*vec_x), y = dense_vector(*vec_y), result, size = size_of(compute_type),
                 in_device = !c.has_host_pointers(), function = d.function(),
                 is_conjugated = op_x == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE](memory_accesses& memory) {
                  if (!report(memory, x, access::reads) || !report(memory, y, access::reads) ||
                      (in_device && !memory.writes(bytes_at(result, size)))) {
                    return;
                  }
                  any_number sum;
                  function(x, y, is_conjugated, &sum);
                  std::memcpy(result, sum.bytes, size);
                });
}

}  // extern "C"

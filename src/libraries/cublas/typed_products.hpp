// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices whose types are arguments: half precision is computed in float, integers exactly.
#pragma once

#include <cublas_api.h>

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/element_types.hpp"

namespace cohort::cublas {

// A permitted combination of types (the table of cublasGemmEx() in the cuBLAS guide).
struct product_types {
  cublasComputeType_t compute;
  cudaDataType scale;  // the type of alpha and beta
  cudaDataType ab;
  cudaDataType c;
};

// The combination that a call names; null if cuBLAS has none.
const product_types* find_product_types(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c);

// A factor of one of the types that alpha and beta have.
union any_factor {
  float f;
  double d;
  cuComplex c;
  cuDoubleComplex z;
  int32_t i;
  __half h;

  any_factor() : z{} {}
};
size_t size_of(cudaDataType type);
any_factor load_factor(cudaDataType type, const void* at);
bool is_zero_factor(cudaDataType type, const any_factor& value);

// The memory of a matrix whose elements have the type.
inline memory_rows typed_matrix(const void* a, cudaDataType type, int64_t rows, int64_t columns, int64_t ld) {
  const size_t bytes = size_of(type);
  return {a, static_cast<size_t>(rows) * bytes, static_cast<size_t>(ld) * bytes, static_cast<size_t>(columns)};
}

// C = alpha * op(A) * op(B) + beta * C
void multiply_typed(const product_types& types, const gemm_shape& s, const any_factor& alpha, const void* a,
                    const void* b, const any_factor& beta, void* c);

// Alpha or beta. A factor in host memory is read at the call, one in device memory in stream order.
class typed_factor {
 public:
  typed_factor(bool in_host, cudaDataType type, const void* at) : type_(type), in_device_(in_host ? nullptr : at) {
    if (in_host) value_ = load_factor(type, at);
  }
  any_factor read(memory_accesses& memory) const {
    if (!in_device_) return value_;
    return memory.reads(libraries::bytes_at(in_device_, size_of(type_)), "a factor in device memory")
               ? load_factor(type_, in_device_)
               : any_factor();
  }

 private:
  cudaDataType type_;
  const void* in_device_;
  any_factor value_;
};

}  // namespace cohort::cublas

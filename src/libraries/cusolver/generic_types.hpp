// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines whose types are arguments: a problem for the type that they name.
#pragma once

#include <library_types.h>

#include "libraries/cusolver/eigenvalues.hpp"
#include "libraries/cusolver/problem.hpp"

namespace cohort::cusolver {

inline bool is_complex_type(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
inline cudaDataType complex_type_of(cudaDataType type) {
  if (type == CUDA_R_32F) return CUDA_C_32F;
  return type == CUDA_R_64F ? CUDA_C_64F : type;
}

// The type of the operands of a call, which must all name it.
class generic_types {
 public:
  template <class... Types>
  explicit generic_types(cudaDataType type, Types... others) : type_(type), agree_((... && (others == type))) {}
  // The type of real results.
  generic_types& real(cudaDataType type) {
    agree_ = agree_ && !is_complex_type(type) && complex_type_of(type) == complex_type_of(type_);
    return *this;
  }
  // The type of eigenvalues, which are complex numbers or pairs of arrays of real ones.
  generic_types& eigenvalues(cudaDataType type) {
    agree_ = agree_ && (type == type_ || type == complex_type_of(type_));
    return *this;
  }
  // Calls `use(T())` for the type that all operands name.
  template <class Use>
  cusolverStatus_t with(const call& c, Use&& use) const {
    if (!c.handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!agree_) return CUSOLVER_STATUS_INVALID_VALUE;
    switch (type_) {
      case CUDA_R_32F:
        return use(0.0F);
      case CUDA_R_64F:
        return use(0.0);
      case CUDA_C_32F:
        return use(cuComplex());
      case CUDA_C_64F:
        return use(cuDoubleComplex());
      default:
        return CUSOLVER_STATUS_INVALID_VALUE;
    }
  }

 private:
  cudaDataType type_;
  bool agree_;
};

template <class... Types>
generic_types types_of(Types... types) {
  return generic_types(types...);
}

template <class T>
T* at(const void* address) {
  return static_cast<T*>(const_cast<void*>(address));
}
template <class T>
real_of<T>* real_at(const void* address) {
  return at<real_of<T>>(address);
}
template <class T>
eigenvalue_range<real_of<T>, int64_t> range_of(cusolverEigRange_t range, const void* vl, const void* vu, int64_t il,
                                               int64_t iu, int64_t* count) {
  const auto bound = [&](const void* value) {
    return range == CUSOLVER_EIG_RANGE_V && value ? *real_at<T>(value) : real_of<T>(0);
  };
  return {range, bound(vl), bound(vu), il, iu, count};
}

// `make(T())` returns the problem for numbers of type T.
template <class Make>
cusolverStatus_t size_generic(const call& c, const generic_types& types, Make&& make, size_t* device_bytes,
                              size_t* host_bytes) {
  if (c.handle && !host_bytes) return CUSOLVER_STATUS_INVALID_VALUE;
  return types.with(c, [&](auto type) {
    const cusolverStatus_t status = size_bytes(c, make(type), device_bytes);
    if (status == CUSOLVER_STATUS_SUCCESS) *host_bytes = 0;
    return status;
  });
}
template <class Make>
cusolverStatus_t run_generic(const call& c, const generic_types& types, Make&& make, void* work, size_t bytes,
                             int* info) {
  return types.with(c, [&](auto type) { return run_in(c, make(type), {work, bytes}, info, true); });
}
template <class Make>
cusolverStatus_t run_generic(const call& c, const generic_types& types, Make&& make, int* info) {
  return types.with(c, [&](auto type) { return run_in(c, make(type), {}, info, true); });
}
template <class Make>
cusolverStatus_t run_generic(const call& c, const generic_types& types, Make&& make, void* work, size_t bytes) {
  return types.with(c, [&](auto type) { return run_in(c, make(type), {work, bytes}, nullptr, false); });
}

}  // namespace cohort::cusolver

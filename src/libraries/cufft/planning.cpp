// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans from the arguments of a call: their checks, and the functions that make plans and estimate work areas.
#include <cufftXt.h>

#include <new>

#include "libraries/cufft/plan.hpp"

namespace cohort::cufft {
namespace {

struct named_type {
  cufftType name;
  transform_type type;
};
constexpr named_type named_types[] = {
    {CUFFT_C2C, {kind::complex_to_complex, number::single_precision}},
    {CUFFT_R2C, {kind::real_to_complex, number::single_precision}},
    {CUFFT_C2R, {kind::complex_to_real, number::single_precision}},
    {CUFFT_Z2Z, {kind::complex_to_complex, number::double_precision}},
    {CUFFT_D2Z, {kind::real_to_complex, number::double_precision}},
    {CUFFT_Z2D, {kind::complex_to_real, number::double_precision}},
};

struct number_type {
  number real;
  cudaDataType real_name, complex_name;
};
constexpr number_type number_types[] = {
    {number::half, CUDA_R_16F, CUDA_C_16F},
    {number::bfloat16, CUDA_R_16BF, CUDA_C_16BF},
    {number::single_precision, CUDA_R_32F, CUDA_C_32F},
    {number::double_precision, CUDA_R_64F, CUDA_C_64F},
};

bool find_type(cufftType name, transform_type* type) {
  for (const named_type& candidate : named_types) {
    if (candidate.name != name) continue;
    *type = candidate.type;
    return true;
  }
  return false;
}

bool find_type(cudaDataType in, cudaDataType out, cudaDataType execution, transform_type* type) {
  for (const number_type& candidate : number_types) {
    const cudaDataType complex = candidate.complex_name;
    if (execution != complex) continue;
    type->real = candidate.real;
    type->what = in == candidate.real_name    ? kind::real_to_complex
                 : out == candidate.real_name ? kind::complex_to_real
                                              : kind::complex_to_complex;
    return (in == complex || in == candidate.real_name) && (out == complex || out == candidate.real_name) &&
           !(in == candidate.real_name && out == candidate.real_name);
  }
  return false;
}

// The arguments of the functions named Many. `Index`: int or long long.
template <class Index>
struct many {
  int rank;
  const Index* n;
  const Index* in_embed;
  Index in_stride, in_distance;
  const Index* out_embed;
  Index out_stride, out_distance;
  Index batch;
};

// True if the offset of the array's last byte fits into int64_t.
bool fits(const array& a, size_t element) {
  int64_t last = 0;
  for (size_t d = 0; d < dimensions; ++d) {
    int64_t step = 0;
    if (__builtin_mul_overflow(a.extent[d] - 1, a.stride[d], &step) || __builtin_add_overflow(last, step, &last)) {
      return false;
    }
  }
  return last < INT64_MAX / static_cast<int64_t>(element) - 1;
}

// More elements exceed the address space.
constexpr double most_elements = 0x1p56;

bool is_power_of_two(int64_t n) { return (n & (n - 1)) == 0; }

cufftResult check_short_numbers(const transform& t, const char* name) {
  for (size_t d = 0; d < static_cast<size_t>(t.rank); ++d) {
    if (is_power_of_two(t.n[d])) continue;
    refuse(name, "transforms of half and bfloat16 have sizes that are powers of two");
    return CUFFT_NOT_SUPPORTED;
  }
  const bool real_strides =
      t.has_strides && ((has_real_input(t) && t.in.stride != 1) || (has_real_output(t) && t.out.stride != 1));
  if (!real_strides) return CUFFT_SUCCESS;
  refuse(name, "real arrays of half and bfloat16 have no strides");
  return CUFFT_NOT_SUPPORTED;
}

template <class Index>
bool read_strides(const many<Index>& m, const Index* embed, Index stride, Index distance, strides* s) {
  if (stride < 1 || (m.batch > 1 && distance < 0)) return false;
  double span = static_cast<double>(stride);
  for (size_t d = 1; d < static_cast<size_t>(m.rank); ++d) {  // the first embed has no meaning
    if (embed[d] < 1) return false;
    s->embed[d] = embed[d];
    span *= static_cast<double>(embed[d]);
  }
  if (span > most_elements) return false;
  s->stride = stride, s->distance = distance;
  return true;
}

// Checks the arguments and sets all of `t` but its type, which the caller sets.
template <class Index>
cufftResult read_transform(const many<Index>& m, const char* name, transform* t) {
  if (m.rank < 1 || m.rank > 3 || !m.n) return CUFFT_INVALID_VALUE;
  if (m.batch < 1) return CUFFT_INVALID_SIZE;
  t->rank = m.rank, t->batch = m.batch;
  double elements = static_cast<double>(m.batch);
  for (size_t d = 0; d < static_cast<size_t>(m.rank); ++d) {
    if (m.n[d] < 1) return CUFFT_INVALID_SIZE;
    t->n[d] = m.n[d];
    elements *= static_cast<double>(m.n[d]);
  }
  if (elements > most_elements) return CUFFT_INVALID_SIZE;
  // If inembed or onembed is null, both arrays are packed and all strides are ignored, as in cuFFT.
  t->has_strides = m.in_embed && m.out_embed;
  if (t->has_strides) {
    if (!read_strides(m, m.in_embed, m.in_stride, m.in_distance, &t->in)) return CUFFT_INVALID_VALUE;
    if (!read_strides(m, m.out_embed, m.out_stride, m.out_distance, &t->out)) return CUFFT_INVALID_VALUE;
  }
  const transform_arrays arrays = arrays_of(*t, false);
  if (!fits(arrays.in, element_size(*t, false)) || !fits(arrays.out, element_size(*t, false))) {
    return CUFFT_INVALID_SIZE;
  }
  const bool is_short = t->type.real == number::half || t->type.real == number::bfloat16;
  return is_short ? check_short_numbers(*t, name) : CUFFT_SUCCESS;
}

template <class Index>
many<Index> packed_arguments(int rank, const Index* n, Index batch) {
  return {rank, n, nullptr, 1, 1, nullptr, 1, 1, batch};
}

template <class Index>
cufftResult make(cufftHandle handle, const char* name, const transform_type& type, const many<Index>& m, size_t* size) {
  const std::shared_ptr<plan> p = find_plan(handle);
  if (!p || p->made) return CUFFT_INVALID_PLAN;
  try {
    transform t{};
    t.type = type;
    if (const cufftResult status = read_transform(m, name, &t); status != CUFFT_SUCCESS) return status;
    p->made = std::make_shared<const transform>(t);
  } catch (const std::bad_alloc&) {
    return CUFFT_ALLOC_FAILED;
  }
  *size = work_size(*p);
  return CUFFT_SUCCESS;
}

// Writes the size of the work area that a plan of these arguments would have, without making the plan.
template <class Index>
cufftResult estimate(const char* name, const transform_type& type, const many<Index>& m, size_t* size) {
  transform t{};
  t.type = type;
  if (const cufftResult status = read_transform(m, name, &t); status != CUFFT_SUCCESS) return status;
  *size = work_size(t);
  return CUFFT_SUCCESS;
}

// The checks of a call that writes the size of a work area, then `use(type)`.
template <class Use>
cufftResult with_type(cufftType name, const size_t* size, const Use& use) {
  transform_type type{};
  if (!size) return CUFFT_INVALID_VALUE;
  return find_type(name, &type) ? use(type) : CUFFT_INVALID_TYPE;
}

template <class Index>
cufftResult make(cufftHandle handle, const char* name, cufftType type_name, const many<Index>& m, size_t* size) {
  return with_type(type_name, size, [&](const transform_type& type) { return make(handle, name, type, m, size); });
}
template <class Index>
cufftResult estimate(const char* name, cufftType type_name, const many<Index>& m, size_t* size) {
  return with_type(type_name, size, [&](const transform_type& type) { return estimate(name, type, m, size); });
}
template <class Index>
cufftResult get_size(cufftHandle handle, const char* name, cufftType type_name, const many<Index>& m, size_t* size) {
  return with_type(type_name, size, [&](const transform_type& type) {
    return find_plan(handle) ? estimate(name, type, m, size) : CUFFT_INVALID_PLAN;
  });
}

// Creates a handle and makes its plan. If the plan cannot be made, the handle is destroyed and not returned.
template <class Index>
cufftResult create_and_make(cufftHandle* handle, const char* name, cufftType type, const many<Index>& m) {
  cufftHandle created = CUFFT_PLAN_NULL;
  if (!handle) return CUFFT_INVALID_VALUE;
  if (const cufftResult status = create_plan(&created); status != CUFFT_SUCCESS) return status;
  size_t size = 0;
  const cufftResult status = make(created, name, type, m, &size);
  if (status == CUFFT_SUCCESS) {
    *handle = created;
  } else {
    destroy_plan(created);
  }
  return status;
}

}  // namespace
}  // namespace cohort::cufft

using namespace cohort::cufft;

// The arguments of a function named Many, in the order of its declaration.
#define COHORT_MANY {rank, n, inembed, istride, idist, onembed, ostride, odist, batch}

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and_make(plan, "cufftPlan1d", type, packed_arguments(1, &nx, batch));
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny};
  return create_and_make(plan, "cufftPlan2d", type, packed_arguments(2, n, 1));
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz};
  return create_and_make(plan, "cufftPlan3d", type, packed_arguments(3, n, 1));
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  return create_and_make(plan, "cufftPlanMany", type, many<int> COHORT_MANY);
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return make(plan, "cufftMakePlan1d", type, packed_arguments(1, &nx, batch), size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  const int n[] = {nx, ny};
  return make(plan, "cufftMakePlan2d", type, packed_arguments(2, n, 1), size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* size) {
  const int n[] = {nx, ny, nz};
  return make(plan, "cufftMakePlan3d", type, packed_arguments(3, n, 1), size);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* size) {
  return make(plan, "cufftMakePlanMany", type, many<int> COHORT_MANY, size);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, long long* onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t* size) {
  return make(plan, "cufftMakePlanMany64", type, many<long long> COHORT_MANY, size);
}
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType in_type, long long* onembed, long long ostride,
                                long long odist, cudaDataType out_type, long long batch, size_t* size,
                                cudaDataType execution_type) {
  transform_type type{};
  if (!size) return CUFFT_INVALID_VALUE;
  if (!find_type(in_type, out_type, execution_type, &type)) return CUFFT_INVALID_TYPE;
  return make(plan, "cufftXtMakePlanMany", type, many<long long> COHORT_MANY, size);
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* size) {
  return estimate("cufftEstimate1d", type, packed_arguments(1, &nx, batch), size);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* size) {
  const int n[] = {nx, ny};
  return estimate("cufftEstimate2d", type, packed_arguments(2, n, 1), size);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* size) {
  const int n[] = {nx, ny, nz};
  return estimate("cufftEstimate3d", type, packed_arguments(3, n, 1), size);
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                              int odist, cufftType type, int batch, size_t* size) {
  return estimate("cufftEstimateMany", type, many<int> COHORT_MANY, size);
}

cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return get_size(plan, "cufftGetSize1d", type, packed_arguments(1, &nx, batch), size);
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  const int n[] = {nx, ny};
  return get_size(plan, "cufftGetSize2d", type, packed_arguments(2, n, 1), size);
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* size) {
  const int n[] = {nx, ny, nz};
  return get_size(plan, "cufftGetSize3d", type, packed_arguments(3, n, 1), size);
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                             int ostride, int odist, cufftType type, int batch, size_t* size) {
  return get_size(plan, "cufftGetSizeMany", type, many<int> COHORT_MANY, size);
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                               long long idist, long long* onembed, long long ostride, long long odist, cufftType type,
                               long long batch, size_t* size) {
  return get_size(plan, "cufftGetSizeMany64", type, many<long long> COHORT_MANY, size);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                               long long idist, cudaDataType in_type, long long* onembed, long long ostride,
                               long long odist, cudaDataType out_type, long long batch, size_t* size,
                               cudaDataType execution_type) {
  transform_type type{};
  if (!size) return CUFFT_INVALID_VALUE;
  if (!find_type(in_type, out_type, execution_type, &type)) return CUFFT_INVALID_TYPE;
  if (!find_plan(plan)) return CUFFT_INVALID_PLAN;
  return estimate("cufftXtGetSizeMany", type, many<long long> COHORT_MANY, size);
}

}  // extern "C"

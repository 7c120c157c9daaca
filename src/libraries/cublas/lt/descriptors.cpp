// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLt's descriptors: an attribute is a row of a table with the place of its value.
#include "libraries/cublas/lt/descriptors.hpp"

#include <cstddef>
#include <cstring>
#include <span>

#include "libraries/cublas/call.hpp"

namespace cohort::cublas {

namespace {

struct attribute_row {
  int attribute;
  size_t offset, bytes;
};

#define COHORT_ATTRIBUTE(name, type, member) {name, offsetof(type, member), sizeof(type::member)}
constexpr attribute_row layout_rows[] = {
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, layout, type),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, layout, order),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, layout, rows),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, layout, columns),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, layout, ld),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, layout, batch_count),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, layout, batch_stride),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, layout, plane_offset),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, layout, batch_mode),
};
constexpr attribute_row matmul_rows[] = {
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, matmul, compute),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, matmul, scale_type),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, matmul, pointer_mode),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, matmul, transa),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, matmul, transb),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, matmul, transc),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FILL_MODE, matmul, fill_mode),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, matmul, epilogue),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, matmul, bias),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, matmul, bias_stride),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, matmul, aux),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, matmul, aux_ld),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, matmul, aux_stride),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, matmul, alpha_stride),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, matmul, sm_count),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, matmul, a_scale),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, matmul, b_scale),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, matmul, c_scale),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, matmul, d_scale),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, matmul, amax_d),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, matmul, aux_type),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FAST_ACCUM, matmul, fast_accumulation),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, matmul, bias_type),
};
constexpr attribute_row transform_rows[] = {
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, transform, scale_type),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, transform, pointer_mode),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, transform, transa),
    COHORT_ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, transform, transb),
};
constexpr attribute_row preference_rows[] = {
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_SEARCH_MODE, preference, search_mode),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, preference, workspace_bytes),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, preference, reduction_schemes),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, preference, alignment_a),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, preference, alignment_b),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, preference, alignment_c),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, preference, alignment_d),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, preference, waves),
    COHORT_ATTRIBUTE(CUBLASLT_MATMUL_PREF_IMPL_MASK, preference, implementations),
};
#undef COHORT_ATTRIBUTE

const attribute_row* find_row(std::span<const attribute_row> rows, int attribute) {
  for (const attribute_row& row : rows) {
    if (row.attribute == attribute) return &row;
  }
  return nullptr;
}

cublasStatus_t set_attribute(std::span<const attribute_row> rows, void* descriptor, int attribute, const void* value,
                             size_t bytes) {
  const attribute_row* const row = find_row(rows, attribute);
  if (!descriptor || !value || !row || bytes != row->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<char*>(descriptor) + row->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_attribute(std::span<const attribute_row> rows, const void* descriptor, int attribute, void* value,
                             size_t bytes, size_t* written) {
  const attribute_row* const row = find_row(rows, attribute);
  if (!descriptor || !row || (bytes == 0 && !written) || (bytes != 0 && (!value || bytes < row->bytes))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (written) *written = row->bytes;
  if (bytes != 0) std::memcpy(value, static_cast<const char*>(descriptor) + row->offset, row->bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Contents, class Descriptor>
cublasStatus_t initialize(Descriptor* descriptor, const Contents& contents) {
  if (!descriptor) return CUBLAS_STATUS_INVALID_VALUE;
  *descriptor = Descriptor{};
  contents_of<Contents>(descriptor) = contents;
  return CUBLAS_STATUS_SUCCESS;
}
template <class Contents, class Descriptor>
cublasStatus_t create(Descriptor** descriptor, const Contents& contents) {
  const cublasStatus_t status = statuses.create(descriptor);
  return status == CUBLAS_STATUS_SUCCESS ? initialize(*descriptor, contents) : status;
}
// Refuses a descriptor that is destroyed already, or that the program holds by value.
template <class Descriptor>
cublasStatus_t destroy(Descriptor* descriptor) {
  return descriptor ? statuses.destroy(descriptor, CUBLAS_STATUS_INVALID_VALUE) : CUBLAS_STATUS_SUCCESS;
}

layout new_layout(cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  layout fresh{};
  fresh.type = type;
  fresh.order = CUBLASLT_ORDER_COL;
  fresh.rows = rows;
  fresh.columns = columns;
  fresh.ld = ld;
  fresh.batch_count = 1;
  return fresh;
}
matmul new_matmul(cublasComputeType_t compute, cudaDataType scale) {
  matmul fresh{};
  fresh.compute = compute;
  fresh.scale_type = scale;
  fresh.fill_mode = CUBLAS_FILL_MODE_FULL;
  fresh.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  fresh.aux_type = fresh.bias_type = no_type;
  return fresh;
}
transform new_transform(cudaDataType scale) {
  transform fresh{};
  fresh.scale_type = scale;
  return fresh;
}
preference new_preference() {
  preference fresh{};
  fresh.reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  fresh.alignment_a = fresh.alignment_b = fresh.alignment_c = fresh.alignment_d = 256;
  fresh.implementations = ~uint64_t{0};
  return fresh;
}

}  // namespace

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

#define COHORT_DESCRIPTOR(kind, descriptor, attribute, rows)                                                    \
  cublasStatus_t cublasLt##kind##Destroy(descriptor d) { return destroy(d); }                                   \
  cublasStatus_t cublasLt##kind##SetAttribute(descriptor d, attribute which, const void* value, size_t bytes) { \
    return set_attribute(rows, d, which, value, bytes);                                                         \
  }                                                                                                             \
  cublasStatus_t cublasLt##kind##GetAttribute(descriptor d, attribute which, void* value, size_t bytes,         \
                                              size_t* written) {                                                \
    return get_attribute(rows, d, which, value, bytes, written);                                                \
  }
COHORT_DESCRIPTOR(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, layout_rows)
COHORT_DESCRIPTOR(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, matmul_rows)
COHORT_DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescAttributes_t,
                  transform_rows)
COHORT_DESCRIPTOR(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, preference_rows)
#undef COHORT_DESCRIPTOR

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t d, cudaDataType type, uint64_t rows, uint64_t columns,
                                        int64_t ld) {
  return initialize(d, new_layout(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* d, cudaDataType type, uint64_t rows, uint64_t columns,
                                          int64_t ld) {
  return create(d, new_layout(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute, cudaDataType scale) {
  return initialize(d, new_matmul(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute, cudaDataType scale) {
  return create(d, new_matmul(compute, scale));
}
cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t d, cudaDataType scale) {
  return initialize(d, new_transform(scale));
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* d, cudaDataType scale) {
  return create(d, new_transform(scale));
}
cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t d) { return initialize(d, new_preference()); }
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* d) { return create(d, new_preference()); }

}  // extern "C"

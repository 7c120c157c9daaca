// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the descriptor of a matrix whose arrays are arguments of a call.
#include "libraries/cusparse/matrix_settings.hpp"

#include <cusparse.h>

namespace {

template <class Field>
cusparseStatus_t set(cusparseMatDescr_t descr, Field cusparseMatDescr::* field, Field value, Field last) {
  if (!descr || value < Field() || value > last) return CUSPARSE_STATUS_INVALID_VALUE;
  descr->*field = value;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr) { return cohort::cusparse::statuses.create(descr); }
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) { return cohort::cusparse::destroy(descr); }
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type) {
  return set(descr, &cusparseMatDescr::type, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill_mode) {
  return set(descr, &cusparseMatDescr::fill, fill_mode, CUSPARSE_FILL_MODE_UPPER);
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diag_type) {
  return set(descr, &cusparseMatDescr::diagonal, diag_type, CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base) {
  return set(descr, &cusparseMatDescr::base, base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr) { return descr->type; }
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr) { return descr->fill; }
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr) { return descr->diagonal; }
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr) { return descr->base; }

}  // extern "C"

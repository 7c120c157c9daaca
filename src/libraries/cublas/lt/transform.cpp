// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLtMatrixTransform: sums of matrices, which change their order and their type.
#include <cublasLt.h>

#include "libraries/cublas/lt/descriptors.hpp"
#include "libraries/cublas/lt/floats.hpp"
#include "libraries/cublas/typed_products.hpp"

namespace cohort::cublas {

namespace {

using byte = unsigned char;

constexpr const char* name = "cublasLtMatrixTransform";

bool is_float(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF; }

const char* reason_against(const transform& t, const layout& l) {
  if (t.scale_type != CUDA_R_32F || !is_float(l.type)) return "types other than float, half and bfloat16";
  if (t.pointer_mode != CUBLASLT_POINTER_MODE_HOST && t.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
    return "vectors of alpha";
  }
  if (l.order != CUBLASLT_ORDER_COL && l.order != CUBLASLT_ORDER_ROW) return "orders other than COL and ROW";
  return l.batch_mode != CUBLASLT_BATCH_MODE_STRIDED ? "batches of pointers" : nullptr;
}

int64_t place(const layout& l, int64_t row, int64_t column) {
  return l.order == CUBLASLT_ORDER_ROW ? column + row * l.ld : row + column * l.ld;
}
memory_rows memory_of(const layout& l, const void* at) {
  const bool has_rows = l.order == CUBLASLT_ORDER_ROW;
  return typed_matrix(at, l.type, static_cast<int64_t>(has_rows ? l.columns : l.rows),
                      static_cast<int64_t>(has_rows ? l.rows : l.columns), l.ld);
}

// A matrix of the sum. Null: it is missing.
struct term {
  const byte* at;
  layout l;
  bool transposes;
  float factor;

  float element(int64_t row, int64_t column) const {
    return factor * load_float(l.type, at, transposes ? place(l, column, row) : place(l, row, column));
  }
};

bool fits(const layout& l, int32_t op, const layout& result) {
  const bool plain = op == CUBLAS_OP_N;
  const uint64_t lines = l.order == CUBLASLT_ORDER_ROW ? l.columns : l.rows;
  return (plain ? l.rows : l.columns) == result.rows && (plain ? l.columns : l.rows) == result.columns &&
         l.ld >= static_cast<int64_t>(lines) && l.batch_count == result.batch_count;
}

}  // namespace

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t operation,
                                       const void* alpha, const void* a, cublasLtMatrixLayout_t layouta,
                                       const void* beta, const void* b, cublasLtMatrixLayout_t layoutb, void* c,
                                       cublasLtMatrixLayout_t layoutc, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!operation || !layoutc || !c || (!a && !b) || (a && (!layouta || !alpha)) || (b && (!layoutb || !beta))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const transform t = contents_of<transform>(operation);
  const layout lc = contents_of<layout>(layoutc), la = a ? contents_of<layout>(layouta) : lc,
               lb = b ? contents_of<layout>(layoutb) : lc;
  for (const layout* l : {&la, &lb, &lc}) {
    if (const char* const reason = reason_against(t, *l)) return refuse(name, reason);
  }
  if (!fits(lc, CUBLAS_OP_N, lc) || (a && !fits(la, t.transa, lc)) || (b && !fits(lb, t.transb, lc))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  log_call(name);
  cublasContext context;
  context.stream = stream;
  const bool in_host = t.pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  const float none = 0;
  const typed_factor fa(in_host || !a, CUDA_R_32F, a ? alpha : &none);
  const typed_factor fb(in_host || !b, CUDA_R_32F, b ? beta : &none);
  const double cost = static_cast<double>(lc.rows) * static_cast<double>(lc.columns) * lc.batch_count;
  return submit({&context, name}, cost, false, [=](memory_accesses& memory) {
    const float by_a = fa.read(memory).f, by_b = fb.read(memory).f;
    for (int32_t i = 0; i < lc.batch_count; ++i) {
      const auto part = [i](const void* at, const layout& l) {
        return static_cast<const byte*>(at) + i * l.batch_stride * static_cast<int64_t>(size_of(l.type));
      };
      const term left{by_a != 0 ? part(a, la) : nullptr, la, t.transa != CUBLAS_OP_N, by_a};
      const term right{by_b != 0 ? part(b, lb) : nullptr, lb, t.transb != CUBLAS_OP_N, by_b};
      auto* const result = const_cast<byte*>(part(c, lc));
      if (left.at) memory.reads(memory_of(la, left.at), "A");
      if (right.at) memory.reads(memory_of(lb, right.at), "B");
      if (!memory.writes(memory_of(lc, result), "C")) return;
      for (int64_t column = 0; column < static_cast<int64_t>(lc.columns); ++column) {
        for (int64_t row = 0; row < static_cast<int64_t>(lc.rows); ++row) {
          const float sum = (left.at ? left.element(row, column) : 0) + (right.at ? right.element(row, column) : 0);
          store_float(lc.type, result, place(lc, row, column), sum);
        }
      }
    }
  });
}

}  // extern "C"

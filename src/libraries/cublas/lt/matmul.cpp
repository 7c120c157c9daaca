// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLtMatmul and its epilogues.
#include <cublasLt.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "libraries/cublas/lt/descriptors.hpp"
#include "libraries/cublas/lt/floats.hpp"
#include "libraries/cublas/typed_products.hpp"

namespace cohort::cublas {

namespace {

using byte = unsigned char;

constexpr const char* name = "cublasLtMatmul";

// Parts of an epilogue: the values of cublasLtEpilogue_t are sums of these.
enum epilogue_part : uint32_t {
  relu = 2,
  bias = 4,
  drelu = 8,
  bias_gradient = 16,
  gelu = 32,
  dgelu = 64,
  aux = 128,
  gradient_a = 256,
  gradient_b = 512,
};

bool is_epilogue(uint32_t value) {
  switch (value) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_RELU_AUX:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DRELU:
    case CUBLASLT_EPILOGUE_DRELU_BGRAD:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB:
      return true;
    default:
      return false;
  }
}

// A product of cublasLt. Its matrices are columns in memory; a matrix of rows is the transpose of one of columns, so a
// result of rows is computed as the product of the transposes.
struct plan {
  const product_types* types;
  matmul operation;
  layout a, b, c, d;
  gemm_shape shape;  // the shape of the product of columns
  int64_t m, n, k;   // D has m rows and n columns
  bool turns_result;

  // The place of an element of D, and of a matrix with the order of D.
  int64_t place(int64_t row, int64_t column, int64_t ld) const {
    return turns_result ? column + row * ld : row + column * ld;
  }
  bool uses_transpose(const layout& l, int32_t op) const {
    return (op != CUBLAS_OP_N) != (l.order == CUBLASLT_ORDER_ROW);
  }
};

const char* reason_against(const matmul& o, const layout& a, const layout& b, const layout& c, const layout& d) {
  for (const layout* l : {&a, &b, &c, &d}) {
    if (l->order != CUBLASLT_ORDER_COL && l->order != CUBLASLT_ORDER_ROW) return "orders other than COL and ROW";
    if (l->batch_mode != CUBLASLT_BATCH_MODE_STRIDED) return "batches of pointers";
    if (l->plane_offset != 0) return "planes of complex numbers";
  }
  if (c.order != d.order) return "C and D of different orders";
  if (o.pointer_mode != CUBLASLT_POINTER_MODE_HOST && o.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
    return "vectors of alpha";
  }
  if (o.transc != CUBLAS_OP_N || o.fill_mode != CUBLAS_FILL_MODE_FULL) return "a transposed C, or one triangle of D";
  if (o.a_scale || o.b_scale || o.c_scale || o.d_scale || o.amax_d) return "scales of matrices";
  const bool has_rows = a.order == CUBLASLT_ORDER_ROW || b.order == CUBLASLT_ORDER_ROW || d.order == CUBLASLT_ORDER_ROW;
  const bool is_complex = a.type == CUDA_C_32F || a.type == CUDA_C_64F || a.type == CUDA_C_8I;
  if (has_rows && is_complex && (o.transa == CUBLAS_OP_C || o.transb == CUBLAS_OP_C)) {
    return "conjugate transposes of matrices of rows";
  }
  return nullptr;
}

// Rows of a layout that lie one after the other in memory.
int64_t length(const layout& l) { return static_cast<int64_t>(l.order == CUBLASLT_ORDER_ROW ? l.columns : l.rows); }

bool has_float_results(const product_types& types) {
  return (types.scale == CUDA_R_32F || types.scale == CUDA_R_16F) && types.ab != CUDA_R_8I;
}

cublasStatus_t make_plan(const matmul& o, const layout& a, const layout& b, const layout& c, const layout& d,
                         plan* made) {
  plan p{nullptr, o, a, b, c, d, {}, static_cast<int64_t>(d.rows), static_cast<int64_t>(d.columns), 0, false};
  const auto is_op = [](int32_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; };
  const bool plain_a = o.transa == CUBLAS_OP_N, plain_b = o.transb == CUBLAS_OP_N;
  p.k = static_cast<int64_t>(plain_a ? a.columns : a.rows);
  const auto rows_a = static_cast<int64_t>(plain_a ? a.rows : a.columns);
  const auto rows_b = static_cast<int64_t>(plain_b ? b.rows : b.columns);
  const auto columns_b = static_cast<int64_t>(plain_b ? b.columns : b.rows);
  if (!is_op(o.transa) || !is_op(o.transb) || !is_epilogue(o.epilogue)) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows_a != p.m || rows_b != p.k || columns_b != p.n || c.rows != d.rows || c.columns != d.columns) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  for (const layout* l : {&a, &b, &c, &d}) {
    if (l->ld < length(*l) || l->batch_count != d.batch_count || l->batch_count < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (l->ld > INT32_MAX || l->rows > INT32_MAX || l->columns > INT32_MAX) {
      return refuse(name, "OpenBLAS has no sizes of more than 31 bits");
    }
  }
  if (const char* const reason = reason_against(o, a, b, c, d)) return refuse(name, reason);
  p.types = find_product_types(static_cast<cublasComputeType_t>(o.compute), a.type, b.type, d.type);
  if (!p.types || c.type != d.type || p.types->scale != o.scale_type) {
    return refuse(name, "cuBLAS has no product of these types (cublasGemmEx() in its guide lists them)");
  }
  if (o.epilogue != CUBLASLT_EPILOGUE_DEFAULT && !has_float_results(*p.types)) {
    return refuse(name, "epilogues of numbers other than float, half and bfloat16");
  }
  const auto op_of = [](bool transposes, int32_t op) {
    return !transposes ? CUBLAS_OP_N : op == CUBLAS_OP_C ? CUBLAS_OP_C : CUBLAS_OP_T;
  };
  const bool turn_a = p.uses_transpose(a, o.transa), turn_b = p.uses_transpose(b, o.transb);
  p.turns_result = d.order == CUBLASLT_ORDER_ROW;
  p.shape = p.turns_result
                ? gemm_shape{op_of(!turn_b, o.transb), op_of(!turn_a, o.transa), p.n, p.m, p.k, b.ld, a.ld, d.ld}
                : gemm_shape{op_of(turn_a, o.transa), op_of(turn_b, o.transb), p.m, p.n, p.k, a.ld, b.ld, d.ld};
  *made = p;
  return CUBLAS_STATUS_SUCCESS;
}

// GELU, in its approximation by the hyperbolic tangent, as on a GPU, and the derivative of that.
constexpr float root_two_over_pi = 0.7978845608f, cubic = 0.044715f;
float gelu_of(float x) { return 0.5f * x * (1 + std::tanh(root_two_over_pi * (x + cubic * x * x * x))); }
float gelu_slope(float x) {
  const float t = std::tanh(root_two_over_pi * (x + cubic * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * root_two_over_pi * (1 + 3 * cubic * x * x);
}

// The addresses of one product of a batch.
struct operands {
  const byte *a, *b, *c;
  byte *d, *bias, *aux;
};

cudaDataType type_or(int32_t type, cudaDataType otherwise) {
  return type == no_type ? otherwise : static_cast<cudaDataType>(type);
}

// Applies the epilogue to one element. Reads and writes the auxiliary matrix.
float apply_epilogue(const plan& p, const operands& at, int64_t row, int64_t column, float value) {
  const uint32_t parts = p.operation.epilogue;
  const cudaDataType aux_type = type_or(p.operation.aux_type, p.d.type);
  const int64_t place = p.place(row, column, p.operation.aux_ld);
  if (parts & bias) value += load_float(type_or(p.operation.bias_type, p.d.type), at.bias, row);
  if (parts & relu) {
    if (parts & aux) {
      const auto bit = static_cast<byte>(1u << (place % 8));
      at.aux[place / 8] = static_cast<byte>(value > 0 ? at.aux[place / 8] | bit : at.aux[place / 8] & ~bit);
    }
    // a NaN fails this comparison and stays
    return value < 0 ? 0 : value;
  }
  if (parts & gelu) {
    if (parts & aux) store_float(aux_type, at.aux, place, value);
    return gelu_of(value);
  }
  if (parts & drelu) return at.aux[place / 8] >> (place % 8) & 1 ? value : 0;
  if (parts & dgelu) return value * gelu_slope(load_float(aux_type, at.aux, place));
  return value;
}

// Sums of op(A) by rows or of op(B) by columns.
void store_input_gradient(const plan& p, const operands& at) {
  const bool of_a = p.operation.epilogue == CUBLASLT_EPILOGUE_BGRADA;
  const layout& l = of_a ? p.a : p.b;
  const bool turns = p.uses_transpose(l, of_a ? p.operation.transa : p.operation.transb);
  for (int64_t i = 0; i < (of_a ? p.m : p.n); ++i) {
    float sum = 0;
    for (int64_t k = 0; k < p.k; ++k) {
      const int64_t row = of_a ? i : k, column = of_a ? k : i;
      sum += load_float(l.type, of_a ? at.a : at.b, turns ? column + row * l.ld : row + column * l.ld);
    }
    store_float(type_or(p.operation.bias_type, p.d.type), at.bias, i, sum);
  }
}

float float_of(const product_types& types, const any_factor& f) {
  return types.scale == CUDA_R_16F ? __half2float(f.h) : f.f;
}

void multiply_with_epilogue(const plan& p, const operands& at, const any_factor& alpha, const any_factor& beta) {
  product_types in_float = *p.types;
  in_float.c = in_float.scale = CUDA_R_32F;
  gemm_shape dense = p.shape;
  dense.ldc = dense.m;
  any_factor by, none;
  by.f = float_of(*p.types, alpha);
  const float add = float_of(*p.types, beta);
  std::vector<float> product(static_cast<size_t>(dense.m * dense.n));
  multiply_typed(in_float, dense, by, p.turns_result ? at.b : at.a, p.turns_result ? at.a : at.b, none, product.data());
  std::vector<float> gradient(static_cast<size_t>(p.m));
  for (int64_t column = 0; column < p.n; ++column) {
    for (int64_t row = 0; row < p.m; ++row) {
      float value = product[static_cast<size_t>(p.place(row, column, dense.m))];
      if (add != 0) value += add * load_float(p.c.type, at.c, p.place(row, column, p.c.ld));
      value = apply_epilogue(p, at, row, column, value);
      gradient[static_cast<size_t>(row)] += value;
      store_float(p.d.type, at.d, p.place(row, column, p.d.ld), value);
    }
  }
  if (p.operation.epilogue & bias_gradient) {
    const cudaDataType type = type_or(p.operation.bias_type, p.d.type);
    for (int64_t row = 0; row < p.m; ++row) store_float(type, at.bias, row, gradient[static_cast<size_t>(row)]);
  }
  if (p.operation.epilogue & (gradient_a | gradient_b)) store_input_gradient(p, at);
}

// Copies C to D, before the product is added to D.
void copy_c(const plan& p, const operands& at) {
  const size_t bytes = size_of(p.d.type);
  const int64_t rows = length(p.d), columns = p.turns_result ? p.m : p.n;
  for (int64_t i = 0; i < columns; ++i) {
    std::memmove(at.d + static_cast<size_t>(i * p.d.ld) * bytes, at.c + static_cast<size_t>(i * p.c.ld) * bytes,
                 static_cast<size_t>(rows) * bytes);
  }
}

memory_rows memory_of(const layout& l, const void* at) {
  const auto lines = static_cast<int64_t>(l.order == CUBLASLT_ORDER_ROW ? l.rows : l.columns);
  return typed_matrix(at, l.type, length(l), lines, l.ld);
}

void report(memory_accesses& memory, const plan& p, const operands& at, bool multiplies, bool adds) {
  if (multiplies) {
    memory.reads(memory_of(p.a, at.a), "A");
    memory.reads(memory_of(p.b, at.b), "B");
  }
  if (adds) memory.reads(memory_of(p.c, at.c), "C");
  memory.writes(memory_of(p.d, at.d), "D");
  const uint32_t parts = p.operation.epilogue;
  const auto bias_bytes = [&](int64_t count) {
    const size_t bytes = size_of(type_or(p.operation.bias_type, p.d.type));
    return libraries::bytes_at(at.bias, static_cast<size_t>(count) * bytes);
  };
  if (parts & bias) memory.reads(bias_bytes(p.m), "CUBLASLT_MATMUL_DESC_BIAS_POINTER");
  if (parts & (bias_gradient | gradient_a)) memory.writes(bias_bytes(p.m), "CUBLASLT_MATMUL_DESC_BIAS_POINTER");
  if (parts & gradient_b) memory.writes(bias_bytes(p.n), "CUBLASLT_MATMUL_DESC_BIAS_POINTER");
  if (!(parts & aux)) return;
  const auto lines = static_cast<size_t>(p.turns_result ? p.m : p.n);
  const auto ld = static_cast<size_t>(p.operation.aux_ld), rows = static_cast<size_t>(length(p.d));
  const size_t element = size_of(type_or(p.operation.aux_type, p.d.type));
  const memory_rows all = parts & (relu | drelu) ? memory_rows{at.aux, (rows + 7) / 8, ld / 8, lines}
                                                 : memory_rows{at.aux, rows * element, ld * element, lines};
  const char* const argument = "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER";
  parts&(drelu | dgelu) ? memory.reads(all, argument) : memory.writes(all, argument);
}

cublasStatus_t check_pointers(const plan& p, const void* bias_at, const void* aux_at) {
  const uint32_t parts = p.operation.epilogue;
  const bool is_mask = parts & (relu | drelu);
  if ((parts & (bias | bias_gradient | gradient_a | gradient_b)) && !bias_at) return CUBLAS_STATUS_INVALID_VALUE;
  if (!(parts & aux)) return CUBLAS_STATUS_SUCCESS;
  // The leading dimension of a mask, which has one bit for each element, is a multiple of 16 bytes.
  if (!aux_at || p.operation.aux_ld < length(p.d) || (is_mask && p.operation.aux_ld % 128 != 0)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

}  // namespace cohort::cublas

using namespace cohort::cublas;

extern "C" {

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t layouta, const void* b, cublasLtMatrixLayout_t layoutb,
                              const void* beta, const void* c, cublasLtMatrixLayout_t layoutc, void* d,
                              cublasLtMatrixLayout_t layoutd, const cublasLtMatmulAlgo_t*, void*, size_t,
                              cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!operation || !alpha || !beta || !layouta || !layoutb || !layoutc || !layoutd) return CUBLAS_STATUS_INVALID_VALUE;
  const matmul& o = contents_of<matmul>(operation);
  plan p{};
  cublasStatus_t status = make_plan(o, contents_of<layout>(layouta), contents_of<layout>(layoutb),
                                    contents_of<layout>(layoutc), contents_of<layout>(layoutd), &p);
  if (status == CUBLAS_STATUS_SUCCESS) status = check_pointers(p, o.bias, o.aux);
  if (status != CUBLAS_STATUS_SUCCESS || p.m == 0 || p.n == 0) return status;
  if (c == d && p.c.ld != p.d.ld) return CUBLAS_STATUS_INVALID_VALUE;
  log_call(name);
  cublasContext context;
  context.stream = stream;
  const bool in_host = o.pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  const typed_factor fa(in_host, p.types->scale, alpha), fb(in_host, p.types->scale, beta);
  const double cost = p.shape.cost() * p.d.batch_count;
  return submit({&context, name}, cost, false, [=](memory_accesses& memory) {
    const any_factor by_a = fa.read(memory), by_b = fb.read(memory);
    const bool adds = !is_zero_factor(p.types->scale, by_b);
    for (int32_t i = 0; i < p.d.batch_count; ++i) {
      const auto offset = [i](const layout& l) { return i * l.batch_stride * static_cast<int64_t>(size_of(l.type)); };
      const size_t bias_bytes = size_of(type_or(p.operation.bias_type, p.d.type));
      const size_t aux_bytes = size_of(type_or(p.operation.aux_type, p.d.type));
      const bool is_mask = p.operation.epilogue & (relu | drelu);
      const int64_t aux_offset = i * p.operation.aux_stride;
      const operands at{
          static_cast<const byte*>(a) + offset(p.a),
          static_cast<const byte*>(b) + offset(p.b),
          static_cast<const byte*>(c) + offset(p.c),
          static_cast<byte*>(d) + offset(p.d),
          static_cast<byte*>(p.operation.bias) + i * p.operation.bias_stride * static_cast<int64_t>(bias_bytes),
          static_cast<byte*>(p.operation.aux) +
              (is_mask ? aux_offset / 8 : aux_offset * static_cast<int64_t>(aux_bytes))};
      report(memory, p, at, p.k > 0 && !is_zero_factor(p.types->scale, by_a), adds);
      if (memory.error() != cudaSuccess) return;
      if (p.operation.epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
        multiply_with_epilogue(p, at, by_a, by_b);
      } else {
        if (adds && c != d) copy_c(p, at);
        multiply_typed(*p.types, p.shape, by_a, p.turns_result ? at.b : at.a, p.turns_result ? at.a : at.b, by_b, at.d);
      }
    }
  });
}

// One algorithm serves all products, without work space.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t layouta, cublasLtMatrixLayout_t layoutb,
                                              cublasLtMatrixLayout_t layoutc, cublasLtMatrixLayout_t layoutd,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int* returned) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!operation || !layouta || !layoutb || !layoutc || !layoutd || !preference || requested < 1 || !results ||
      !returned) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *returned = 0;
  plan p{};
  const cublasStatus_t status =
      make_plan(contents_of<matmul>(operation), contents_of<layout>(layouta), contents_of<layout>(layoutb),
                contents_of<layout>(layoutc), contents_of<layout>(layoutd), &p);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

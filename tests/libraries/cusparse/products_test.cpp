// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpMV and SpMM: all formats, combinations of types, operations, index types and bases.
#include <cmath>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

constexpr types matrix_types[] = {
    {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},    {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},    {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},    {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
    {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F}, {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
    {CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_32F},    {CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F},
};
constexpr types vector_only_types[] = {
    {CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
};

const sparse_form forms[] = {
    {CUSPARSE_FORMAT_CSR},
    {CUSPARSE_FORMAT_CSR, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_CSC, CUDA_R_32F, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_CSC, CUDA_R_32F, CUSPARSE_INDEX_64I},
    {CUSPARSE_FORMAT_COO},
    {CUSPARSE_FORMAT_COO, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_ORDER_ROW, true},
    {CUSPARSE_FORMAT_BSR},
    {CUSPARSE_FORMAT_BSR, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_ORDER_COL},
    {CUSPARSE_FORMAT_SLICED_ELLPACK},
    {CUSPARSE_FORMAT_SLICED_ELLPACK, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE},
};

class Products : public CusparseTest {
 protected:
  // Old elements of a result: NaN where beta is 0, because the operation must not read them.
  matrix old_result(cudaDataType type, int64_t rows, int64_t columns, number beta) {
    matrix made = random_dense(type, rows, columns);
    if (beta == number(0) && type != CUDA_R_32I) std::fill(made.values.begin(), made.values.end(), std::nan(""));
    return made;
  }
  static matrix combine(number alpha, const matrix& term, number beta, const matrix& old) {
    matrix result(old.rows, old.columns);
    for (size_t i = 0; i < result.values.size(); ++i) {
      result.values[i] = alpha * term.values[i];
      if (beta != number(0)) result.values[i] += beta * old.values[i];
    }
    return result;
  }

  void check_vector(const sparse_form& form, const types& t, const matrix& model, cusparseOperation_t op, number alpha,
                    number beta) {
    const device_matrix a(model, form);
    const matrix turned = apply(op, a.model());
    matrix x = random_dense(t.b, turned.columns, 1), y = old_result(t.c, turned.rows, 1, beta);
    const device_vector dx(t.b, x.values), dy(t.c, y.values);
    const bytes by_a = encode(t.compute, {alpha}), by_b = encode(t.compute, {beta});
    size_t size = 0;
    ASSERT_EQ(cusparseSpMV_bufferSize(handle_, op, by_a.data(), a.get(), dx.get(), by_b.data(), dy.get(), t.compute,
                                      CUSPARSE_SPMV_ALG_DEFAULT, &size),
              CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseSpMV(handle_, op, by_a.data(), a.get(), dx.get(), by_b.data(), dy.get(), t.compute,
                           CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
              CUSPARSE_STATUS_SUCCESS);
    expect_numbers(dy.read(), combine(alpha, product(turned, x), beta, y).values);
  }

  void check_matrix(const sparse_form& form, const types& t, const matrix& model, cusparseOperation_t op_a,
                    cusparseOperation_t op_b, cusparseOrder_t order_b, cusparseOrder_t order_c, int64_t n,
                    number beta) {
    const device_matrix a(model, form);
    const matrix turned = apply(op_a, a.model());
    const matrix b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE ? random_dense(t.b, turned.columns, n)
                                                              : random_dense(t.b, n, turned.columns);
    const matrix c = old_result(t.c, turned.rows, n, beta);
    const device_dense db(b, t.b, order_b), dc(c, t.c, order_c);
    const bytes by_a = encode(t.compute, {number(2)}), by_b = encode(t.compute, {beta});
    ASSERT_EQ(cusparseSpMM(handle_, op_a, op_b, by_a.data(), a.get(), db.get(), by_b.data(), dc.get(), t.compute,
                           CUSPARSE_SPMM_ALG_DEFAULT, nullptr),
              CUSPARSE_STATUS_SUCCESS);
    dc.expect(combine(2, product(turned, apply(op_b, b)), beta, c));
  }
};

constexpr int64_t shapes[][2] = {{1, 1}, {8, 6}, {5, 9}, {34, 30}};

TEST_F(Products, VectorsInAllFormsAndTypes) {
  std::vector<types> all(std::begin(matrix_types), std::end(matrix_types));
  all.insert(all.end(), std::begin(vector_only_types), std::end(vector_only_types));
  for (sparse_form form : forms) {
    for (const types& t : all) {
      form.type = t.a;
      for (const auto& [rows, columns] : shapes) {
        if (!device_matrix::fits(form, rows, columns)) continue;
        const matrix model = random_sparse(t.a, rows, columns);
        for (cusparseOperation_t op : operations) {
          for (number beta : {number(0), number(1), random(t.compute)}) {
            check_vector(form, t, model, op, 2, beta);
            ASSERT_FALSE(HasFatalFailure()) << "format " << form.format << ", types " << t.a << ' ' << t.b << ' ' << t.c
                                            << ", op " << op << ", " << rows << 'x' << columns;
          }
        }
      }
    }
  }
}

TEST_F(Products, AlphaZeroDoesNotReadTheMatrix) {
  matrix model(3, 3);
  for (int64_t i = 0; i < 3; ++i) model.put(i, 2 - i, std::nan(""));
  for (cusparseOperation_t op : operations) {
    check_vector({CUSPARSE_FORMAT_CSR, CUDA_R_64F}, vector_only_types[0], matrix(3, 3), op, 0, 2);
    const device_matrix a(model, {CUSPARSE_FORMAT_CSR, CUDA_R_64F});
    const device_vector x(CUDA_R_64F, {1, 2, 3}), y(CUDA_R_64F, {4, 5, 6});
    const double alpha = 0, beta = 2;
    ASSERT_EQ(cusparseSpMV(handle_, op, &alpha, a.get(), x.get(), &beta, y.get(), CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG2,
                           nullptr),
              CUSPARSE_STATUS_SUCCESS);
    expect_numbers(y.read(), {8, 10, 12});
  }
}

TEST_F(Products, LargeMatricesOnAllCores) {
  // Rows of very different lengths: large enough to split the work, and the partial sums of transposed products, among
  // threads.
  const int64_t rows = 4000, columns = 700;
  std::vector<int64_t> offsets{0}, indices;
  numbers values;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t length = r % 100 == 0 ? columns : static_cast<int64_t>(engine_() % 60);
    for (int64_t k = 0; k < length; ++k) {
      indices.push_back(length == columns ? k : static_cast<int64_t>(engine_()) % columns);
      values.push_back(random(CUDA_R_64F));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  const device_indices do_(CUSPARSE_INDEX_32I, offsets), di(CUSPARSE_INDEX_32I, indices);
  const device_numbers dv(CUDA_R_64F, values);
  cusparseSpMatDescr_t a = nullptr;
  ASSERT_EQ(cusparseCreateCsr(&a, rows, columns, offsets.back(), do_.get(), di.get(), dv.get(), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
            CUSPARSE_STATUS_SUCCESS);
  for (cusparseOperation_t op : operations) {
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    const numbers x = random_numbers(CUDA_R_64F, plain ? columns : rows);
    numbers expected(at(plain ? rows : columns));
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t k = offsets[at(r)]; k < offsets[at(r) + 1]; ++k) {
        const size_t c = at(indices[at(k)]);
        expected[plain ? at(r) : c] += values[at(k)] * x[plain ? c : at(r)];
      }
    }
    const device_vector dx(CUDA_R_64F, x), dy(CUDA_R_64F, numbers(expected.size(), std::nan("")));
    const double alpha = 1, beta = 0;
    ASSERT_EQ(
        cusparseSpMV(handle_, op, &alpha, a, dx.get(), &beta, dy.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
        CUSPARSE_STATUS_SUCCESS);
    expect_numbers(dy.read(), expected);
  }
  EXPECT_EQ(cusparseDestroySpMat(a), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(Products, MatricesInAllFormsAndTypes) {
  std::vector<sparse_form> all(std::begin(forms), std::end(forms));
  all.push_back({CUSPARSE_FORMAT_BLOCKED_ELL});
  all.push_back({CUSPARSE_FORMAT_BLOCKED_ELL, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE});
  for (sparse_form form : all) {
    const bool is_ell = form.format == CUSPARSE_FORMAT_BLOCKED_ELL;
    if (form.format == CUSPARSE_FORMAT_SLICED_ELLPACK) continue;
    for (const types& t : matrix_types) {
      form.type = t.a;
      for (const auto& [rows, columns] : shapes) {
        if (!device_matrix::fits(form, rows, columns)) continue;
        const matrix model = random_sparse(t.a, rows, columns);
        for (cusparseOperation_t op_a : operations) {
          for (cusparseOperation_t op_b : operations) {
            if (is_ell &&
                (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)) {
              continue;
            }
            const cusparseOrder_t order_b = engine_() % 2 == 0 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
            const cusparseOrder_t order_c = engine_() % 2 == 0 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
            for (int64_t n : {1, 5, 17}) {
              check_matrix(form, t, model, op_a, op_b, order_b, order_c, n, n == 5 ? number(0) : number(2));
              ASSERT_FALSE(HasFatalFailure())
                  << "format " << form.format << ", types " << t.a << ' ' << t.b << ' ' << t.c << ", ops " << op_a
                  << ' ' << op_b << ", " << rows << 'x' << columns << 'x' << n;
            }
          }
        }
      }
    }
  }
}

TEST_F(Products, BatchesOfMatrices) {
  // Two matrices with equal offsets, one after the other; then one matrix for all batches.
  const device_indices offsets(CUSPARSE_INDEX_32I, {0, 2, 2, 3}), columns(CUSPARSE_INDEX_32I, {0, 2, 1, 1, 0, 2});
  const device_numbers values(CUDA_R_32F, {1, 2, 3, 4, 5, 6});
  const device_numbers b(CUDA_R_32F, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const device_numbers c(CUDA_R_32F, numbers(14, 9));
  cusparseSpMatDescr_t da = nullptr;
  cusparseDnMatDescr_t db = nullptr, dc = nullptr;
  ASSERT_EQ(cusparseCreateCsr(&da, 3, 3, 3, offsets.get(), columns.get(), values.get(), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseCreateDnMat(&db, 3, 2, 3, b.get(), CUDA_R_32F, CUSPARSE_ORDER_COL), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseCreateDnMat(&dc, 3, 2, 3, c.get(), CUDA_R_32F, CUSPARSE_ORDER_COL), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseCsrSetStridedBatch(da, 2, 0, 3), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseDnMatSetStridedBatch(db, 2, 6), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseDnMatSetStridedBatch(dc, 2, 8), CUSPARSE_STATUS_SUCCESS);
  const float alpha = 1, beta = 0;
  const auto multiply = [&] {
    return cusparseSpMM(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, da, db,
                        &beta, dc, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG1, nullptr);
  };
  ASSERT_EQ(multiply(), CUSPARSE_STATUS_SUCCESS);
  // A1 = [1 0 2; 0 0 0; 0 3 0], A2 = [5 4 0; 0 0 0; 0 0 6]
  expect_numbers(c.read(), {7, 0, 6, 16, 0, 15, 9, 9, 67, 0, 54, 94, 0, 72});
  ASSERT_EQ(cusparseCsrSetStridedBatch(da, 1, 0, 0), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(multiply(), CUSPARSE_STATUS_SUCCESS);
  expect_numbers(c.read(), {7, 0, 6, 16, 0, 15, 9, 9, 25, 0, 24, 34, 0, 33});
  ASSERT_EQ(cusparseCsrSetStridedBatch(da, 3, 0, 0), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(multiply(), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroySpMat(da), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyDnMat(db), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyDnMat(dc), CUSPARSE_STATUS_SUCCESS);
}

TEST_F(Products, FactorsInDeviceMemoryAreReadInTheOrderOfTheStream) {
  const device_matrix a(random_sparse(CUDA_R_32F, 4, 4), {});
  const device_vector x(CUDA_R_32F, {0, 0, 0, 0}), y(CUDA_R_32F, {1, 2, 3, 4});
  const device_numbers factors(CUDA_R_32F, {1, 1});
  const float new_factors[] = {1, 3};
  ASSERT_EQ(cusparseSetPointerMode(handle_, CUSPARSE_POINTER_MODE_DEVICE), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cudaMemcpyAsync(factors.get(), new_factors, sizeof new_factors, cudaMemcpyHostToDevice, stream_),
            cudaSuccess);
  const float* const at = static_cast<float*>(factors.get());
  ASSERT_EQ(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, at, a.get(), x.get(), at + 1, y.get(), CUDA_R_32F,
                         CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
            CUSPARSE_STATUS_SUCCESS);
  expect_numbers(y.read(), {3, 6, 9, 12});
}

TEST_F(Products, AGraphRunsTheProduct) {
  matrix model(2, 2);
  model.put(0, 1, 2);
  const device_matrix a(model, {});
  const device_vector x(CUDA_R_32F, {3, 4}), y(CUDA_R_32F, {1, 1});
  const float alpha = 1, beta = 1;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.get(), x.get(), &beta, y.get(),
                         CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
            CUSPARSE_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  cudaGraphExec_t runnable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&runnable, graph, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(runnable, stream_), cudaSuccess);
  expect_numbers(y.read(), {17, 1});
  EXPECT_EQ(cudaGraphExecDestroy(runnable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Products, BadArguments) {
  const device_matrix a(random_sparse(CUDA_R_32F, 4, 6), {}),
      ell(random_sparse(CUDA_R_32F, 4, 6), {CUSPARSE_FORMAT_BLOCKED_ELL});
  const device_vector x(CUDA_R_32F, numbers(6)), y(CUDA_R_32F, numbers(4)), wide(CUDA_R_64F, numbers(6));
  const float one = 1;
  const auto multiply = [&](cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                            cusparseConstSpMatDescr_t m, cusparseConstDnVecDescr_t by, cudaDataType compute,
                            cusparseSpMVAlg_t alg) {
    size_t size = 0;
    const cusparseStatus_t first =
        cusparseSpMV_bufferSize(handle, op, alpha, m, by, &one, y.get(), compute, alg, &size);
    EXPECT_EQ(cusparseSpMV_preprocess(handle, op, alpha, m, by, &one, y.get(), compute, alg, nullptr), first);
    EXPECT_EQ(cusparseSpMV(handle, op, alpha, m, by, &one, y.get(), compute, alg, nullptr), first);
    return first;
  };
  constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  constexpr auto any = CUSPARSE_SPMV_ALG_DEFAULT;
  EXPECT_EQ(multiply(handle_, plain, &one, a.get(), x.get(), CUDA_R_32F, any), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(multiply(nullptr, plain, &one, a.get(), x.get(), CUDA_R_32F, any), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(multiply(handle_, plain, nullptr, a.get(), x.get(), CUDA_R_32F, any), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, plain, &one, nullptr, x.get(), CUDA_R_32F, any), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, CUSPARSE_OPERATION_TRANSPOSE, &one, a.get(), x.get(), CUDA_R_32F, any),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, static_cast<cusparseOperation_t>(3), &one, a.get(), x.get(), CUDA_R_32F, any),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(handle_, plain, &one, a.get(), wide.get(), CUDA_R_32F, any), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(handle_, plain, &one, a.get(), x.get(), CUDA_R_64F, any), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(handle_, plain, &one, a.get(), x.get(), CUDA_R_32F, CUSPARSE_SPMV_COO_ALG1),
            CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(handle_, plain, &one, ell.get(), x.get(), CUDA_R_32F, any), CUSPARSE_STATUS_NOT_SUPPORTED);
}

}  // namespace

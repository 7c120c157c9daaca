// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular systems, against substitution in the model's triangle.
#include <algorithm>
#include <cmath>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

constexpr cudaDataType solved_types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
const sparse_form solved_forms[] = {
    {CUSPARSE_FORMAT_CSR},
    {CUSPARSE_FORMAT_CSR, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_COO, CUDA_R_32F, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_ORDER_ROW, true},
    {CUSPARSE_FORMAT_SLICED_ELLPACK},
};

class TriangularSystems : public CusparseTest {
 protected:
  // A matrix with both triangles and a large diagonal. Solutions of such a system are well conditioned.
  matrix random_system(cudaDataType type, int64_t n) {
    matrix m = random_sparse(type, n, n);
    for (int64_t i = 0; i < n; ++i) m.put(i, i, number(20) + random(type));
    return m;
  }
  static matrix triangle_of(const matrix& m, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
    matrix t(m.rows, m.columns);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) {
        if (m.has(r, c) && (fill == CUSPARSE_FILL_MODE_LOWER ? c < r : c > r)) t.put(r, c, m(r, c));
      }
      t.put(r, r, diagonal == CUSPARSE_DIAG_TYPE_UNIT ? number(1) : m(r, r));
    }
    return t;
  }
  static void set_triangle(const device_matrix& m, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
    ASSERT_EQ(cusparseSpMatSetAttribute(m.get(), CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill),
              CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseSpMatSetAttribute(m.get(), CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal),
              CUSPARSE_STATUS_SUCCESS);
  }
  static matrix scaled(number by, matrix m) {
    for (number& value : m.values) value *= by;
    return m;
  }
  // The solution by substitution in double precision.
  static matrix solution(const matrix& t, const matrix& right, bool is_lower) {
    matrix x = right;
    for (int64_t column = 0; column < right.columns; ++column) {
      for (int64_t i = 0; i < t.rows; ++i) {
        const int64_t row = is_lower ? i : t.rows - 1 - i;
        for (int64_t k = 0; k < t.rows; ++k) {
          if (is_lower ? k < row : k > row) x(row, column) -= t(row, k) * x(k, column);
        }
        x(row, column) /= t(row, row);
      }
    }
    return x;
  }
  static double tolerance_of(cudaDataType type, const matrix& expected) {
    double largest = 1;
    for (const number& value : expected.values) largest = std::max(largest, std::abs(value));
    return largest * (type == CUDA_R_32F || type == CUDA_C_32F ? 1e-4 : 1e-12);
  }
  // Calls `use(form, model, op, fill, diagonal, is_lower)` for all systems. `is_lower` holds if the triangle of op(A)
  // is lower.
  template <class Use>
  void each_system(int64_t n, Use use) {
    for (sparse_form form : solved_forms) {
      for (cudaDataType type : solved_types) {
        form.type = type;
        for (cusparseOperation_t op : operations) {
          for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
            for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
              matrix model = random_system(type, n);
              if (diagonal == CUSPARSE_DIAG_TYPE_UNIT) {  // small entries keep the solutions small
                for (number& value : model.values) value /= 64;
              }
              const bool is_lower = (fill == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
              use(form, model, op, fill, diagonal, is_lower);
              ASSERT_FALSE(HasFatalFailure()) << "format " << form.format << ", type " << type << ", op " << op
                                              << ", fill " << fill << ", diagonal " << diagonal;
            }
          }
        }
      }
    }
  }
};

TEST_F(TriangularSystems, SpSV) {
  for (int64_t n : {1, 27}) {
    each_system(n, [&](const sparse_form& form, const matrix& model, cusparseOperation_t op, cusparseFillMode_t fill,
                       cusparseDiagType_t diagonal, bool is_lower) {
      const cudaDataType type = form.type;
      const device_matrix a(model, form);
      set_triangle(a, fill, diagonal);
      const matrix right = random_dense(type, n, 1);
      const device_vector x(type, right.values), y(type, numbers(at(n), std::nan("")));
      const bytes alpha = encode(type, {number(2)});
      cusparseSpSVDescr_t descr = nullptr;
      ASSERT_EQ(cusparseSpSV_createDescr(&descr), CUSPARSE_STATUS_SUCCESS);
      size_t size = 0;
      ASSERT_EQ(cusparseSpSV_bufferSize(handle_, op, alpha.data(), a.get(), x.get(), y.get(), type,
                                        CUSPARSE_SPSV_ALG_DEFAULT, descr, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(cusparseSpSV_analysis(handle_, op, alpha.data(), a.get(), x.get(), y.get(), type,
                                      CUSPARSE_SPSV_ALG_DEFAULT, descr, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      const auto expect_solution = [&](const matrix& of, const device_vector& from, const device_vector& to) {
        ASSERT_EQ(cusparseSpSV_solve(handle_, op, alpha.data(), a.get(), from.get(), to.get(), type,
                                     CUSPARSE_SPSV_ALG_DEFAULT, descr),
                  CUSPARSE_STATUS_SUCCESS);
        const matrix expected = solution(apply(op, triangle_of(of, fill, diagonal)), scaled(2, right), is_lower);
        expect_numbers(to.read(), expected.values, tolerance_of(type, expected));
      };
      expect_solution(model, x, y);
      // New values for all entries, then for the diagonal, and a solution in place.
      matrix other = model;
      numbers stored;
      for (const auto& [row, column] : a.places()) {
        if (row >= 0) other.put(row, column, model(row, column) * 1.5);
        stored.push_back(row < 0 ? number(7) : other(row, column));
      }
      const device_numbers values(type, stored);
      ASSERT_EQ(cusparseSpSV_updateMatrix(handle_, descr, values.get(), CUSPARSE_SPSV_UPDATE_GENERAL),
                CUSPARSE_STATUS_SUCCESS);
      expect_solution(other, x, y);
      numbers diagonal_values;
      for (int64_t i = 0; i < n; ++i) {
        other.put(i, i, other(i, i) * 2.0);
        diagonal_values.push_back(other(i, i));
      }
      const device_numbers new_diagonal(type, diagonal_values);
      ASSERT_EQ(cusparseSpSV_updateMatrix(handle_, descr, new_diagonal.get(), CUSPARSE_SPSV_UPDATE_DIAGONAL),
                CUSPARSE_STATUS_SUCCESS);
      expect_solution(other, x, x);
      ASSERT_EQ(cusparseSpSV_destroyDescr(descr), CUSPARSE_STATUS_SUCCESS);
    });
  }
}

TEST_F(TriangularSystems, SpSM) {
  each_system(19, [&](const sparse_form& form, const matrix& model, cusparseOperation_t op, cusparseFillMode_t fill,
                      cusparseDiagType_t diagonal, bool is_lower) {
    if (form.format == CUSPARSE_FORMAT_SLICED_ELLPACK) return;
    const cudaDataType type = form.type;
    const device_matrix a(model, form);
    set_triangle(a, fill, diagonal);
    for (bool turned : {false, true}) {
      const cusparseOperation_t op_b = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
      const matrix right = turned ? random_dense(type, 5, 19) : random_dense(type, 19, 5);
      const device_dense b(right, type, is_lower ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW);
      const device_dense c(random_dense(type, 19, 5), type, turned ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW);
      const bytes alpha = encode(type, {number(2)});
      cusparseSpSMDescr_t descr = nullptr;
      ASSERT_EQ(cusparseSpSM_createDescr(&descr), CUSPARSE_STATUS_SUCCESS);
      size_t size = 0;
      ASSERT_EQ(cusparseSpSM_bufferSize(handle_, op, op_b, alpha.data(), a.get(), b.get(), c.get(), type,
                                        CUSPARSE_SPSM_ALG_DEFAULT, descr, &size),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(cusparseSpSM_analysis(handle_, op, op_b, alpha.data(), a.get(), b.get(), c.get(), type,
                                      CUSPARSE_SPSM_ALG_DEFAULT, descr, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(cusparseSpSM_solve(handle_, op, op_b, alpha.data(), a.get(), b.get(), c.get(), type,
                                   CUSPARSE_SPSM_ALG_DEFAULT, descr),
                CUSPARSE_STATUS_SUCCESS);
      const matrix expected =
          solution(apply(op, triangle_of(model, fill, diagonal)), scaled(2, apply(op_b, right)), is_lower);
      c.expect(expected, tolerance_of(type, expected));
      ASSERT_EQ(cusparseSpSM_destroyDescr(descr), CUSPARSE_STATUS_SUCCESS);
    }
  });
}

TEST_F(TriangularSystems, BadArguments) {
  const device_matrix a(random_system(CUDA_R_32F, 5), {}), csc(random_system(CUDA_R_32F, 5), {CUSPARSE_FORMAT_CSC}),
      wide(random_sparse(CUDA_R_32F, 5, 6), {});
  const device_vector x(CUDA_R_32F, numbers(5)), y(CUDA_R_32F, numbers(5)), small(CUDA_R_32F, numbers(4));
  const float one = 1;
  cusparseSpSVDescr_t descr = nullptr;
  ASSERT_EQ(cusparseSpSV_createDescr(&descr), CUSPARSE_STATUS_SUCCESS);
  const auto analyze = [&](const device_matrix& m, const device_vector& right, cudaDataType compute) {
    return cusparseSpSV_analysis(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m.get(), right.get(), y.get(),
                                 compute, CUSPARSE_SPSV_ALG_DEFAULT, descr, nullptr);
  };
  const auto solve = [&](cusparseOperation_t op) {
    return cusparseSpSV_solve(handle_, op, &one, a.get(), x.get(), y.get(), CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                              descr);
  };
  EXPECT_EQ(solve(CUSPARSE_OPERATION_NON_TRANSPOSE), CUSPARSE_STATUS_INVALID_VALUE);  // the matrix was not analyzed
  EXPECT_EQ(analyze(wide, x, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(analyze(a, small, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(analyze(csc, x, CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(analyze(a, x, CUDA_R_64F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(analyze(a, x, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(solve(CUSPARSE_OPERATION_NON_TRANSPOSE), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(solve(CUSPARSE_OPERATION_TRANSPOSE), CUSPARSE_STATUS_INVALID_VALUE);  // another operation was analyzed
  EXPECT_EQ(cusparseSpSV_updateMatrix(handle_, descr, nullptr, CUSPARSE_SPSV_UPDATE_GENERAL),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSpSV_destroyDescr(descr), CUSPARSE_STATUS_SUCCESS);
}

}  // namespace

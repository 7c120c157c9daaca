// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between sparse and dense matrices, and dense products at the places of a sparse matrix.
#include <cmath>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

constexpr cudaDataType stored_types[] = {CUDA_R_8I,  CUDA_R_16F,  CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F,
                                         CUDA_C_16F, CUDA_C_16BF, CUDA_C_32F,  CUDA_C_64F};
constexpr cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO,
                                        CUSPARSE_FORMAT_BSR};
constexpr cusparseOrder_t orders[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};

class Conversions : public CusparseTest {
 protected:
  // The matrix with its nonzero elements as the stored ones.
  static matrix without_zeros(const matrix& dense) {
    matrix m(dense.rows, dense.columns);
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t c = 0; c < m.columns; ++c) {
        if (dense(r, c) != number(0)) m.put(r, c, dense(r, c));
      }
    }
    return m;
  }
};

TEST_F(Conversions, SparseToDense) {
  for (cusparseFormat_t format : formats) {
    for (cudaDataType type : stored_types) {
      for (cusparseOrder_t order : orders) {
        for (auto [index_type, base] : {std::pair{CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO},
                                        std::pair{CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE}}) {
          const device_matrix a(random_sparse(type, 10, 9), {format, type, index_type, base, order, true});
          const device_dense b(random_dense(type, 10, 9), type, order);
          size_t size = 0;
          ASSERT_EQ(
              cusparseSparseToDense_bufferSize(handle_, a.get(), b.get(), CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &size),
              CUSPARSE_STATUS_SUCCESS);
          ASSERT_EQ(cusparseSparseToDense(handle_, a.get(), b.get(), CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr),
                    CUSPARSE_STATUS_SUCCESS);
          b.expect(a.model());
          ASSERT_FALSE(HasFatalFailure()) << "format " << format << ", type " << type << ", order " << order;
        }
      }
    }
  }
}

TEST_F(Conversions, DenseToSparse) {
  for (cusparseFormat_t format : formats) {
    for (cudaDataType type : stored_types) {
      for (cusparseOrder_t order : orders) {
        for (auto [index_type, base] : {std::pair{CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO},
                                        std::pair{CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE}}) {
          const matrix model = without_zeros(random_sparse(type, 10, 9));
          const device_dense a(model, type, order);
          const int64_t height = format == CUSPARSE_FORMAT_BSR ? 2 : 1, width = format == CUSPARSE_FORMAT_BSR ? 3 : 1;
          const int64_t lines = (format == CUSPARSE_FORMAT_CSC ? 9 : 10) / height;
          const device_indices offsets(index_type, std::vector<int64_t>(at(lines + 1), 77));
          cusparseSpMatDescr_t m = nullptr;
          if (format == CUSPARSE_FORMAT_BSR) {
            ASSERT_EQ(cusparseCreateBsr(&m, 5, 3, 0, 2, 3, offsets.get(), nullptr, nullptr, index_type, index_type,
                                        base, type, order),
                      CUSPARSE_STATUS_SUCCESS);
          } else if (format == CUSPARSE_FORMAT_COO) {
            ASSERT_EQ(cusparseCreateCoo(&m, 10, 9, 0, nullptr, nullptr, nullptr, index_type, base, type),
                      CUSPARSE_STATUS_SUCCESS);
          } else {
            ASSERT_EQ((format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc)(
                          &m, 10, 9, 0, offsets.get(), nullptr, nullptr, index_type, index_type, base, type),
                      CUSPARSE_STATUS_SUCCESS);
          }
          size_t size = 0;
          ASSERT_EQ(cusparseDenseToSparse_bufferSize(handle_, a.get(), m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size),
                    CUSPARSE_STATUS_SUCCESS);
          ASSERT_EQ(cusparseDenseToSparse_analysis(handle_, a.get(), m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
                    CUSPARSE_STATUS_SUCCESS);
          int64_t rows = 0, columns = 0, entries = 0;
          ASSERT_EQ(cusparseSpMatGetSize(m, &rows, &columns, &entries), CUSPARSE_STATUS_SUCCESS);
          const device_indices indices(index_type, std::vector<int64_t>(at(entries / (height * width)), 77)),
              row_indices(index_type, std::vector<int64_t>(at(entries), 77));
          const device_numbers values(type, numbers(at(entries)));
          if (format == CUSPARSE_FORMAT_BSR) {  // a descriptor of BSR has no function that sets its pointers
            ASSERT_EQ(cusparseDestroySpMat(m), CUSPARSE_STATUS_SUCCESS);
            ASSERT_EQ(cusparseCreateBsr(&m, 5, 3, entries / 6, 2, 3, offsets.get(), indices.get(), values.get(),
                                        index_type, index_type, base, type, order),
                      CUSPARSE_STATUS_SUCCESS);
          } else if (format == CUSPARSE_FORMAT_COO) {
            ASSERT_EQ(cusparseCooSetPointers(m, row_indices.get(), indices.get(), values.get()),
                      CUSPARSE_STATUS_SUCCESS);
          } else {
            ASSERT_EQ((format == CUSPARSE_FORMAT_CSR ? cusparseCsrSetPointers : cusparseCscSetPointers)(
                          m, offsets.get(), indices.get(), values.get()),
                      CUSPARSE_STATUS_SUCCESS);
          }
          ASSERT_EQ(cusparseDenseToSparse_convert(handle_, a.get(), m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
                    CUSPARSE_STATUS_SUCCESS);
          // The model in the tested format; the model's lines are sorted here.
          const numbers found = values.read();
          const std::vector<int64_t> places = indices.read();
          const std::vector<int64_t> starts = format == CUSPARSE_FORMAT_COO ? row_indices.read() : offsets.read();
          matrix read(10, 9);
          for (int64_t k = 0; k < entries; ++k) {
            const int64_t block = k / (height * width), inside = k % (height * width);
            int64_t line = 0;
            if (format == CUSPARSE_FORMAT_COO) {
              line = starts[at(k)] - base;
            } else {
              while (starts[at(line + 1)] - base <= block) ++line;
            }
            const int64_t other = places[at(block)] - base;
            const bool by_rows = order == CUSPARSE_ORDER_ROW;
            const int64_t row =
                (format == CUSPARSE_FORMAT_CSC ? other : line) * height + (by_rows ? inside / width : inside % height);
            const int64_t column =
                (format == CUSPARSE_FORMAT_CSC ? line : other) * width + (by_rows ? inside % width : inside / height);
            ASSERT_FALSE(read.has(row, column));
            read.put(row, column, found[at(k)]);
          }
          expect_numbers(read.values, model.values);
          if (format != CUSPARSE_FORMAT_BSR) {
            EXPECT_EQ(read.stored, model.stored);
          }
          EXPECT_EQ(cusparseDestroySpMat(m), CUSPARSE_STATUS_SUCCESS);
          ASSERT_FALSE(HasFailure()) << "format " << format << ", type " << type << ", order " << order;
        }
      }
    }
  }
}

TEST_F(Conversions, DenseToBlockedEll) {
  for (cudaDataType type : stored_types) {
    for (cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
      const matrix model = random_sparse(type, 8, 6);
      const device_matrix m(model, {CUSPARSE_FORMAT_BLOCKED_ELL, type, CUSPARSE_INDEX_32I, base});
      const matrix other = random_dense(type, 8, 6);
      const device_dense a(other, type, CUSPARSE_ORDER_COL);
      ASSERT_EQ(cusparseDenseToSparse_analysis(handle_, a.get(), m.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(cusparseDenseToSparse_convert(handle_, a.get(), m.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
                CUSPARSE_STATUS_SUCCESS);
      const numbers found = m.read_values();
      for (size_t i = 0; i < found.size(); ++i) {
        const auto [row, column] = m.places()[i];
        ASSERT_EQ(found[i], row < 0 ? number(0) : other(row, column)) << "value " << i << " of type " << type;
      }
    }
  }
}

TEST_F(Conversions, BadArguments) {
  const device_matrix a(random_sparse(CUDA_R_32F, 4, 6), {}),
      ell(random_sparse(CUDA_R_32F, 4, 6), {CUSPARSE_FORMAT_BLOCKED_ELL}),
      sliced(random_sparse(CUDA_R_32F, 4, 6), {CUSPARSE_FORMAT_SLICED_ELLPACK});
  const device_dense b(matrix(4, 6), CUDA_R_32F, CUSPARSE_ORDER_COL),
      wide(matrix(4, 6), CUDA_R_64F, CUSPARSE_ORDER_COL), turned(matrix(6, 4), CUDA_R_32F, CUSPARSE_ORDER_COL);
  const auto convert = [&](cusparseHandle_t handle, cusparseConstSpMatDescr_t m, cusparseDnMatDescr_t to) {
    return cusparseSparseToDense(handle, m, to, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr);
  };
  EXPECT_EQ(convert(nullptr, a.get(), b.get()), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(convert(handle_, nullptr, b.get()), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(convert(handle_, a.get(), turned.get()), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(convert(handle_, a.get(), wide.get()), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(convert(handle_, ell.get(), b.get()), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cusparseDenseToSparse_analysis(handle_, b.get(), sliced.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr),
            CUSPARSE_STATUS_NOT_SUPPORTED);
}

class SampledProducts : public CusparseTest {};

TEST_F(SampledProducts, AllFormsAndTypes) {
  const sparse_form forms[] = {
      {CUSPARSE_FORMAT_CSR},
      {CUSPARSE_FORMAT_CSR, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE},
      {CUSPARSE_FORMAT_BSR},
      {CUSPARSE_FORMAT_BSR, CUDA_R_32F, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_ORDER_COL},
  };
  const types all[] = {
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F}, {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F}, {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F}};
  for (sparse_form form : forms) {
    for (const types& t : all) {
      form.type = t.c;
      for (bool turned_a : {false, true}) {
        for (bool turned_b : {false, true}) {
          for (number beta : {number(0), number(2)}) {
            matrix model = random_sparse(t.c, 10, 12);
            if (beta == number(0)) {
              for (size_t i = 0; i < model.values.size(); ++i) model.values[i] = std::nan("");
            }
            const device_matrix c(model, form);
            const matrix a = turned_a ? random_dense(t.a, 7, 10) : random_dense(t.a, 10, 7);
            const matrix b = turned_b ? random_dense(t.b, 12, 7) : random_dense(t.b, 7, 12);
            const auto op_a = turned_a ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
            const auto op_b = turned_b ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
            const device_dense da(a, t.a, turned_b ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL),
                db(b, t.b, CUSPARSE_ORDER_ROW);
            ASSERT_EQ(cusparseSDDMM(handle_, op_a, op_b, encode(t.compute, {number(2)}).data(), da.get(), db.get(),
                                    encode(t.compute, {beta}).data(), c.get(), t.compute, CUSPARSE_SDDMM_ALG_DEFAULT,
                                    nullptr),
                      CUSPARSE_STATUS_SUCCESS);
            const matrix dense = product(apply(op_a, a), apply(op_b, b));
            const numbers found = c.read_values();
            ASSERT_EQ(found.size(), c.places().size());
            for (size_t i = 0; i < found.size(); ++i) {
              const auto [row, column] = c.places()[i];
              number expected = 2.0 * dense(row, column);
              if (beta != number(0)) expected += beta * model(row, column);
              ASSERT_EQ(found[i], expected) << "value " << i << ", format " << form.format << ", type " << t.c;
            }
          }
        }
      }
    }
  }
}

TEST_F(SampledProducts, BadArguments) {
  const device_matrix c(random_sparse(CUDA_R_32F, 4, 4), {}),
      coo(random_sparse(CUDA_R_32F, 4, 4), {CUSPARSE_FORMAT_COO});
  const device_dense a(matrix(4, 3), CUDA_R_32F, CUSPARSE_ORDER_COL), b(matrix(3, 4), CUDA_R_32F, CUSPARSE_ORDER_COL);
  const float one = 1;
  const auto multiply = [&](cusparseOperation_t op, cusparseConstDnMatDescr_t left, cusparseSpMatDescr_t result,
                            cudaDataType compute) {
    size_t size = 0;
    const cusparseStatus_t first =
        cusparseSDDMM_bufferSize(handle_, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, left, b.get(), &one, result,
                                 compute, CUSPARSE_SDDMM_ALG_DEFAULT, &size);
    EXPECT_EQ(cusparseSDDMM(handle_, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, left, b.get(), &one, result, compute,
                            CUSPARSE_SDDMM_ALG_DEFAULT, nullptr),
              first);
    return first;
  };
  EXPECT_EQ(multiply(CUSPARSE_OPERATION_NON_TRANSPOSE, a.get(), c.get(), CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(multiply(CUSPARSE_OPERATION_NON_TRANSPOSE, b.get(), c.get(), CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(multiply(CUSPARSE_OPERATION_NON_TRANSPOSE, a.get(), coo.get(), CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(CUSPARSE_OPERATION_NON_TRANSPOSE, a.get(), c.get(), CUDA_R_64F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(multiply(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, b.get(), c.get(), CUDA_R_32F),
            CUSPARSE_STATUS_NOT_SUPPORTED);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of sparse matrices: SpGEMM, and SpGEMMreuse with new values.
#include <array>
#include <cmath>
#include <memory>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cudaDataType product_types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
const sparse_form product_forms[] = {{CUSPARSE_FORMAT_CSR},
                                     {CUSPARSE_FORMAT_CSR, CUDA_R_32F, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE}};

class SparseProducts : public CusparseTest {
 protected:
  void SetUp() override {
    CusparseTest::SetUp();
    ASSERT_EQ(cusparseSpGEMM_createDescr(&descr_), CUSPARSE_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cusparseSpGEMM_destroyDescr(descr_), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseDestroySpMat(c_), CUSPARSE_STATUS_SUCCESS);
    CusparseTest::TearDown();
  }
  // Makes the descriptor of C without column and value arrays, whose size is not known yet.
  void make_result(const sparse_form& form, int64_t rows, int64_t columns) {
    if (c_) {
      ASSERT_EQ(cusparseDestroySpMat(c_), CUSPARSE_STATUS_SUCCESS);
    }
    form_ = form;
    offsets_ = std::make_unique<device_indices>(form.index_type, std::vector<int64_t>(at(rows + 1), 55));
    ASSERT_EQ(cusparseCreateCsr(&c_, rows, columns, 0, offsets_->get(), nullptr, nullptr, form.index_type,
                                form.index_type, form.base, form.type),
              CUSPARSE_STATUS_SUCCESS);
  }
  // Allocates the arrays of C with an old value in each element.
  void allocate_result(number old) {
    int64_t rows = 0, columns = 0, entries = 0;
    ASSERT_EQ(cusparseSpMatGetSize(c_, &rows, &columns, &entries), CUSPARSE_STATUS_SUCCESS);
    indices_ = std::make_unique<device_indices>(form_.index_type, std::vector<int64_t>(at(entries), 55));
    values_ = std::make_unique<device_numbers>(form_.type, numbers(at(entries), old));
    ASSERT_EQ(cusparseCsrSetPointers(c_, offsets_->get(), indices_->get(), values_->get()), CUSPARSE_STATUS_SUCCESS);
  }
  // Compares the pattern of C, with sorted columns, and its values.
  void expect_result(const matrix& expected, number factor, number addend) {
    std::vector<int64_t> offsets{form_.base}, indices;
    numbers values;
    for (int64_t r = 0; r < expected.rows; ++r) {
      for (int64_t c = 0; c < expected.columns; ++c) {
        if (!expected.has(r, c)) continue;
        indices.push_back(c + form_.base);
        values.push_back(factor * expected(r, c) + addend);
      }
      offsets.push_back(static_cast<int64_t>(indices.size()) + form_.base);
    }
    EXPECT_EQ(offsets_->read(), offsets);
    EXPECT_EQ(indices_->read(), indices);
    expect_numbers(values_->read(), values);
  }

  cusparseSpGEMMDescr_t descr_ = nullptr;
  cusparseSpMatDescr_t c_ = nullptr;
  sparse_form form_;
  std::unique_ptr<device_indices> offsets_, indices_;
  std::unique_ptr<device_numbers> values_;
};

TEST_F(SparseProducts, SpGEMM) {
  for (sparse_form form : product_forms) {
    for (cudaDataType type : product_types) {
      for (const auto& [m, k, n] : {std::array{1, 1, 1}, std::array{7, 9, 5}, std::array{31, 40, 33}}) {
        for (number beta : {number(0), number(3)}) {
          form.type = type;
          const device_matrix a(random_sparse(type, m, k), form), b(random_sparse(type, k, n), form);
          make_result(form, m, n);
          const bytes by_a = encode(type, {number(2)}), by_b = encode(type, {beta});
          size_t size1 = 0, size2 = 0;
          const device_bytes buffer(bytes(64));
          for (void* at : {static_cast<void*>(nullptr), buffer.get()}) {
            ASSERT_EQ(cusparseSpGEMM_workEstimation(handle_, plain, plain, by_a.data(), a.get(), b.get(), by_b.data(),
                                                    c_, type, CUSPARSE_SPGEMM_DEFAULT, descr_, &size1, at),
                      CUSPARSE_STATUS_SUCCESS);
            ASSERT_LE(size1, 64u);
          }
          int64_t multiplications = 0, expected_multiplications = 0;
          ASSERT_EQ(cusparseSpGEMM_getNumProducts(descr_, &multiplications), CUSPARSE_STATUS_SUCCESS);
          for (int64_t r = 0; r < m; ++r) {
            for (int64_t i = 0; i < k; ++i) {
              for (int64_t j = 0; j < n; ++j) expected_multiplications += a.model().has(r, i) && b.model().has(i, j);
            }
          }
          EXPECT_EQ(multiplications, expected_multiplications);
          for (void* at : {static_cast<void*>(nullptr), buffer.get()}) {
            ASSERT_EQ(cusparseSpGEMM_compute(handle_, plain, plain, by_a.data(), a.get(), b.get(), by_b.data(), c_,
                                             type, CUSPARSE_SPGEMM_DEFAULT, descr_, &size2, at),
                      CUSPARSE_STATUS_SUCCESS);
          }
          allocate_result(beta == number(0) ? number(std::nan("")) : number(5));
          ASSERT_EQ(cusparseSpGEMM_copy(handle_, plain, plain, by_a.data(), a.get(), b.get(), by_b.data(), c_, type,
                                        CUSPARSE_SPGEMM_DEFAULT, descr_),
                    CUSPARSE_STATUS_SUCCESS);
          expect_result(product(a.model(), b.model()), 2, beta * 5.0);
          ASSERT_FALSE(HasFailure()) << "type " << type << ", " << m << 'x' << k << 'x' << n;
        }
      }
    }
  }
}

TEST_F(SparseProducts, SpGEMMreuseComputesNewValues) {
  for (sparse_form form : product_forms) {
    for (cudaDataType type : product_types) {
      form.type = type;
      const matrix model = random_sparse(type, 21, 30);
      const device_matrix a(model, form), b(random_sparse(type, 30, 17), form);
      make_result(form, 21, 17);
      const device_bytes buffer(bytes(64));
      size_t s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
      for (void* at : {static_cast<void*>(nullptr), buffer.get()}) {
        ASSERT_EQ(cusparseSpGEMMreuse_workEstimation(handle_, plain, plain, a.get(), b.get(), c_,
                                                     CUSPARSE_SPGEMM_DEFAULT, descr_, &s1, at),
                  CUSPARSE_STATUS_SUCCESS);
      }
      for (void* at : {static_cast<void*>(nullptr), buffer.get()}) {
        ASSERT_EQ(cusparseSpGEMMreuse_nnz(handle_, plain, plain, a.get(), b.get(), c_, CUSPARSE_SPGEMM_DEFAULT, descr_,
                                          &s2, at, &s3, at, &s4, at),
                  CUSPARSE_STATUS_SUCCESS);
      }
      allocate_result(5);
      for (void* at : {static_cast<void*>(nullptr), buffer.get()}) {
        ASSERT_EQ(cusparseSpGEMMreuse_copy(handle_, plain, plain, a.get(), b.get(), c_, CUSPARSE_SPGEMM_DEFAULT, descr_,
                                           &s5, at),
                  CUSPARSE_STATUS_SUCCESS);
      }
      const bytes two = encode(type, {number(2)}), zero = encode(type, {number(0)});
      const auto compute = [&](const bytes& beta) {
        return cusparseSpGEMMreuse_compute(handle_, plain, plain, two.data(), a.get(), b.get(), beta.data(), c_, type,
                                           CUSPARSE_SPGEMM_DEFAULT, descr_);
      };
      ASSERT_EQ(compute(two), CUSPARSE_STATUS_SUCCESS);
      expect_result(product(a.model(), b.model()), 2, 10);
      // New values in an unchanged pattern.
      matrix other = model;
      numbers replaced;
      for (const auto& [row, column] : a.places()) {
        other.put(row, column, random(type));
        replaced.push_back(other(row, column));
      }
      const device_numbers new_values(type, replaced);
      ASSERT_EQ(cusparseSpMatSetValues(a.get(), new_values.get()), CUSPARSE_STATUS_SUCCESS);
      ASSERT_EQ(compute(zero), CUSPARSE_STATUS_SUCCESS);
      expect_result(product(other, b.model()), 2, 0);
      ASSERT_FALSE(HasFailure()) << "type " << type;
    }
  }
}

TEST_F(SparseProducts, BadArguments) {
  const device_matrix a(random_sparse(CUDA_R_32F, 4, 6), {}), b(random_sparse(CUDA_R_32F, 6, 5), {}),
      coo(random_sparse(CUDA_R_32F, 6, 5), {CUSPARSE_FORMAT_COO});
  make_result({}, 4, 5);
  const float one = 1;
  size_t size = 0;
  const auto estimate = [&](cusparseOperation_t op, const device_matrix& left, const device_matrix& right,
                            cudaDataType compute) {
    return cusparseSpGEMM_workEstimation(handle_, op, plain, &one, left.get(), right.get(), &one, c_, compute,
                                         CUSPARSE_SPGEMM_DEFAULT, descr_, &size, nullptr);
  };
  EXPECT_EQ(estimate(plain, a, b, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(estimate(plain, b, a, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(estimate(plain, a, coo, CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(estimate(plain, a, b, CUDA_R_64F), CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(estimate(CUSPARSE_OPERATION_TRANSPOSE, a, b, CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  // A copy is refused before the product has been computed.
  EXPECT_EQ(cusparseSpGEMM_copy(handle_, plain, plain, &one, a.get(), b.get(), &one, c_, CUDA_R_32F,
                                CUSPARSE_SPGEMM_DEFAULT, descr_),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSpGEMM_estimateMemory(handle_, plain, plain, &one, a.get(), b.get(), &one, c_, CUDA_R_32F,
                                          CUSPARSE_SPGEMM_ALG1, descr_, 0.5f, &size, nullptr, &size),
            CUSPARSE_STATUS_NOT_SUPPORTED);
}

}  // namespace

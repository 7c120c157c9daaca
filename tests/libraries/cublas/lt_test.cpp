// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLt: descriptors, products of both orders, batches, each epilogue, transforms, refusals.
#include <cublasLt.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;

class Lt : public testing::Test {
 protected:
  void SetUp() override {
    if (cublasLtCreate(&handle_) == CUBLAS_STATUS_NOT_INITIALIZED) GTEST_SKIP() << "skipped: OpenBLAS is not installed";
    ASSERT_EQ(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (!handle_) return;
    EXPECT_EQ(cublasLtMatmulDescDestroy(operation_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtDestroy(handle_), CUBLAS_STATUS_NOT_INITIALIZED);
  }
  template <class V>
  void set(cublasLtMatmulDescAttributes_t attribute, V value) {
    ASSERT_EQ(cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof value), CUBLAS_STATUS_SUCCESS);
  }
  std::vector<float> random_floats(int count) {
    std::uniform_int_distribution<int> digit(-3, 3);
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values) value = static_cast<float>(digit(engine_));
    return values;
  }

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  std::mt19937 engine_{7};
};

// A matrix layout whose attributes a test changes.
class layout {
 public:
  layout(cudaDataType type, int rows, int columns, int ld, cublasLtOrder_t order = CUBLASLT_ORDER_COL)
      : ld_(ld), order_(order) {
    EXPECT_EQ(cublasLtMatrixLayoutInit(&held_, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), ld),
              CUBLAS_STATUS_SUCCESS);
    set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order));
  }
  template <class V>
  layout& set(cublasLtMatrixLayoutAttribute_t attribute, V value) {
    EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(&held_, attribute, &value, sizeof value), CUBLAS_STATUS_SUCCESS);
    return *this;
  }
  layout& batch(int count, int64_t distance) {
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<int32_t>(count));
    return set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, distance);
  }
  cublasLtMatrixLayout_t get() { return &held_; }
  size_t place(int row, int column) const {
    return static_cast<size_t>(order_ == CUBLASLT_ORDER_ROW ? column + row * ld_ : row + column * ld_);
  }

 private:
  cublasLtMatrixLayoutOpaque_t held_;
  int ld_;
  cublasLtOrder_t order_;
};

constexpr int m = 7, n = 5, k = 3, ld = 9;

TEST_F(Lt, AttributesAreKept) {
  int32_t transposes = CUBLAS_OP_T, found = -1;
  size_t written = 0;
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposes, 4),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &found, 4, &written),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found, CUBLAS_OP_T);
  EXPECT_EQ(written, 4u);
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(written, sizeof(void*));
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposes, 8),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(operation_, static_cast<cublasLtMatmulDescAttributes_t>(99), &transposes, 4),
            CUBLAS_STATUS_INVALID_VALUE);
}

// D = 2 * op(A) * op(B) + 3 * C for all orders and operations. D is not C, and its columns have another distance.
TEST_F(Lt, ProductsOfAllOrders) {
  const auto orders = {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW};
  for (cublasLtOrder_t order_a : orders) {
    for (cublasLtOrder_t order_b : orders) {
      for (cublasLtOrder_t order_d : orders) {
        for (int32_t opa : {CUBLAS_OP_N, CUBLAS_OP_T}) {
          for (int32_t opb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            const bool plain_a = opa == CUBLAS_OP_N, plain_b = opb == CUBLAS_OP_N;
            layout la(CUDA_R_32F, plain_a ? m : k, plain_a ? k : m, ld, order_a);
            layout lb(CUDA_R_32F, plain_b ? k : n, plain_b ? n : k, ld, order_b);
            layout lc(CUDA_R_32F, m, n, ld, order_d), lout(CUDA_R_32F, m, n, ld + 1, order_d);
            const std::vector<float> a = random_floats(100), b = random_floats(100), c = random_floats(100);
            std::vector<float> expected = random_floats(100);
            const device_array<float> da(a), db(b), dc(c), dd(expected);
            for (int row = 0; row < m; ++row) {
              for (int column = 0; column < n; ++column) {
                float value = 3 * c[lc.place(row, column)];
                for (int i = 0; i < k; ++i) {
                  value += 2 * a[plain_a ? la.place(row, i) : la.place(i, row)] *
                           b[plain_b ? lb.place(i, column) : lb.place(column, i)];
                }
                expected[lout.place(row, column)] = value;
              }
            }
            set(CUBLASLT_MATMUL_DESC_TRANSA, opa);
            set(CUBLASLT_MATMUL_DESC_TRANSB, opb);
            const float alpha = 2, beta = 3;
            ASSERT_EQ(cublasLtMatmul(handle_, operation_, &alpha, da.get(), la.get(), db.get(), lb.get(), &beta,
                                     dc.get(), lc.get(), dd.get(), lout.get(), nullptr, nullptr, 0, nullptr),
                      CUBLAS_STATUS_SUCCESS);
            ASSERT_EQ(dd.read(), expected);
          }
        }
      }
    }
  }
}

TEST_F(Lt, BatchesOfHalves) {
  const int count = 3;
  std::vector<__half> a, b;
  for (float value : random_floats(m * k * count)) a.push_back(__half(value));
  for (float value : random_floats(k * n * count)) b.push_back(__half(value));
  const device_array<__half> da(a), db(b), dd(std::vector<__half>(static_cast<size_t>(m * n * count), __half(0.f)));
  layout la(CUDA_R_16F, m, k, m), lb(CUDA_R_16F, k, n, k), ld_(CUDA_R_16F, m, n, m);
  la.batch(count, m * k);
  lb.batch(count, k * n);
  ld_.batch(count, m * n);
  const float alpha = 1, beta = 0;
  ASSERT_EQ(cublasLtMatmul(handle_, operation_, &alpha, da.get(), la.get(), db.get(), lb.get(), &beta, dd.get(),
                           ld_.get(), dd.get(), ld_.get(), nullptr, nullptr, 0, nullptr),
            CUBLAS_STATUS_SUCCESS);
  const std::vector<__half> found = dd.read();
  for (int i = 0; i < count; ++i) {
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        float sum = 0;
        for (int j = 0; j < k; ++j) {
          sum += static_cast<float>(a[static_cast<size_t>(i * m * k + row + j * m)]) *
                 static_cast<float>(b[static_cast<size_t>(i * k * n + j + column * k)]);
        }
        ASSERT_EQ(static_cast<float>(found[static_cast<size_t>(i * m * n + row + column * m)]), sum);
      }
    }
  }
}

double gelu(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.)) * (x + 0.044715 * x * x * x))); }
double gelu_slope(double x) { return (gelu(x + 1e-6) - gelu(x - 1e-6)) / 2e-6; }

TEST_F(Lt, Epilogues) {
  const int mask_ld = 128;
  const std::vector<float> a = random_floats(m * k), b = random_floats(k * n), bias = random_floats(m);
  std::vector<double> product(static_cast<size_t>(m * n));
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      for (int i = 0; i < k; ++i) {
        product[static_cast<size_t>(row + column * m)] +=
            0.25 * a[static_cast<size_t>(row + i * m)] * b[static_cast<size_t>(i + column * k)];
      }
    }
  }
  layout la(CUDA_R_32F, m, k, m), lb(CUDA_R_32F, k, n, k), lout(CUDA_R_32F, m, n, m);
  const device_array<float> da(a), db(b), dd(random_floats(m * n));
  const auto run = [&](cublasLtEpilogue_t epilogue, const void* bias_at, const void* aux_at, int64_t aux_ld) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(epilogue));
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_at);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux_at);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_ld);
    const float alpha = 0.25f, beta = 0;
    return cublasLtMatmul(handle_, operation_, &alpha, da.get(), la.get(), db.get(), lb.get(), &beta, dd.get(),
                          lout.get(), dd.get(), lout.get(), nullptr, nullptr, 0, nullptr);
  };
  const auto expect = [&](const std::function<double(double, int, size_t)>& function) {
    const std::vector<float> found = dd.read();
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i], function(product[i], static_cast<int>(i) % m, i), 1e-4) << i;
    }
  };
  const auto relu = [](double x) { return std::max(x, 0.); };
  const device_array<float> dbias(bias), gradient(random_floats(m)), column_gradient(random_floats(n));
  const device_array<unsigned char> mask(std::vector<unsigned char>(static_cast<size_t>(mask_ld / 8 * n), 0xa5));
  const device_array<float> before(random_floats(m * n));
  const auto with_bias = [&](double x, int row) { return x + bias[static_cast<size_t>(row)]; };

  ASSERT_EQ(run(CUBLASLT_EPILOGUE_RELU, nullptr, nullptr, 0), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int, size_t) { return relu(x); });
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_BIAS, dbias.get(), nullptr, 0), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int row, size_t) { return with_bias(x, row); });
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_GELU, nullptr, nullptr, 0), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int, size_t) { return gelu(x); });
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, dbias.get(), before.get(), m), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int row, size_t) { return gelu(with_bias(x, row)); });
  const std::vector<float> inputs = before.read();
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_NEAR(inputs[i], with_bias(product[i], static_cast<int>(i) % m), 1e-4);
  }
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_DGELU, nullptr, before.get(), m), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int, size_t i) { return x * gelu_slope(inputs[i]); });

  ASSERT_EQ(run(CUBLASLT_EPILOGUE_RELU_AUX_BIAS, dbias.get(), mask.get(), mask_ld), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int row, size_t) { return relu(with_bias(x, row)); });
  const std::vector<unsigned char> bits = mask.read();
  const auto is_positive = [&](int row, size_t i) { return with_bias(product[i], row) > 0; };
  for (size_t i = 0; i < product.size(); ++i) {
    const size_t bit = i % m + i / m * mask_ld;
    ASSERT_EQ((bits[bit / 8] >> (bit % 8)) & 1, is_positive(static_cast<int>(i) % m, i) ? 1 : 0) << i;
  }
  ASSERT_EQ(bits[15], 0xa5);  // byte 15 holds no bit of an element, so it is unchanged
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_DRELU_BGRAD, gradient.get(), mask.get(), mask_ld), CUBLAS_STATUS_SUCCESS);
  expect([&](double x, int row, size_t i) { return is_positive(row, i) ? x : 0; });
  std::vector<double> sums(m), a_sums(m), b_sums(n);
  for (size_t i = 0; i < product.size(); ++i) sums[i % m] += is_positive(static_cast<int>(i) % m, i) ? product[i] : 0;
  for (size_t i = 0; i < a.size(); ++i) a_sums[i % m] += a[i];
  for (size_t i = 0; i < b.size(); ++i) b_sums[i / k] += b[i];
  const std::vector<float> found_sums = gradient.read();
  for (size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(found_sums[i], sums[i], 1e-4);

  ASSERT_EQ(run(CUBLASLT_EPILOGUE_BGRADA, gradient.get(), nullptr, 0), CUBLAS_STATUS_SUCCESS);
  expect([](double x, int, size_t) { return x; });
  ASSERT_EQ(run(CUBLASLT_EPILOGUE_BGRADB, column_gradient.get(), nullptr, 0), CUBLAS_STATUS_SUCCESS);
  const std::vector<float> by_rows = gradient.read(), by_columns = column_gradient.read();
  for (size_t i = 0; i < a_sums.size(); ++i) ASSERT_EQ(by_rows[i], a_sums[i]);
  for (size_t i = 0; i < b_sums.size(); ++i) ASSERT_EQ(by_columns[i], b_sums[i]);

  EXPECT_EQ(run(CUBLASLT_EPILOGUE_BIAS, nullptr, nullptr, 0), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(CUBLASLT_EPILOGUE_RELU_AUX, nullptr, mask.get(), 64), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(static_cast<cublasLtEpilogue_t>(3), nullptr, nullptr, 0), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Lt, HeuristicsHaveOneAlgorithm) {
  layout la(CUDA_R_32F, m, k, m), lb(CUDA_R_32F, k, n, k), lout(CUDA_R_32F, m, n, m), wrong(CUDA_R_32F, n, m, n);
  cublasLtMatmulPreference_t preference = nullptr;
  ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
  const uint64_t bytes = 1 << 20;
  EXPECT_EQ(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, 8),
            CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t results[4];
  int returned = 0;
  EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(handle_, operation_, la.get(), lb.get(), lout.get(), lout.get(), preference,
                                           4, results, &returned),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(returned, 1);
  EXPECT_EQ(results[0].state, CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(results[0].workspaceSize, 0u);
  EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(handle_, operation_, la.get(), lb.get(), wrong.get(), wrong.get(),
                                           preference, 4, results, &returned),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(nullptr), CUBLAS_STATUS_SUCCESS);
  // A descriptor that the program holds by value.
  cublasLtMatrixLayoutOpaque_t own;
  ASSERT_EQ(cublasLtMatrixLayoutInit(&own, CUDA_R_32F, 3, 3, 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(&own), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Lt, OtherProductsAreRefused) {
  const device_array<float> x(random_floats(100));
  const float one = 1;
  const auto run = [&](layout& la, layout& lout) {
    layout lb(CUDA_R_32F, k, n, k);
    return cublasLtMatmul(handle_, operation_, &one, x.get(), la.get(), x.get(), lb.get(), &one, x.get(), lout.get(),
                          x.get(), lout.get(), nullptr, nullptr, 0, nullptr);
  };
  layout la(CUDA_R_32F, m, k, m), lout(CUDA_R_32F, m, n, m), special(CUDA_R_32F, m, k, m, CUBLASLT_ORDER_COL32);
  layout halves(CUDA_R_16F, m, n, m), narrow(CUDA_R_32F, m, k, m - 1);
  EXPECT_EQ(run(special, lout), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(run(la, halves), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(run(narrow, lout), CUBLAS_STATUS_INVALID_VALUE);
  set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const void*>(x.get()));
  EXPECT_EQ(run(la, lout), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasLtMatmul(nullptr, operation_, &one, x.get(), la.get(), x.get(), la.get(), &one, x.get(), la.get(),
                           x.get(), la.get(), nullptr, nullptr, 0, nullptr),
            CUBLAS_STATUS_NOT_INITIALIZED);
}

// C = 2 * A' + 3 * B, from rows of floats and columns of halves to rows of halves.
TEST_F(Lt, TransformsChangeOrderAndType) {
  const std::vector<float> a = random_floats(100);
  std::vector<__half> b;
  for (float value : random_floats(100)) b.push_back(__half(value));
  const device_array<float> da(a);
  const device_array<__half> db(b), dc(std::vector<__half>(100, __half(1.f)));
  layout la(CUDA_R_32F, n, m, ld, CUBLASLT_ORDER_ROW), lb(CUDA_R_16F, m, n, ld);
  layout lc(CUDA_R_16F, m, n, ld, CUBLASLT_ORDER_ROW);
  cublasLtMatrixTransformDesc_t transform = nullptr;
  ASSERT_EQ(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  const int32_t op = CUBLAS_OP_T;
  ASSERT_EQ(cublasLtMatrixTransformDescSetAttribute(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op, sizeof op),
            CUBLAS_STATUS_SUCCESS);
  const float alpha = 2, beta = 3;
  ASSERT_EQ(cublasLtMatrixTransform(handle_, transform, &alpha, da.get(), la.get(), &beta, db.get(), lb.get(), dc.get(),
                                    lc.get(), nullptr),
            CUBLAS_STATUS_SUCCESS);
  const std::vector<__half> found = dc.read();
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      ASSERT_EQ(static_cast<float>(found[lc.place(row, column)]),
                2 * a[la.place(column, row)] + 3 * static_cast<float>(b[lb.place(row, column)]));
    }
  }
  EXPECT_EQ(cublasLtMatrixTransformDescDestroy(transform), CUBLAS_STATUS_SUCCESS);
}

}  // namespace

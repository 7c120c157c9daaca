// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on a sparse and a dense vector, over all types, index types and bases.
#include <cmath>

#include "cusparse_test.hpp"

namespace {

using namespace cusparse_test;

constexpr int64_t size = 23;
const std::vector<int64_t> places{4, 0, 22, 7, 8, 15};  // in any order

cudaDataType compute_type_of(cudaDataType type) {
  if (type == CUDA_R_16F || type == CUDA_R_16BF) return CUDA_R_32F;
  return type == CUDA_C_16F || type == CUDA_C_16BF ? CUDA_C_32F : type;
}

class Vectors : public CusparseTest {
 protected:
  // Calls `use(type, x, descriptor of x, values of x)` for types, index types and bases.
  template <class Use>
  void each_vector(std::vector<cudaDataType> types, Use use) {
    for (cudaDataType type : types) {
      for (cusparseIndexType_t index_type : {CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I}) {
        for (cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
          std::vector<int64_t> stored;
          for (int64_t place : places) stored.push_back(place + base);
          const numbers x = random_numbers(type, static_cast<int64_t>(places.size()));
          const device_indices indices(index_type, stored);
          const device_numbers values(type, x);
          cusparseSpVecDescr_t descriptor = nullptr;
          ASSERT_EQ(cusparseCreateSpVec(&descriptor, size, static_cast<int64_t>(places.size()), indices.get(),
                                        values.get(), index_type, base, type),
                    CUSPARSE_STATUS_SUCCESS);
          use(type, x, descriptor, values);
          ASSERT_EQ(cusparseDestroySpVec(descriptor), CUSPARSE_STATUS_SUCCESS);
          ASSERT_FALSE(HasFatalFailure()) << "type " << type << ", index type " << index_type << ", base " << base;
        }
      }
    }
  }
};

const std::vector<cudaDataType> computed{CUDA_R_32F, CUDA_R_64F,  CUDA_C_32F, CUDA_C_64F,
                                         CUDA_R_16F, CUDA_R_16BF, CUDA_C_16F, CUDA_C_16BF};

TEST_F(Vectors, Axpby) {
  each_vector(computed, [&](cudaDataType type, const numbers& x, cusparseSpVecDescr_t dx, const device_numbers&) {
    const cudaDataType compute = compute_type_of(type);
    for (number beta : {number(0), number(1), number(2)}) {
      const numbers y = beta == number(0) ? numbers(at(size), std::nan("")) : random_numbers(type, size);
      numbers expected(at(size));
      for (size_t i = 0; beta != number(0) && i < y.size(); ++i) expected[i] = beta * y[i];
      const number alpha = random(compute);
      for (size_t k = 0; k < x.size(); ++k) expected[at(places[k])] += alpha * x[k];
      const device_vector dy(type, y);
      ASSERT_EQ(cusparseAxpby(handle_, encode(compute, {alpha}).data(), dx, encode(compute, {beta}).data(), dy.get()),
                CUSPARSE_STATUS_SUCCESS);
      expect_numbers(dy.read(), expected);
    }
  });
}

TEST_F(Vectors, GatherAndScatter) {
  std::vector<cudaDataType> types = computed;
  types.push_back(CUDA_R_8I);
  each_vector(types, [&](cudaDataType type, const numbers& x, cusparseSpVecDescr_t dx, const device_numbers& values) {
    numbers y = random_numbers(type, size);
    const device_vector dy(type, y);
    ASSERT_EQ(cusparseScatter(handle_, dx, dy.get()), CUSPARSE_STATUS_SUCCESS);
    for (size_t k = 0; k < x.size(); ++k) y[at(places[k])] = x[k];
    expect_numbers(dy.read(), y);
    const numbers other = random_numbers(type, size);
    const device_vector from(type, other);
    ASSERT_EQ(cusparseGather(handle_, from.get(), dx), CUSPARSE_STATUS_SUCCESS);
    numbers gathered;
    for (int64_t place : places) gathered.push_back(other[at(place)]);
    expect_numbers(values.read(), gathered);
  });
}

TEST_F(Vectors, Rot) {
  each_vector(computed,
              [&](cudaDataType type, const numbers& x, cusparseSpVecDescr_t dx, const device_numbers& values) {
                const cudaDataType compute = compute_type_of(type);
                const number c = 3, s = random(compute);
                const numbers y = random_numbers(type, size);
                const device_vector dy(type, y);
                ASSERT_EQ(cusparseRot(handle_, encode(compute, {c}).data(), encode(compute, {s}).data(), dx, dy.get()),
                          CUSPARSE_STATUS_SUCCESS);
                numbers new_x = x, new_y = y;
                for (size_t k = 0; k < x.size(); ++k) {
                  new_x[k] = c * x[k] + s * y[at(places[k])];
                  new_y[at(places[k])] = c * y[at(places[k])] - s * x[k];
                }
                expect_numbers(dy.read(), new_y);
                expect_numbers(values.read(), new_x);
              });
}

TEST_F(Vectors, SpVV) {
  std::vector<cudaDataType> types = computed;
  types.push_back(CUDA_R_8I);
  each_vector(types, [&](cudaDataType type, const numbers& x, cusparseSpVecDescr_t dx, const device_numbers&) {
    const numbers y = random_numbers(type, size);
    const device_vector dy(type, y);
    for (cudaDataType compute : {compute_type_of(type), CUDA_R_32I, CUDA_R_32F}) {
      if (type == CUDA_R_8I ? compute == CUDA_R_8I : compute != compute_type_of(type)) continue;
      for (bool is_conjugated : {false, true}) {
        number expected;
        for (size_t k = 0; k < x.size(); ++k) {
          expected += (is_conjugated ? std::conj(x[k]) : x[k]) * y[at(places[k])];
        }
        const auto op = is_conjugated ? CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        bytes result(16);
        size_t buffer = 0;
        ASSERT_EQ(cusparseSpVV_bufferSize(handle_, op, dx, dy.get(), result.data(), compute, &buffer),
                  CUSPARSE_STATUS_SUCCESS);
        ASSERT_EQ(cusparseSpVV(handle_, op, dx, dy.get(), result.data(), compute, nullptr), CUSPARSE_STATUS_SUCCESS);
        expect_numbers(decode(compute, result, 1), {expected});
        const device_numbers in_device(compute, {number(9)});
        ASSERT_EQ(cusparseSetPointerMode(handle_, CUSPARSE_POINTER_MODE_DEVICE), CUSPARSE_STATUS_SUCCESS);
        ASSERT_EQ(cusparseSpVV(handle_, op, dx, dy.get(), in_device.get(), compute, nullptr), CUSPARSE_STATUS_SUCCESS);
        ASSERT_EQ(cusparseSetPointerMode(handle_, CUSPARSE_POINTER_MODE_HOST), CUSPARSE_STATUS_SUCCESS);
        expect_numbers(in_device.read(), {expected});
      }
    }
  });
}

TEST_F(Vectors, AGraphWritesADotProductToHostMemory) {
  each_vector({CUDA_R_32F}, [&](cudaDataType type, const numbers& x, cusparseSpVecDescr_t dx, const device_numbers&) {
    const device_vector dy(type, numbers(at(size), 2));
    float result = 99;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    ASSERT_EQ(cusparseSpVV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, dx, dy.get(), &result, type, nullptr),
              CUSPARSE_STATUS_SUCCESS);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&runnable, graph, 0), cudaSuccess);
    EXPECT_EQ(result, 99);
    ASSERT_EQ(cudaGraphLaunch(runnable, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    number sum;
    for (const number& value : x) sum += 2.0 * value;
    EXPECT_EQ(result, sum.real());
    EXPECT_EQ(cudaGraphExecDestroy(runnable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  });
}

TEST_F(Vectors, BadArguments) {
  each_vector({CUDA_R_32F}, [&](cudaDataType, const numbers&, cusparseSpVecDescr_t dx, const device_numbers&) {
    const device_vector y(CUDA_R_32F, numbers(at(size))), wide(CUDA_R_64F, numbers(at(size))),
        small(CUDA_R_32F, numbers(4));
    const float one = 1;
    float result = 0;
    EXPECT_EQ(cusparseAxpby(nullptr, &one, dx, &one, y.get()), CUSPARSE_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(cusparseAxpby(handle_, nullptr, dx, &one, y.get()), CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_EQ(cusparseAxpby(handle_, &one, dx, &one, small.get()), CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_EQ(cusparseAxpby(handle_, &one, dx, &one, wide.get()), CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT_EQ(cusparseGather(handle_, wide.get(), dx), CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT_EQ(cusparseSpVV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, dx, y.get(), &result, CUDA_R_64F, nullptr),
              CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT_EQ(cusparseSpVV(handle_, CUSPARSE_OPERATION_TRANSPOSE, dx, y.get(), &result, CUDA_R_32F, nullptr),
              CUSPARSE_STATUS_NOT_SUPPORTED);
  });
}

}  // namespace

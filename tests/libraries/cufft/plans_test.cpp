// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans, their settings and statuses, types as arguments, streams and graphs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>
#include <vector>

#include "cufft_test.hpp"

namespace {

using namespace cufft_test;

constexpr cufftHandle no_plan = 12345;

cufftHandle make_line(int n = 8, cufftType type = CUFFT_C2C) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  EXPECT_EQ(cufftPlan1d(&plan, n, type, 1), CUFFT_SUCCESS);
  return plan;
}

TEST(cufft_plan, is_made_once) {
  cufftHandle plan;
  size_t size = 0;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &size), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 2, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 8 * 2 * sizeof(cufftComplex));
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 2, &size), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &size), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftDestroy(CUFFT_PLAN_NULL), CUFFT_SUCCESS);
}

TEST(cufft_plan, has_sizes_types_and_ranks) {
  cufftHandle plan = 77;
  int n[] = {8, 8, 8, 8};
  EXPECT_EQ(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, -3, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan2d(&plan, 8, 0, CUFFT_C2C), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan3d(&plan, 8, 8, -1, CUFFT_C2C), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, 8, static_cast<cufftType>(5), 1), CUFFT_INVALID_TYPE);
  for (int rank : {-1, 0, 4}) {
    EXPECT_EQ(cufftPlanMany(&plan, rank, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  }
  EXPECT_EQ(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlanMany(&plan, 2, n, n, 0, 64, n, 1, 64, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlanMany(&plan, 2, n, n, 1, 64, n, -1, 64, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlanMany(&plan, 2, n, n, 1, -64, n, 1, 64, CUFFT_C2C, 3), CUFFT_INVALID_VALUE);
  int no_rows[] = {8, 0};
  EXPECT_EQ(cufftPlanMany(&plan, 2, n, no_rows, 1, 64, n, 1, 64, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(plan, 77) << "a plan that was not made has a handle";
  long long large[] = {1LL << 40, 1LL << 40};
  size_t size = 0;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlanMany64(plan, 2, large, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1, &size), CUFFT_INVALID_SIZE);
  large[0] = large[1] = 1;
  EXPECT_EQ(cufftMakePlanMany64(plan, 1, large, large, 1, 1LL << 62, large, 1, 1, CUFFT_C2C, 9, &size),
            CUFFT_INVALID_SIZE);
  long long wide_rows[] = {1, 1LL << 40};
  EXPECT_EQ(cufftMakePlanMany64(plan, 2, large, wide_rows, 1LL << 40, 1, large, 1, 1, CUFFT_C2C, 9, &size),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftMakePlanMany64(plan, 2, large, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1, nullptr),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_plan, reports_the_size_of_its_work_area) {
  const cufftHandle plan = make_line(100, CUFFT_D2Z);
  int n[] = {6, 7, 9};
  long long n64[] = {6, 7, 9};
  size_t size = 0;
  EXPECT_EQ(cufftGetSize(plan, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 51 * sizeof(cufftDoubleComplex));
  const auto expect = [&](cufftResult status, size_t elements) {
    EXPECT_EQ(status, CUFFT_SUCCESS);
    EXPECT_EQ(size, elements * sizeof(cufftComplex));
    size = 0;
  };
  expect(cufftEstimate1d(9, CUFFT_R2C, 3, &size), 5 * 3);
  expect(cufftEstimate2d(7, 9, CUFFT_C2R, &size), 7 * 5);
  expect(cufftEstimate3d(6, 7, 9, CUFFT_C2C, &size), 6 * 7 * 9);
  expect(cufftEstimateMany(3, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 2, &size), 2 * 6 * 7 * 9);
  expect(cufftGetSize1d(plan, 9, CUFFT_R2C, 3, &size), 5 * 3);
  expect(cufftGetSize2d(plan, 7, 9, CUFFT_C2R, &size), 7 * 5);
  expect(cufftGetSize3d(plan, 6, 7, 9, CUFFT_C2C, &size), 6 * 7 * 9);
  expect(cufftGetSizeMany(plan, 3, n, n, 2, 1000, n, 2, 1000, CUFFT_C2C, 2, &size), 2 * 6 * 7 * 9);
  expect(cufftGetSizeMany64(plan, 3, n64, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 2, &size), 2 * 6 * 7 * 9);
  expect(cufftXtGetSizeMany(plan, 1, n64, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_32F, 2, &size, CUDA_C_32F),
         2 * 6);
  EXPECT_EQ(cufftEstimate1d(0, CUFFT_C2C, 1, &size), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftEstimate1d(8, static_cast<cufftType>(5), 1, &size), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftGetSize(plan, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftGetSize(no_plan, &size), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftGetSize1d(no_plan, 8, CUFFT_C2C, 1, &size), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_plan, runs_only_with_valid_arguments) {
  const device_array<cufftComplex> data(std::vector<cufftComplex>(16));
  cufftComplex* const x = data.get();
  cufftHandle plan;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(plan, x, x, CUFFT_FORWARD), CUFFT_INVALID_PLAN) << "not made";
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  plan = make_line();
  EXPECT_EQ(cufftExecC2C(no_plan, x, x, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftExecC2C(plan, nullptr, x, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, x, nullptr, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, x, x, 0), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(&x->y), x, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecR2C(plan, &x->x, x), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftExecZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftXtExec(plan, x, x, 7), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExec(plan, x, x, CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_plan, belongs_to_a_device) {
  int devices = 0;
  ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  if (devices < 2) GTEST_SKIP() << "one device";
  const cufftHandle plan = make_line();
  const device_array<cufftComplex> data(std::vector<cufftComplex>(8));
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD), CUFFT_INVALID_DEVICE);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_plan, needs_the_work_area_that_it_does_not_allocate) {
  const device_array<cufftComplex> data(std::vector<cufftComplex>(8)), area(std::vector<cufftComplex>(8));
  const auto run = [&](cufftHandle plan) { return cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD); };
  cufftHandle plan;
  size_t size = 0;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftSetAutoAllocation(plan, 0), CUFFT_SUCCESS);
  ASSERT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size), CUFFT_SUCCESS);
  EXPECT_EQ(run(plan), CUFFT_NO_WORKSPACE);
  EXPECT_EQ(cufftSetWorkArea(plan, area.get()), CUFFT_SUCCESS);
  EXPECT_EQ(run(plan), CUFFT_SUCCESS);
  void* areas[] = {nullptr};
  EXPECT_EQ(cufftXtSetWorkArea(plan, areas), CUFFT_SUCCESS);
  EXPECT_EQ(run(plan), CUFFT_NO_WORKSPACE);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetSize(plan, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(run(plan), CUFFT_SUCCESS);
  size = 24;
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_USER, &size), CUFFT_SUCCESS);
  size = 0;
  EXPECT_EQ(cufftGetSize(plan, &size), CUFFT_SUCCESS);
  EXPECT_EQ(size, 24u);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_USER, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, static_cast<cufftXtWorkAreaPolicy>(9), nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_PERFORMANCE, nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(run(plan), CUFFT_NO_WORKSPACE);
  EXPECT_EQ(cufftSetAutoAllocation(plan, 1), CUFFT_SUCCESS);
  EXPECT_EQ(run(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftSetAutoAllocation(plan, 1), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftSetWorkArea(plan, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtSetWorkArea(plan, nullptr), CUFFT_INVALID_VALUE);
}

TEST(cufft_plan, has_properties_until_it_is_made) {
  constexpr cufftProperty threads = NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS;
  cufftHandle plan;
  size_t size = 0;
  long long value = -1;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, threads, 2), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, threads, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, threads, 0), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, static_cast<cufftProperty>(3), 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftResetPlanProperty(plan, threads), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, threads, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 32);
  ASSERT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size), CUFFT_SUCCESS);
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, threads, 2), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftResetPlanProperty(plan, threads), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, threads, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftGetPlanPropertyInt64(no_plan, threads, &value), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft, has_the_version_of_cuda_13) {
  int version = 0, part = 0;
  EXPECT_EQ(cufftGetVersion(&version), CUFFT_SUCCESS);
  EXPECT_EQ(version, 12000);
  EXPECT_EQ(cufftGetProperty(MAJOR_VERSION, &part), CUFFT_SUCCESS);
  EXPECT_EQ(part, 12);
  EXPECT_EQ(cufftGetProperty(static_cast<libraryPropertyType>(9), &part), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftGetProperty(MAJOR_VERSION, nullptr), CUFFT_INVALID_VALUE);
}

TEST(cufft_types, are_three_complex_ones_of_one_precision) {
  struct row {
    cudaDataType in, out, execution;
    cufftResult status;
  };
  const row rows[] = {
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_SUCCESS},
      {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_SUCCESS},
      {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_SUCCESS},
      {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_SUCCESS},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_SUCCESS},
      {CUDA_C_16F, CUDA_R_16F, CUDA_C_16F, CUFFT_SUCCESS},
      {CUDA_R_16BF, CUDA_C_16BF, CUDA_C_16BF, CUFFT_SUCCESS},
      {CUDA_C_32F, CUDA_C_64F, CUDA_C_32F, CUFFT_INVALID_TYPE},
      {CUDA_R_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_INVALID_TYPE},
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_64F, CUFFT_INVALID_TYPE},
      {CUDA_C_8I, CUDA_C_8I, CUDA_C_8I, CUFFT_INVALID_TYPE},
      {CUDA_R_32F, CUDA_C_32F, CUDA_R_32F, CUFFT_INVALID_TYPE},
  };
  for (const row& r : rows) {
    long long n[] = {8};
    size_t size = 0;
    cufftHandle plan;
    ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, r.in, nullptr, 1, 1, r.out, 1, &size, r.execution),
              r.status)
        << r.in << " " << r.out << " " << r.execution;
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  }
}

struct half_number {
  using type = __half;
  static constexpr cudaDataType real = CUDA_R_16F, complex = CUDA_C_16F;
  static constexpr double tolerance = 1e-3;
  static type narrow(double x) { return __float2half_rn(static_cast<float>(x)); }
  static double widen(type x) { return __half2float(x); }
};
struct bfloat16_number {
  using type = __nv_bfloat16;
  static constexpr cudaDataType real = CUDA_R_16BF, complex = CUDA_C_16BF;
  static constexpr double tolerance = 8e-3;
  static type narrow(double x) { return __float2bfloat16_rn(static_cast<float>(x)); }
  static double widen(type x) { return __bfloat162float(x); }
};

template <class N>
class cufft_short_numbers : public testing::Test {};
using short_numbers = testing::Types<half_number, bfloat16_number>;
TYPED_TEST_SUITE(cufft_short_numbers, short_numbers);

TYPED_TEST(cufft_short_numbers, are_transformed_in_float) {
  using N = TypeParam;
  constexpr int rows = 4, columns = 16, half = columns / 2 + 1, batch = 3;
  long long n[] = {rows, columns};
  size_t size = 0;
  std::vector<typename N::type> operand(static_cast<size_t>(rows * columns * batch));
  for (size_t i = 0; i < operand.size(); ++i) operand[i] = N::narrow(number_at(i));
  const device_array<typename N::type> real(operand), complex(std::vector<typename N::type>(2 * rows * half * batch)),
      back(operand);
  cufftHandle forward, inverse;
  ASSERT_EQ(cufftCreate(&forward), CUFFT_SUCCESS);
  ASSERT_EQ(cufftCreate(&inverse), CUFFT_SUCCESS);
  ASSERT_EQ(
      cufftXtMakePlanMany(forward, 2, n, nullptr, 1, 1, N::real, nullptr, 1, 1, N::complex, batch, &size, N::complex),
      CUFFT_SUCCESS);
  ASSERT_EQ(
      cufftXtMakePlanMany(inverse, 2, n, nullptr, 1, 1, N::complex, nullptr, 1, 1, N::real, batch, &size, N::complex),
      CUFFT_SUCCESS);
  ASSERT_EQ(cufftXtExec(forward, real.get(), complex.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cufftXtExec(inverse, complex.get(), back.get(), CUFFT_INVERSE), CUFFT_SUCCESS);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const auto found = complex.values(), found_back = back.values();
  for (size_t b = 0; b < batch; ++b) {
    std::vector<wide> x(rows * columns);
    for (size_t i = 0; i < x.size(); ++i) x[i] = N::widen(operand[b * x.size() + i]);
    const std::vector<wide> y = transform(x, {rows, columns}, CUFFT_FORWARD);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t k = 0; k < half; ++k) {
        const size_t place = 2 * ((b * rows + i) * half + k);
        EXPECT_NEAR(N::widen(found[place]), y[i * columns + k].real(), 16 * N::tolerance);
        EXPECT_NEAR(N::widen(found[place + 1]), y[i * columns + k].imag(), 16 * N::tolerance);
      }
    }
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(N::widen(found_back[b * x.size() + i]) / (rows * columns), x[i].real(), 4 * N::tolerance);
    }
  }
  EXPECT_EQ(cufftDestroy(forward), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(inverse), CUFFT_SUCCESS);
}

// Returns what a call writes to standard error.
template <class Call>
std::string text_of(const Call& call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

TEST(cufft_types, of_16_bits_have_sizes_of_powers_of_two) {
  long long n[] = {12};
  size_t size = 0;
  cufftHandle plan;
  ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  const std::string text = text_of([&] {
    EXPECT_EQ(
        cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &size, CUDA_C_16F),
        CUFFT_NOT_SUPPORTED);
  });
  EXPECT_NE(text.find("cufftXtMakePlanMany is refused: transforms of half"), std::string::npos) << text;
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_refusals, name_the_call) {
  const cufftHandle plan = make_line();
  int devices[] = {0, 1};
  void* routine = nullptr;
  cudaLibXtDesc* descriptor = nullptr;
  const std::string several = text_of([&] {
    EXPECT_EQ(cufftXtSetGPUs(plan, 2, devices), CUFFT_NOT_IMPLEMENTED);
    EXPECT_EQ(cufftXtMalloc(plan, &descriptor, CUFFT_XT_FORMAT_INPLACE), CUFFT_NOT_IMPLEMENTED);
    EXPECT_EQ(cufftXtExecDescriptorC2C(plan, descriptor, descriptor, CUFFT_FORWARD), CUFFT_NOT_IMPLEMENTED);
  });
  EXPECT_NE(several.find("cufftXtSetGPUs is refused: a transform runs on one device"), std::string::npos) << several;
  EXPECT_NE(several.find("cufftXtExecDescriptorC2C is refused"), std::string::npos) << several;
  const std::string callbacks = text_of([&] {
    EXPECT_EQ(cufftXtSetCallback(plan, &routine, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_IMPLEMENTED);
    EXPECT_EQ(cufftXtSetJITCallback(plan, "load", "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_IMPLEMENTED);
  });
  EXPECT_NE(callbacks.find("cufftXtSetCallback is refused: transforms have no callbacks"), std::string::npos)
      << callbacks;
  EXPECT_EQ(cufftXtSetGPUs(no_plan, 2, devices), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtSetGPUs(plan, 2, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtFree(nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(cufft_streams, run_transforms_in_their_order) {
  const std::vector<cufftComplex> ones(64, {1, 0});
  const device_array<cufftComplex> data(ones);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const cufftHandle plan = make_line(64);
  ASSERT_EQ(cufftSetStream(plan, stream), CUFFT_SUCCESS);
  EXPECT_EQ(cufftSetStream(no_plan, stream), CUFFT_INVALID_PLAN);
  ASSERT_EQ(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cufftExecC2C(plan, data.get(), data.get(), CUFFT_INVERSE), CUFFT_SUCCESS);
  ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);  // operations in the stream keep the transform alive
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  for (const cufftComplex& z : data.values()) EXPECT_NEAR(z.x, 64, 1e-4);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(cufft_streams, are_captured_in_graphs) {
  const device_array<cufftComplex> data(std::vector<cufftComplex>(8, {1, 0}));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const cufftHandle plan = make_line();
  ASSERT_EQ(cufftSetStream(plan, stream), CUFFT_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  EXPECT_EQ(data.values()[0].x, 1) << "a captured call ran";
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  for (const cufftComplex& z : data.values()) EXPECT_NEAR(z.x, 8, 1e-4);  // a transform of a transform of ones
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

}  // namespace

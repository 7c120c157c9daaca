// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress and cudaGetDriverEntryPoint: which function, for which version, with which status. The expectations
// are what driver 580 returned on an H100, for the forms that exist here.
#include <cudaTypedefs.h>
#include <gtest/gtest.h>

#include "driver.hpp"

extern "C" CUresult cuLaunchKernel_ptsz(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                        unsigned, CUstream, void**, void**);

namespace {

void* const unchanged = reinterpret_cast<void*>(1);

struct answer {
  CUresult error;
  void* function;
  int status;
};

answer ask(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
  void* function = unchanged;
  auto status = static_cast<CUdriverProcAddressQueryResult>(7);
  const CUresult error = cuGetProcAddress(name, &function, version, flags, &status);
  void* without_status = unchanged;
  EXPECT_EQ(cuGetProcAddress(name, &without_status, version, flags, nullptr), error);
  EXPECT_EQ(without_status, function);
  void* of_runtime = unchanged;
  auto runtime_status = static_cast<cudaDriverEntryPointQueryResult>(7);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion(name, &of_runtime, static_cast<unsigned>(version), flags, &runtime_status),
            error ? cudaErrorInvalidValue : cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), error ? cudaErrorInvalidValue : cudaSuccess);
  EXPECT_EQ(of_runtime, function);
  EXPECT_EQ(static_cast<int>(runtime_status), static_cast<int>(status));
  return {error, function, status};
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

void expect_found(const answer& a, void* function) {
  EXPECT_EQ(a.error, CUDA_SUCCESS);
  EXPECT_EQ(a.function, function);
  EXPECT_EQ(a.status, CU_GET_PROC_ADDRESS_SUCCESS);
}

void expect_none(const answer& a, CUdriverProcAddressQueryResult status) {
  EXPECT_EQ(a.error, CUDA_SUCCESS);
  EXPECT_EQ(a.function, nullptr);
  EXPECT_EQ(a.status, status);
}

void expect_refused(const answer& a) {
  EXPECT_EQ(a.error, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(a.function, unchanged);
  EXPECT_EQ(a.status, 7);
}

TEST(EntryPoint, OfAVersion) {
  for (int version : {3020, 3021, 12000, 13000}) expect_found(ask("cuMemAlloc", version), address_of(cuMemAlloc));
  expect_found(ask("cuInit", 2000), address_of(cuInit));
  for (int version : {0, 2000, 3019})
    expect_none(ask("cuMemAlloc", version), CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  expect_refused(ask("cuMemAlloc", 13051));
  expect_refused(ask("cuNothing", 99000));
}

TEST(EntryPoint, TheNewestForm) {
  expect_none(ask("cuCtxCreate", 3010), CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  expect_found(ask("cuCtxCreate", 11030), address_of(cuCtxCreate_v2));
  expect_found(ask("cuCtxCreate", 12000), address_of(cuCtxCreate_v3));
  using newest = CUresult(CUcontext*, CUctxCreateParams*, unsigned, CUdevice);
  expect_found(ask("cuCtxCreate", 13000), address_of<newest>(cuCtxCreate_v4));
  expect_found(ask("cuStreamGetCtx", 12040), address_of(cuStreamGetCtx));
  expect_found(ask("cuStreamGetCtx", 12050), address_of(cuStreamGetCtx_v2));
}

TEST(EntryPoint, UnknownNames) {
  for (const char* name : {"cuNothing", "", "cuMemAlloc_v2", "cuLaunchKernel_ptsz", "cudaMalloc", "cuGetProcAddress_v2",
                           "cuMemcpy2D_v2", "cudaArrayGetPlane"}) {
    expect_none(ask(name, 13000), CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  }
}

TEST(EntryPoint, FunctionsWithoutABody) {
  const answer found = ask("cuGetExportTable", 13000);
  ASSERT_EQ(found.status, CU_GET_PROC_ADDRESS_SUCCESS);
  const auto create = reinterpret_cast<CUresult (*)(void**)>(found.function);
  testing::internal::CaptureStderr();
  void* untouched = nullptr;
  EXPECT_EQ(create(&untouched), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(create(&untouched), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cohort: cuGetExportTable() is not implemented and returns CUDA_ERROR_NOT_SUPPORTED\n");
  EXPECT_EQ(untouched, nullptr);
}

TEST(EntryPoint, StreamOfTheThread) {
  const cuuint64_t legacy = CU_GET_PROC_ADDRESS_LEGACY_STREAM, thread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  expect_found(ask("cuLaunchKernel", 7000), address_of(cuLaunchKernel));
  expect_found(ask("cuLaunchKernel", 7000, legacy), address_of(cuLaunchKernel));
  expect_found(ask("cuLaunchKernel", 7000, thread), address_of(cuLaunchKernel_ptsz));
  expect_none(ask("cuLaunchKernel", 6050, thread), CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  expect_found(ask("cuMemAlloc", 7000, thread), address_of(cuMemAlloc));  // the function has only one form
  expect_found(ask("cuMemAlloc", 7000, legacy | thread), address_of(cuMemAlloc));
  expect_refused(ask("cuMemAlloc", 7000, 4));
}

TEST(EntryPoint, NullArguments) {
  void* function = unchanged;
  EXPECT_EQ(cuGetProcAddress(nullptr, &function, 12000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress("cuInit", nullptr, 12000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(function, unchanged);
}

TEST(EntryPoint, AFoundFunctionWorks) {
  void* function = nullptr;
  ASSERT_EQ(cuGetProcAddress("cuGetProcAddress", &function, 11030, 0, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(reinterpret_cast<PFN_cuGetProcAddress_v11030>(function)("cuDriverGetVersion", &function, 13000, 0),
            CUDA_SUCCESS);
  int version = 0;
  EXPECT_EQ(reinterpret_cast<PFN_cuDriverGetVersion_v2020>(function)(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13000);
  ASSERT_EQ(cudaGetDriverEntryPoint("cuCtxSynchronize", &function, cudaEnableDefault), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<PFN_cuCtxSynchronize_v13000>(function)(nullptr), CUDA_SUCCESS);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of NVRTC and their statuses for wrong arguments. The statuses are those of NVIDIA's library of
// CUDA 13.0.
#define NVRTC_GET_TYPE_NAME 1
#include <gmock/gmock.h>

#include <cstdlib>

#include "program.hpp"

using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr const char* kernel = "__global__ void k(int* p) { *p = 1; }\n";

TEST(nvrtc_functions, version_and_architectures) {
  int major = 0, minor = -1, count = 0;
  EXPECT_EQ(nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
  EXPECT_EQ(major, 13);
  EXPECT_EQ(minor, 0);
  EXPECT_EQ(nvrtcVersion(nullptr, &minor), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcVersion(&major, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcGetNumSupportedArchs(&count), NVRTC_SUCCESS);
  EXPECT_EQ(nvrtcGetNumSupportedArchs(nullptr), NVRTC_ERROR_INVALID_INPUT);
  std::vector<int> all(static_cast<size_t>(count));
  EXPECT_EQ(nvrtcGetSupportedArchs(all.data()), NVRTC_SUCCESS);
  EXPECT_EQ(nvrtcGetSupportedArchs(nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(all, (std::vector<int>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}));
}

TEST(nvrtc_functions, names_of_statuses) {
  EXPECT_STREQ(nvrtcGetErrorString(NVRTC_SUCCESS), "NVRTC_SUCCESS");
  EXPECT_STREQ(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
  EXPECT_STREQ(nvrtcGetErrorString(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED),
               "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED");
  for (const int unknown : {18, 99, -1}) {
    EXPECT_STREQ(nvrtcGetErrorString(static_cast<nvrtcResult>(unknown)), "NVRTC_ERROR unknown");
  }
}

TEST(nvrtc_functions, wrong_arguments_of_a_new_program) {
  nvrtcProgram made = nullptr;
  const char* const text = "";
  const char* const none = nullptr;
  EXPECT_EQ(nvrtcCreateProgram(nullptr, "", "a", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcCreateProgram(&made, nullptr, "a", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", "a", -1, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", "a", 1, nullptr, &text), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", "a", 1, &text, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", "a", 1, &none, &text), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", "a", 1, &text, &none), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(made, nullptr);
}

TEST(nvrtc_functions, programs_that_do_not_exist) {
  nvrtcProgram gone = nullptr;
  EXPECT_EQ(nvrtcDestroyProgram(nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcDestroyProgram(&gone), NVRTC_ERROR_INVALID_PROGRAM);
  ASSERT_EQ(nvrtcCreateProgram(&gone, "", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  const nvrtcProgram copy = gone;
  EXPECT_EQ(nvrtcDestroyProgram(&gone), NVRTC_SUCCESS);
  EXPECT_EQ(gone, nullptr);
  size_t size = 0;
  char text = 0;
  const char* name = nullptr;
  EXPECT_EQ(nvrtcCompileProgram(copy, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  for (auto* size_of : {nvrtcGetPTXSize, nvrtcGetCUBINSize, nvrtcGetLTOIRSize, nvrtcGetOptiXIRSize,
                        nvrtcGetProgramLogSize, nvrtcGetPCHHeapSizeRequired}) {
    EXPECT_EQ(size_of(copy, &size), NVRTC_ERROR_INVALID_PROGRAM);
  }
  for (auto* get : {nvrtcGetPTX, nvrtcGetCUBIN, nvrtcGetLTOIR, nvrtcGetOptiXIR, nvrtcGetProgramLog}) {
    EXPECT_EQ(get(copy, &text), NVRTC_ERROR_INVALID_PROGRAM);
  }
  EXPECT_EQ(nvrtcAddNameExpression(copy, "k"), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcGetLoweredName(copy, "k", &name), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcGetPCHCreateStatus(copy), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(nvrtcSetFlowCallback(copy, [](void*, void*) { return 0; }, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
}

TEST(nvrtc_functions, before_a_compilation) {
  const test::program p(kernel);
  size_t size = 7;
  const char* name = nullptr;
  EXPECT_EQ(p.ptx(), "");
  EXPECT_EQ(p.log(), "");
  for (auto* size_of : {nvrtcGetCUBINSize, nvrtcGetLTOIRSize, nvrtcGetOptiXIRSize, nvrtcGetPCHHeapSizeRequired}) {
    EXPECT_EQ(size_of(p.handle, &size), NVRTC_SUCCESS);
    EXPECT_EQ(size, 0u);
    EXPECT_EQ(size_of(p.handle, nullptr), NVRTC_ERROR_INVALID_INPUT);
  }
  for (auto* get : {nvrtcGetPTX, nvrtcGetCUBIN, nvrtcGetLTOIR, nvrtcGetOptiXIR, nvrtcGetProgramLog}) {
    EXPECT_EQ(get(p.handle, nullptr), NVRTC_ERROR_INVALID_INPUT);
  }
  EXPECT_EQ(nvrtcGetLoweredName(p.handle, "k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  EXPECT_EQ(nvrtcGetLoweredName(p.handle, nullptr, &name), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcGetLoweredName(p.handle, "k", nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcAddNameExpression(p.handle, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCompileProgram(p.handle, 1, nullptr), NVRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(nvrtcCompileProgram(p.handle, -1, nullptr), NVRTC_ERROR_INVALID_INPUT);
}

TEST(nvrtc_functions, precompiled_headers) {
  const test::program p(kernel);
  size_t size = 0;
  EXPECT_EQ(nvrtcGetPCHHeapSize(&size), NVRTC_SUCCESS);
  EXPECT_EQ(size, 268435456u);
  EXPECT_EQ(nvrtcGetPCHHeapSize(nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcSetPCHHeapSize(16384), NVRTC_SUCCESS);
  EXPECT_EQ(nvrtcGetPCHHeapSize(&size), NVRTC_SUCCESS);
  EXPECT_EQ(size, 16384u);
  EXPECT_EQ(nvrtcGetPCHCreateStatus(p.handle), NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
}

TEST(nvrtc_functions, results_of_virtual_and_real_architectures) {
  test::program p(kernel);
  ASSERT_EQ(p.compile({"--gpu-architecture=compute_90"}), NVRTC_SUCCESS) << p.log();
  EXPECT_THAT(p.ptx(), StartsWith("// cohort image: "));
  EXPECT_EQ(p.cubin(), "");
  ASSERT_EQ(p.compile({"-arch=sm_90a"}), NVRTC_SUCCESS) << p.log();
  EXPECT_THAT(p.cubin(), StartsWith("// cohort image: "));
  EXPECT_EQ(p.cubin(), p.ptx());
  ASSERT_EQ(p.compile({"-fdevice-syntax-only"}), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.ptx(), "");
  EXPECT_EQ(p.compile({"--bogus"}), NVRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(p.ptx(), "");
}

TEST(nvrtc_functions, features_of_an_architecture) {
  test::program p("#ifndef __CUDA_ARCH_FEAT_SM90_ALL\n#error no features\n#endif\n__global__ void k() {}\n");
  EXPECT_EQ(p.compile({"-arch=sm_90a"}), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.compile({"-arch=sm_90"}), NVRTC_ERROR_COMPILATION);
}

TEST(nvrtc_functions, a_missing_clang) {
  setenv("COHORT_CLANG", "/no/such/clang", 1);
  test::program p(kernel);
  EXPECT_EQ(p.compile(), NVRTC_ERROR_INTERNAL_ERROR);
  EXPECT_THAT(p.log(), HasSubstr("COHORT_CLANG is '/no/such/clang', which is not a program"));
  unsetenv("COHORT_CLANG");
  EXPECT_EQ(p.compile(), NVRTC_SUCCESS) << p.log();
}

TEST(nvrtc_functions, no_folder_for_temporary_files) {
  setenv("TMPDIR", "/no/such/folder", 1);
  test::program p(kernel);
  EXPECT_EQ(p.compile({"--no-cache"}), NVRTC_ERROR_INTERNAL_ERROR);
  EXPECT_THAT(p.log(), HasSubstr("/no/such/folder: No such file or directory. Name another one in TMPDIR"));
  unsetenv("TMPDIR");
}

struct calls {
  int count = 0, last = 0;  // the callback returns 1 from this call on
  void* second = &count;
};

int count_call(void* payload, void* second) {
  calls& seen = *static_cast<calls*>(payload);
  seen.second = second;
  return ++seen.count > seen.last ? 1 : 0;
}

TEST(nvrtc_functions, a_callback_cancels) {
  for (const int last : {0, 3}) {
    test::program p(kernel);
    calls seen;
    seen.last = last;
    EXPECT_EQ(nvrtcSetFlowCallback(p.handle, nullptr, &seen), NVRTC_ERROR_INVALID_INPUT);
    EXPECT_EQ(nvrtcSetFlowCallback(p.handle, count_call, &seen), NVRTC_SUCCESS);
    EXPECT_EQ(p.compile({"--no-cache"}), NVRTC_ERROR_CANCELLED);
    EXPECT_EQ(seen.count, last + 1);
    EXPECT_EQ(seen.second, nullptr);
    EXPECT_EQ(p.log(), "");
  }
  test::program p(kernel);
  calls seen;
  seen.last = 1000000;
  nvrtcSetFlowCallback(p.handle, count_call, &seen);
  EXPECT_EQ(p.compile({"--no-cache"}), NVRTC_SUCCESS) << p.log();
  EXPECT_GT(seen.count, 1);
}

struct local {};

TEST(nvrtc_functions, names_of_types) {
  std::string name;
  EXPECT_EQ(nvrtcGetTypeName<int>(&name), NVRTC_SUCCESS);
  EXPECT_EQ(name, "int");
  EXPECT_EQ(nvrtcGetTypeName<const float*>(&name), NVRTC_SUCCESS);
  EXPECT_EQ(name, "float const*");
  EXPECT_EQ(nvrtcGetTypeName<unsigned&>(&name), NVRTC_SUCCESS);
  EXPECT_EQ(name, "unsigned int&");
  EXPECT_EQ(nvrtcGetTypeName(typeid(double), &name), NVRTC_SUCCESS);
  EXPECT_EQ(name, "double");
  EXPECT_EQ(nvrtcGetTypeName<std::vector<local>>(&name), NVRTC_SUCCESS);
  EXPECT_THAT(name, StartsWith("std::vector<(anonymous namespace)::local"));
}

}  // namespace

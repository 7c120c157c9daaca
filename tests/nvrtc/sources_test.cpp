// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of NVRTC: headers as strings, name expressions, the names without an include, and the log.
#include <gmock/gmock.h>

#include "program.hpp"

using testing::HasSubstr;
using testing::Not;

namespace {

TEST(nvrtc_sources, headers_as_strings) {
  test::program p(
      "#include \"a.h\"\n#include <deep/b.h>\n#include \"../c.h\"\n#include \"/nowhere/d.h\"\n#include <vector>\n"
      "static_assert(A + B + C + D + E == 31 && sizeof(std::vector) == 1);\n",
      {{"a.h", "#include \"deep/b.h\"\n#define A 1\n"},
       {"deep/b.h", "#pragma once\n#include \"e.h\"\n#define B 2\n"},
       {"deep/e.h", "#define E 16\n"},
       {"../c.h", "#define C 4\n"},
       {"/nowhere/d.h", "#define D 8\n"},
       {"vector", "namespace std { struct vector {}; }\n"}});
  EXPECT_EQ(p.compile(), NVRTC_SUCCESS) << p.log();
}

TEST(nvrtc_sources, names_of_headers_are_paths) {
  test::program p(
      "#include \"a/../b.h\"\n#include \"./c.h\"\n#include \"x/y/../../z//d.h\"\n#include \"../a/e.h\"\n"
      "static_assert(B + C + D + E == 15);\n",
      {{"a/../b.h", "#define B 1\n"},
       {"c.h", "#define C 2\n"},
       {"x/y/../../z/d.h", "#define D 4\n"},
       {"../a/e.h", "#define E 8\n"},
       {"", "no name finds it"}});
  EXPECT_EQ(p.compile(), NVRTC_SUCCESS) << p.log();
}

TEST(nvrtc_sources, two_headers_of_one_name) {
  const char* const texts[] = {"", ""};
  const char* const equal[] = {"b.h", "b.h"};
  const char* const of_one_path[] = {"b.h", "a/../b.h"};
  nvrtcProgram made = nullptr;
  EXPECT_EQ(nvrtcCreateProgram(&made, "", nullptr, 2, texts, equal), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcCreateProgram(&made, "", nullptr, 2, texts, of_one_path), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(made, nullptr);
}

TEST(nvrtc_sources, errors_in_headers) {
  test::program p("#include \"a.h\"\n", {{"a.h", "\n\n__device__ int f() { return wrong; }\n"}});
  EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(p.log(),
            "a.h(3): error: use of undeclared identifier 'wrong'\n  __device__ int f() { return wrong; }\n"
            "                              ^\n\n1 error detected in the compilation of \"name.cu\".\n");
}

TEST(nvrtc_sources, headers_of_the_host) {
  for (const std::string header : {"vector", "stdio.h", "cmath", "no_such_header.h"}) {
    test::program p("\n#include <" + header + ">\n");
    EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION);
    EXPECT_THAT(p.log(), HasSubstr("name.cu(2): catastrophic error: cannot open source file \"" + header + "\"\n"));
    EXPECT_THAT(p.log(), HasSubstr("1 catastrophic error detected in the compilation of \"name.cu\".\n"
                                   "Compilation terminated.\n"));
  }
}

TEST(nvrtc_sources, headers_of_libraries) {
  for (const std::string header : {"cub/cub.cuh", "thrust/sort.h", "cuda/std/inplace_vector"}) {
    test::program p("#include <" + header + ">\n");
    EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION);
    EXPECT_THAT(p.log(), HasSubstr("a header of NVIDIA's CCCL"));
    EXPECT_THAT(p.log(), HasSubstr("--include-path"));
    EXPECT_THAT(p.log(), Not(HasSubstr("--cccl")));
  }
}

TEST(nvrtc_sources, headers_of_cuda) {
  test::program p(
      "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <mma.h>\n#include "
      "<cuComplex.h>\n"
      "#include <cuda_pipeline.h>\n#include <cuda/atomic>\n#include <cuda/barrier>\n#include <cuda/pipeline>\n"
      "#include <cuda/std/type_traits>\n#include <cuda/std/utility>\n#include <cuda/std/cstdint>\n"
      "#include <cuda_runtime.h>\n#include <math_constants.h>\n"
      "__global__ void k(int* p) { auto w = cooperative_groups::tiled_partition<32>(\n"
      "  cooperative_groups::this_thread_block()); *p = cooperative_groups::reduce(w, 1, "
      "cooperative_groups::plus<int>()); }\n");
  EXPECT_EQ(p.compile({"-w"}), NVRTC_SUCCESS) << p.log();
}

// Declarations that a program's sources contain because NVRTC has no standard library.
TEST(nvrtc_sources, a_library_of_the_source) {
  test::program p(
      "namespace std { template <class A, class B> struct is_same { enum { value = 0 }; };\n"
      "template <class A> struct is_same<A, A> { enum { value = 1 }; };\n"
      "template <class A> struct numeric_limits; template <class A> struct remove_reference { typedef A type; };\n"
      "template <class A> A max(A a, A b); struct string; }\n"
      "#define INT_MAX 2147483647\n#define NAN 1\n#define EOF -1\n"
      "static_assert(std::is_same<decltype(sqrt(1.0f)), float>::value && std::is_same<decltype(sqrt(1.0)), "
      "double>::value);\n"
      "static_assert(std::is_same<decltype(pow(1.0f, 2)), float>::value);\n"
      "static_assert(std::is_same<decltype(isnan(1.0f)), int>::value && std::is_same<decltype(abs(1.0f)), "
      "float>::value);\n"
      "__global__ void k(int* p) { assert(p != NULL); *p = static_cast<int>(clock() > 0); }\n");
  EXPECT_EQ(p.compile({"-w"}), NVRTC_SUCCESS) << p.log();
}

TEST(nvrtc_sources, name_expressions) {
  test::program p(
      "namespace inner { template <class T, int N> __global__ void scale(T* p) { *p *= N; }\n"
      "  __constant__ float table[3]; template <class T> __device__ T zero; }\n"
      "extern \"C\" __global__ void plain() {}\n__global__ void over(int) {}\n__global__ void over(float) {}\n"
      "static __device__ int hidden;\n");
  const std::pair<const char*, const char*> names[] = {
      {"inner::scale<float, 2>", "_ZN5inner5scaleIfLi2EEEvPT_"},
      {"&inner::scale<unsigned char, (3 > 2)>  // a comment", "_ZN5inner5scaleIhLi1EEEvPT_"},
      {"inner::table", "_ZN5inner5tableE"},
      {"&inner::table", "_ZN5inner5tableE"},
      {"&inner::zero<int>", "_ZN5inner4zeroIiEE"},
      {"plain", "plain"},
      {"(void (*)(float))over", "_Z4overf"},
      {"&hidden", "_ZL6hidden"},
  };
  for (const auto& [expression, name] : names) {
    EXPECT_EQ(nvrtcAddNameExpression(p.handle, expression), NVRTC_SUCCESS);
    EXPECT_EQ(nvrtcAddNameExpression(p.handle, expression), NVRTC_SUCCESS);
  }
  ASSERT_EQ(p.compile(), NVRTC_SUCCESS) << p.log();
  for (const auto& [expression, name] : names) EXPECT_EQ(p.lowered(expression), name);
  const char* found = nullptr;
  EXPECT_EQ(nvrtcGetLoweredName(p.handle, "never::added", &found), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_EQ(nvrtcAddNameExpression(p.handle, "plain"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  ASSERT_EQ(p.compile({"-arch=sm_80"}), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.lowered("plain"), "plain");
}

TEST(nvrtc_sources, wrong_name_expressions) {
  for (const char* expression : {"no_such_kernel<int>", "3", "helper", "k<int"}) {
    test::program p(
        "template <class T> __global__ void k(T*);\n__device__ void helper() {}\n"
        "template <> __global__ void k<int>(int*) {}\n");
    EXPECT_EQ(nvrtcAddNameExpression(p.handle, "&k<int>"), NVRTC_SUCCESS);
    EXPECT_EQ(nvrtcAddNameExpression(p.handle, expression), NVRTC_SUCCESS);
    const char* found = nullptr;
    EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION) << expression;
    EXPECT_THAT(p.log(), HasSubstr("__nv_name_map(2): error: ")) << expression;
    EXPECT_EQ(nvrtcGetLoweredName(p.handle, "&k<int>", &found), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  }
}

TEST(nvrtc_sources, the_log) {
  test::program p("#warning \"take care\"\n__global__ void k(int* p) {\n  *p = a;\n  b();\n}\n", {}, nullptr);
  EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION);
  const std::string log = p.log();
  EXPECT_THAT(log, HasSubstr("default_program(1): warning: "));
  EXPECT_THAT(log,
              HasSubstr("default_program(3): error: use of undeclared identifier 'a'\n    *p = a;\n         ^\n\n"));
  EXPECT_THAT(log, HasSubstr("default_program(4): error: "));
  EXPECT_THAT(log, HasSubstr("2 errors detected in the compilation of \"default_program\".\n"));
  EXPECT_THAT(log, Not(HasSubstr("/tmp")));
  EXPECT_EQ(p.ptx(), "");
}

TEST(nvrtc_sources, names_with_special_characters) {
  test::program p("#error stop\n", {}, "my \"quoted\" \\name.cu");
  EXPECT_EQ(p.compile({"--no-source-include"}), NVRTC_ERROR_COMPILATION);
  EXPECT_THAT(p.log(), HasSubstr("my \"quoted\" \\name.cu(1): "));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of NVRTC: the accepted options with their values, and the messages about all others.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "program.hpp"

using testing::HasSubstr;

namespace {

constexpr const char* kernel = "__global__ void k(int* p) { *p = 1; }\n";

// Returns the log of a compilation that options end before the compiler starts.
std::string refusal(const test::texts& options) {
  test::program p(kernel);
  EXPECT_EQ(p.compile(options), NVRTC_ERROR_INVALID_OPTION) << testing::PrintToString(options);
  return p.log();
}

TEST(nvrtc_options, unknown_options) {
  EXPECT_EQ(refusal({"--bogus"}), "nvrtc: error: unrecognized option --bogus found\n");
  EXPECT_EQ(refusal({"-O3"}), "nvrtc: error: unrecognized option -O3 found\n");
  EXPECT_EQ(refusal({"kernel.cu"}), "nvrtc: error: unrecognized option kernel.cu found\n");
  EXPECT_EQ(refusal({""}), "nvrtc: error: unrecognized option  found\n");
  EXPECT_EQ(refusal({"-gpu-architecture=sm_80"}), "nvrtc: error: unrecognized option -gpu-architecture=sm_80 found\n");
  EXPECT_EQ(refusal({"--use-fast-math"}), "nvrtc: error: unrecognized option --use-fast-math found\n");
  EXPECT_EQ(refusal({"-expt-relaxed-constexpr"}), "nvrtc: error: unrecognized option -expt-relaxed-constexpr found\n");
}

TEST(nvrtc_options, wrong_values) {
  const std::string architecture = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n";
  for (const char* value : {"-arch=sm_10", "-arch=native", "-arch=90", "--gpu-architecture=sm_75,sm_80", "-arch=sm_",
                            "-arch=compute_90aa"}) {
    EXPECT_EQ(refusal({value}), architecture);
  }
  EXPECT_EQ(refusal({"--std=c++23"}), "nvrtc: error: invalid value for --std (-std)\n");
  EXPECT_EQ(refusal({"-ftz=maybe"}), "nvrtc: error: --ftz (-ftz) expects true or false\n");
  EXPECT_EQ(refusal({"-maxrregcount=abc"}), "nvrtc: error: --maxrregcount (-maxrregcount) expects an integer value\n");
  EXPECT_EQ(refusal({"--dopt=off"}), "nvrtc: error: invalid argument for option --dopt (-dopt): off\n");
  EXPECT_EQ(refusal({"--device-debug=true"}), "nvrtc: error: --device-debug (-G) does not accept any argument\n");
  EXPECT_EQ(refusal({"-w", "-arch"}), "nvrtc: error: --gpu-architecture (-arch) needs a value\n");
}

TEST(nvrtc_options, refused_by_name) {
  for (const char* option :
       {"-dlto", "--dlink-time-opt", "-gen-opt-lto", "--optix-ir", "--time=a.csv", "-fdevice-time-trace=a.json"}) {
    EXPECT_THAT(refusal({option}), HasSubstr(" is not supported: "));
  }
}

TEST(nvrtc_options, options_without_effect) {
  const test::texts options = {"-dc",
                               "--device-w",
                               "-rdc",
                               "true",
                               "--relocatable-device-code=false",
                               "-ewp",
                               "-lineinfo",
                               "-Ofc=max",
                               "--ptxas-options",
                               "-v",
                               "-maxrregcount=32",
                               "--ftz=true",
                               "-prec-sqrt=false",
                               "-prec-div",
                               "false",
                               "--extra-device-vectorization",
                               "--modify-stack-limit=false",
                               "-jtd=50",
                               "--device-stack-protector=true",
                               "--frandom-seed=7",
                               "--pch",
                               "--create-pch=a",
                               "--use-pch",
                               "b",
                               "--pch-dir=/c",
                               "-pch-verbose=true",
                               "-pch-messages=false",
                               "--instantiate-templates-in-pch=true",
                               "--restrict",
                               "-opt-info=inline",
                               "--split-compile=0",
                               "-minimal",
                               "--version-ident=true",
                               "-err-no",
                               "-no-err-no"};
  test::program p(kernel);
  EXPECT_EQ(p.compile(options), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.log(), "");
}

// Compiles a source whose constants depend on the options.
void expect_constants(const test::texts& options, const std::string& conditions) {
  test::program p("static_assert(" + conditions + ", \"wrong constants\");\n" + kernel);
  EXPECT_EQ(p.compile(options), NVRTC_SUCCESS) << p.log();
}

TEST(nvrtc_options, macros_and_standards) {
  expect_constants({}, "__CUDACC_RTC__ == 1 && __CUDA_ARCH__ == 750 && __cplusplus == 201703L");
  expect_constants({"-arch=sm_80", "-arch=sm_75"}, "__CUDA_ARCH__ == 750");
  expect_constants({"-arch", "compute_100", "--std=c++20"}, "__CUDA_ARCH__ == 1000 && __cplusplus == 202002L");
  expect_constants({"-std", "c++11"}, "__cplusplus == 201703L");
  expect_constants({"-DA=3", "-D", "B", "--define-macro=C=4", "-D=D", "-DE=1", "-UE", "--undefine-macro", "C"},
                   "A == 3 && B == 1 && D == 1");
  test::program undefined("#if defined(E)\n#error still defined\n#endif\n");
  EXPECT_EQ(undefined.compile({"-DE=1", "-UE"}), NVRTC_SUCCESS) << undefined.log();
  expect_constants({"-device-int128", "--device-float128"}, "__CUDACC_RTC_INT128__ && __CUDACC_RTC_FLOAT128__");
  expect_constants({"-G"}, "__CUDACC_DEBUG__ == 1");
  test::program optimized("#ifdef __CUDACC_DEBUG__\n#error no debugging\n#endif\n");
  EXPECT_EQ(optimized.compile({"-G", "-dopt=on"}), NVRTC_SUCCESS) << optimized.log();
  EXPECT_EQ(optimized.compile(), NVRTC_SUCCESS) << optimized.log();
  test::program not_nvcc("#if defined(__NVCC__)\n#error defined\n#endif\n");
  EXPECT_EQ(not_nvcc.compile(), NVRTC_SUCCESS) << not_nvcc.log();
}

TEST(nvrtc_options, default_execution_space) {
  const std::string source =
      "int counter; int twice(int x) { return 2 * x + counter; }\n"
      "namespace inner { float scale = 3; }\n"
      "__global__ void k(int* p) { counter = 1; *p = twice(4) + static_cast<int>(inner::scale); }\n";
  test::program plain(source), marked(source);
  EXPECT_EQ(plain.compile(), NVRTC_ERROR_COMPILATION);
  EXPECT_THAT(plain.log(), HasSubstr("name.cu(3): error: "));
  nvrtcAddNameExpression(marked.handle, "&counter");
  EXPECT_EQ(marked.compile({"-default-device"}), NVRTC_SUCCESS) << marked.log();
  EXPECT_EQ(marked.lowered("&counter"), "counter");
}

TEST(nvrtc_options, names_of_namespace_std) {
  const std::string source =
      "namespace std { template <class T> T&& move(T& x) { return static_cast<T&&>(x); }\n"
      "template <class T> class initializer_list; }\n";
  test::program clash(source), own(source);
  EXPECT_EQ(own.compile({"--builtin-move-forward=false", "-builtin-initializer-list=false"}), NVRTC_SUCCESS)
      << own.log();
  test::program used(
      "struct sum { int all = 0; __device__ sum(std::initializer_list<int> list) { for (int x : list) all += x; } };\n"
      "template <class T> __device__ T pass(T&& x) { return std::forward<T>(x); }\n"
      "__global__ void k(int* p) { sum s{1, 2, 3}; *p = std::move(s.all) + pass(4); }\n");
  EXPECT_EQ(used.compile(), NVRTC_SUCCESS) << used.log();
  EXPECT_EQ(used.compile({"--builtin-move-forward=false"}), NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(used.compile({"--builtin-initializer-list=false"}), NVRTC_ERROR_COMPILATION);
}

TEST(nvrtc_options, warnings) {
  const std::string source = "__global__ void k(int* p) {\n  int unused;\n}\n";
  const auto log_with = [&](const test::texts& options, nvrtcResult status) {
    test::program p(source);
    EXPECT_EQ(p.compile(options), status) << p.log();
    return p.log();
  };
  EXPECT_EQ(log_with({}, NVRTC_SUCCESS),
            "name.cu(2): warning #177-D: unused variable 'unused'\n    int unused;\n        ^~~~~~\n\n");
  EXPECT_EQ(log_with({"--brief-diagnostics=true"}, NVRTC_SUCCESS),
            "name.cu(2): warning #177-D: unused variable 'unused'\n\n");
  EXPECT_THAT(log_with({"-no-err-no"}, NVRTC_SUCCESS), HasSubstr("name.cu(2): warning: unused variable"));
  EXPECT_EQ(log_with({"-w"}, NVRTC_SUCCESS), "");
  EXPECT_EQ(log_with({"--diag-suppress=177"}, NVRTC_SUCCESS), "");
  EXPECT_THAT(log_with({"-diag-error", "177"}, NVRTC_ERROR_COMPILATION),
              HasSubstr("name.cu(2): error: unused variable 'unused'"));
}

TEST(nvrtc_options, folders_of_headers) {
  const auto folder = std::filesystem::temp_directory_path() / ("nvrtc test," + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "toolkit/crt");
  std::ofstream(folder / "number.h") << "#define NUMBER 5\n";
  std::ofstream(folder / "toolkit/crt/host_config.h") << "\n";
  std::ofstream(folder / "toolkit/cuda_fp16.h") << "#error the header of a toolkit\n";
  test::program p(
      "#include <number.h>\n#include <cuda_fp16.h>\n__global__ void k(__half* p) { *p = __float2half(NUMBER); }\n");
  EXPECT_EQ(p.compile(), NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(p.compile({"-I" + folder.string(), "--include-path", (folder / "toolkit").string()}), NVRTC_SUCCESS)
      << p.log();
  const std::string name = (folder / "source.cu").string();
  test::program beside("#include \"number.h\"\nstatic_assert(NUMBER == 5);\n", {}, name.c_str());
  EXPECT_EQ(beside.compile(), NVRTC_SUCCESS) << beside.log();
  EXPECT_EQ(beside.compile({"--no-source-include"}), NVRTC_ERROR_COMPILATION);
  std::filesystem::remove_all(folder);
}

TEST(nvrtc_options, first_header) {
  test::program p("static_assert(NUMBER == 6);\n", {{"first.h", "#define NUMBER 6\n"}});
  EXPECT_EQ(p.compile({"--pre-include=first.h"}), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.compile({"-include", "first.h"}), NVRTC_SUCCESS) << p.log();
  EXPECT_EQ(p.compile({"--pre-include=none.h"}), NVRTC_ERROR_COMPILATION);
}

}  // namespace

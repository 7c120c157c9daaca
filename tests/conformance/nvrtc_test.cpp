// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the umbrella header for a GPU from a string, with NVIDIA's run-time compiler:
//
//   nvrtc_test INCLUDE_FOLDER KERNELS ARCHITECTURE KERNEL
//
// ARCHITECTURE is such as compute_90, and the PTX must have KERNEL.
// COHORT_NVRTC names the library. The exit status is 77 (skipped) without libnvrtc, or if the headers have no GPU
// machine.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int skipped = 77;

// The functions of NVRTC that this test calls.
struct nvrtc {
  using program = void*;
  int (*create)(program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(program, int, const char* const*);
  int (*log_size)(program, std::size_t*);
  int (*log)(program, char*);
  int (*ptx_size)(program, std::size_t*);
  int (*ptx)(program, char*);
  int (*destroy)(program*);
};

void* open_library() {
  if (const char* named = std::getenv("COHORT_NVRTC")) return dlopen(named, RTLD_NOW);
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so",
                           "/usr/local/cuda/lib/libnvrtc.so"}) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  return nullptr;
}

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

bool load(nvrtc& api) {
  void* const library = open_library();
  return library && find(library, "nvrtcCreateProgram", api.create) &&
         find(library, "nvrtcCompileProgram", api.compile) && find(library, "nvrtcGetProgramLogSize", api.log_size) &&
         find(library, "nvrtcGetProgramLog", api.log) && find(library, "nvrtcGetPTXSize", api.ptx_size) &&
         find(library, "nvrtcGetPTX", api.ptx) && find(library, "nvrtcDestroyProgram", api.destroy);
}

struct result {
  bool ok;
  std::string log, ptx;
};

result compile(const nvrtc& api, const std::string& source, const std::vector<std::string>& options) {
  nvrtc::program program = nullptr;
  if (api.create(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0) return {false, "no program", ""};
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  result r{api.compile(program, static_cast<int>(words.size()), words.data()) == 0, "", ""};
  std::size_t size = 0;
  if (api.log_size(program, &size) == 0) {
    r.log.resize(size);
    api.log(program, r.log.data());
  }
  if (r.ok && api.ptx_size(program, &size) == 0) {
    r.ptx.resize(size);
    api.ptx(program, r.ptx.data());
  }
  api.destroy(&program);
  return r;
}

int failures = 0;
void expect(bool holds, const char* what, const std::string& log) {
  std::printf("%s: %s\n", holds ? "ok" : "FAILED", what);
  if (!holds) {
    ++failures;
    std::printf("%s\n", log.c_str());
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: nvrtc_test INCLUDE_FOLDER KERNELS ARCHITECTURE KERNEL\n");
    return 2;
  }
  nvrtc api;
  if (!load(api)) {
    std::printf("skipped: there is no libnvrtc here; COHORT_NVRTC may name one\n");
    return skipped;
  }
  const std::string include = words[1];
  std::vector<std::string> options = {"--std=c++17", std::string("--gpu-architecture=") + words[3]};

  // Tests the harness itself: a correct source compiles, a wrong one fails with the compiler's message.
  const result right = compile(api, "__global__ void k(int* p) { *p = 1; }", options);
  expect(right.ok && right.ptx.find(".entry") != std::string::npos, "a kernel without headers", right.log);
  const result wrong = compile(api, "__global__ void k(int* p) { *p = no_such_name; }", options);
  expect(!wrong.ok && wrong.log.find("no_such_name") != std::string::npos, "an error that is told", wrong.log);
  if (!std::ifstream(include + "/cohort/machine/ptx_machine.hpp")) {
    std::printf("skipped: the headers have no GPU machine\n");
    return failures ? 1 : skipped;
  }

  for (const char* folder : {"", "/compat", "/nvrtc"}) options.push_back("--include-path=" + include + folder);
  const result umbrella = compile(api, "#include <cohort/cohort.hpp>\n", options);
  expect(umbrella.ok, "the umbrella header alone", umbrella.log);

  std::ifstream file(words[2]);
  const std::string kernels((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  expect(!kernels.empty(), "the kernels can be read", words[2]);
  const result groups = compile(api, kernels, options);
  expect(groups.ok && groups.ptx.find(words[4]) != std::string::npos, words[4], groups.log);
  return failures ? 1 : 0;
}

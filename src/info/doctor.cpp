// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohort-info --doctor. The compiler is checked by its use, so that the sentences are its own.
#include "info/doctor.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cohort/base/version.hpp"
#include "engine/settings/environment.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kernel =
    "#include <cstdio>\n"
    "__global__ void k(float* x) { x[threadIdx.x] = FUNCTION(0.0f) * threadIdx.x; }\n"
    "int main() {\n"
    "  float* x;\n"
    "  if (cudaMallocManaged(&x, 33 * sizeof(float)) != cudaSuccess) return 1;\n"
    "  k<<<1, 33>>>(x);\n"
    "  if (cudaDeviceSynchronize() != cudaSuccess) return 1;\n"
    "  return x[32] == 32 ? 0 : 1;\n"
    "}\n";

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

struct outcome {
  bool succeeded;
  std::string text;  // stdout and stderr
};

outcome run(const std::string& command) {
  std::fflush(stdout);
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return {false, "the shell does not start"};
  std::string text;
  std::array<char, 512> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe)) text += buffer.data();
  return {pclose(pipe) == 0, text};
}

// The last sentence of cohortcc itself, which names the remedy; else the first error; else the first line.
std::string reason_in(const std::string& text) {
  std::istringstream lines(text);
  std::string first, error, own;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    const size_t at = line.find("error: ");
    if (at == std::string::npos) continue;
    if (line.rfind("cohortcc: error: ", 0) == 0) own = line.substr(at + 7);
    if (error.empty()) error = line.substr(at + 7);
  }
  return !own.empty() ? own : !error.empty() ? error : !first.empty() ? first : "it failed without a message";
}

bool is_in_path(const char* program) {
  const char* const path = cohort::engine::environment_variable("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// COHORT_VERSION of the headers, or 0.
int version_of_headers(const fs::path& root) {
  std::ifstream file(root / "include/cohort/base/version.hpp");
  int version = 0;
  for (std::string line; std::getline(file, line);) {
    if (std::sscanf(line.c_str(), "#define COHORT_VERSION %d", &version) == 1) return version;
  }
  return 0;
}

class doctor {
 public:
  doctor() : root_(fs::canonical("/proc/self/exe").parent_path().parent_path()) {
    const char* const chosen = cohort::engine::environment_variable("TMPDIR");
    std::string pattern = std::string(chosen ? chosen : "/tmp") + "/cohort-doctor-XXXXXX";
    if (mkdtemp(pattern.data())) folder_ = pattern;
  }
  ~doctor() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  doctor(const doctor&) = delete;
  doctor& operator=(const doctor&) = delete;

  int examine() {
    std::printf("installation: %s\n", root_.c_str());
    std::error_code ignored;
    if (!fs::exists(root_ / "bin/cohortcc", ignored) && !fs::exists(root_ / "lib/cohort/plugin.so", ignored)) {
      std::printf("ready: the library alone, for plain C++; cohortcc is not a part of this installation\n");
      return 0;
    }
    check_parts();
    check_headers();
    check_compiler();
    optional("MPI", is_in_path("mpirun"), "only worlds of several processes (cohort::mpi) need one: libopenmpi-dev");
    if (problem_.empty()) {
      std::printf("ready: cohortcc compiles kernels for this CPU, and they run\n");
      return 0;
    }
    std::printf("not ready: %s\n", problem_.c_str());
    return 1;
  }

 private:
  bool report(const char* part, bool is_right, const std::string& problem) {
    std::printf("  %-22s %s\n", part, is_right ? "right" : problem.c_str());
    if (!is_right && problem_.empty()) problem_ = problem;
    return is_right;
  }

  static void optional(const char* part, bool found, const char* use) {
    std::printf("  %-22s %s%s\n", part, found ? "found" : "not found; ", found ? "" : use);
  }

  void check_parts() {
    std::string missing;
    for (const char* part :
         {"bin/cohortcc", "lib/libcohort_cpu.a", "lib/libcohort_check.a", "lib/cohort/plugin.so",
          "lib/cohort/libsleef_stub.so", "lib/cohort/cudart/cuda_runtime.h", "include/compat/cooperative_groups.h",
          "cohort-toolkit/bin/nvcc", "cohort-toolkit/lib64/libcudart.so"}) {
      std::error_code ignored;
      if (!fs::exists(root_ / part, ignored)) missing += (missing.empty() ? "" : ", ") + std::string(part);
    }
    report("parts", missing.empty(),
           missing + " of " + root_.string() +
               " is missing; build or install Cohort completely (make product, make install)");
  }

  void check_headers() {
    const int version = version_of_headers(root_);
    report("version of headers", version == COHORT_VERSION,
           "the headers have version " + std::to_string(version) + ", the programs " + std::to_string(COHORT_VERSION) +
               "; install both from one build");
  }

  // Checks the compiler in steps. A step that fails ends the check, because the next ones need it.
  void check_compiler() {
    if (!report("temporary files", !folder_.empty(), "TMPDIR, or /tmp, takes no new folder; name one in TMPDIR"))
      return;
    const std::string cohortcc = shell_quoted((root_ / "bin/cohortcc").string());
    const outcome start = run(cohortcc + " --dryrun nothing.cu");
    if (!report("clang", start.text.find("#$ TOP=") != std::string::npos, reason_in(start.text))) return;
    if (!build_and_run("compiler and linker", "one")) return;
    build_and_run("SLEEF (mathematics)", "expf");
    std::ofstream(folder_ / "cub.cu") << "#include <cub/version.cuh>\n";
    optional("CUB, Thrust (CCCL)", run(cohortcc + " -M " + shell_quoted((folder_ / "cub.cu").string())).succeeded,
             "only programs that include them need it: pip install nvidia-cuda-cccl==13.0.85");
  }

  // Builds and runs a program with a kernel that checks that function(0) is 1.
  bool build_and_run(const char* part, const std::string& function) {
    const std::string source = (folder_ / (function + ".cu")).string(), program = (folder_ / function).string();
    std::ofstream(source) << "__device__ float one(float x) { return x + 1; }\n" << kernel;
    const outcome built = run(shell_quoted((root_ / "bin/cohortcc").string()) + " -DFUNCTION=" + function + " " +
                              shell_quoted(source) + " -o " + shell_quoted(program));
    if (!report(part, built.succeeded, reason_in(built.text))) return false;
    const outcome ran = run(shell_quoted(program));
    return ran.succeeded || report(part, false, "the program does not run: " + reason_in(ran.text));
  }

  fs::path root_, folder_;
  std::string problem_;  // what to do about the first part that failed
};

}  // namespace

int print_doctor() { return doctor().examine(); }

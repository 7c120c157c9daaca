// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/toolchain.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "system/environment.hpp"
#include "system/process.hpp"

namespace cohort {
namespace {

namespace fs = std::filesystem;

constexpr const char* wanted_version = "19";

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// The major version: "19" of "Debian clang version 19.1.7 (...)". The plugin works with no other.
std::string major_version(const std::string& clang) {
  const std::string command = shell_quoted({clang, "--version"}) + " 2>/dev/null";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 256> buffer;
  while (pipe && fgets(buffer.data(), buffer.size(), pipe.get())) {
    text += buffer.data();
  }
  const std::string marker = "clang version ";
  const size_t at = text.find(marker);
  return at == std::string::npos ? "" : text.substr(at + marker.size(), text.find('.', at) - at - marker.size());
}

// <root>, above bin/ or cohort-toolkit/bin/. The toolkit's nvcc is a link to cohortcc, or a copy in packages that have
// no links, as Python's.
fs::path find_root() {
  const fs::path above = fs::canonical("/proc/self/exe").parent_path().parent_path();
  return above.filename() == "cohort-toolkit" ? above.parent_path() : above;
}

std::string find_clang(const fs::path& own) {
  if (const std::string chosen = environment_variable("COHORT_CLANG"); !chosen.empty()) {
    const std::string path = chosen.find('/') == std::string::npos ? find_in_path(chosen) : chosen;
    if (path.empty() || !is_executable(path)) {
      throw std::runtime_error("COHORT_CLANG is '" + chosen + "', which is not a program");
    }
    if (const std::string version = major_version(path); version != wanted_version) {
      throw std::runtime_error("COHORT_CLANG is '" + chosen + "', " +
                               (version.empty() ? "which is not clang" : "which is clang " + version) + "; clang++ " +
                               wanted_version + " is needed");
    }
    return path;
  }
  if (is_executable(own)) {
    return own.string();
  }
  if (const std::string path = find_in_path("clang++-19"); !path.empty()) {
    return path;
  }
  for (const char* path : {"/usr/bin/clang++-19", "/usr/lib/llvm-19/bin/clang++"}) {
    if (is_executable(path)) {
      return path;
    }
  }
  if (const std::string path = find_in_path("clang++"); !path.empty() && major_version(path) == wanted_version) {
    return path;
  }
  throw std::runtime_error(
      "clang 19 was not found. On Debian 12 and Ubuntu 24.04: apt-get install clang-19 llvm-19. "
      "Older releases have it at apt.llvm.org. If it is elsewhere, name it: COHORT_CLANG=/path/to/clang++");
}

std::string require(const fs::path& path, const char* what) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw std::runtime_error(std::string(what) + " is missing: " + path.string() +
                             " does not exist. Build or install Cohort completely (make product, make install)");
  }
  return path.string();
}

#if defined(__aarch64__)
constexpr const char* multiarch_folder = "/usr/lib/aarch64-linux-gnu";
#else
constexpr const char* multiarch_folder = "/usr/lib/x86_64-linux-gnu";
#endif

// True if programs that are built here can load SLEEF: Cohort's own, or the system's. Debian has it in libsleef3.
bool finds_sleef(const std::string& own_folder) {
  std::error_code ignored;
  if (!own_folder.empty()) {
    return true;
  }
  if (const std::string chosen = environment_variable("COHORT_SLEEF"); !chosen.empty()) {
    return fs::is_regular_file(chosen, ignored);
  }
  std::istringstream listed(environment_variable("LD_LIBRARY_PATH"));
  std::vector<std::string> folders = {"/usr/local/lib", multiarch_folder, "/usr/lib64", "/usr/lib"};
  for (std::string folder; std::getline(listed, folder, ':');) {
    folders.push_back(folder);
  }
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return fs::is_regular_file(fs::path(folder) / "libsleef.so.3", ignored);
  });
}

bool is_toolkit_folder(const std::string& folder) {
  std::error_code ignored;
  for (const char* file : {"crt/host_runtime.h", "cuda_runtime.h", "libcudart.so", "libcudart_static.a"}) {
    if (fs::exists(fs::path(folder) / file, ignored)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string find_in_path(const std::string& program) {
  std::istringstream folders(environment_variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program;
    if (is_executable(candidate)) {
      return candidate.string();
    }
  }
  return "";
}

toolchain find_toolchain(bool needs_checker, bool needs_counters) {
  const fs::path root = find_root();
  toolchain found;
  found.clang = find_clang(root / "lib/cohort/llvm/bin/clang++");
  found.include = require(root / "include", "Cohort's header folder");
  found.cudart = require(root / "lib/cohort/cudart", "Cohort's header folder");
  found.compat = require(root / "include/compat", "Cohort's header folder");
  found.plugin = require(root / "lib/cohort/plugin.so", "The compiler plugin");
  found.lib = (root / "lib").string();
  found.library = (root / "lib/libcohort_cpu.a").string();  // needed for linking only
  found.shared_library = (root / "lib" / COHORT_SHARED_LIBRARY).string();
  if (needs_checker) {
    found.checker = require(root / "lib/libcohort_check.a", "The checker");
  }
  if (needs_counters) {
    found.counters = require(root / "lib/libcohort_count.a", "The library of the counters");
  }
  found.toolkit = (root / "cohort-toolkit").string();
  found.sleef_stub = (root / "lib/cohort/libsleef_stub.so").string();
  std::error_code ignored;
  const fs::path own_sleef = root / "lib/cohort/libsleef.so.3";
  found.run_path = fs::exists(own_sleef, ignored) ? own_sleef.parent_path().string() : "";
  found.has_sleef = finds_sleef(found.run_path);
  return found;
}

void hide_installed_cuda() {
  for (const char* name :
       {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDADIR", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) {
    unsetenv(name);
  }
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) {
    std::istringstream folders(environment_variable(name));
    std::string kept;
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty() && !is_toolkit_folder(folder)) {
        kept += (kept.empty() ? "" : ":") + folder;
      }
    }
    kept.empty() ? unsetenv(name) : setenv(name, kept.c_str(), 1);
  }
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths of clang and of Cohort's own parts; these are relative to this executable.
#pragma once

#include <string>

namespace cohort {

struct toolchain {
  std::string clang;  // clang++ 19: <root>/lib/cohort/llvm/bin/clang++ in a package that carries one, else the system's
  std::string include;         // <root>/include
  std::string cudart;          // <root>/lib/cohort/cudart
  std::string compat;          // <root>/include/compat
  std::string plugin;          // <root>/lib/cohort/plugin.so
  std::string library;         // <root>/lib/libcohort_cpu.a
  std::string shared_library;  // <root>/lib/libcohort_runtime.so.<major>
  std::string checker;         // <root>/lib/libcohort_check.a, with --check
  std::string counters;        // <root>/lib/libcohort_count.a, with --count
  std::string lib;             // <root>/lib, with the shared runtime
  std::string toolkit;         // <root>/cohort-toolkit, with the folders of a CUDA toolkit
  std::string sleef_stub;      // <root>/lib/cohort/libsleef_stub.so: programs link it and load libsleef.so.3
  std::string run_path;        // <root>/lib/cohort in a package that carries libsleef.so.3 and libomp.so.5, else empty
  bool has_sleef;              // libsleef.so.3, the mathematics of device code, is installed
};

// Throws std::runtime_error with a sentence that names what is missing and how to get it. The
// libraries of --check and --count have a path in the result only where they are needed.
toolchain find_toolchain(bool needs_checker, bool needs_counters);

// Returns the path of `program` in a folder of PATH, or an empty string.
std::string find_in_path(const std::string& program);

// Removes folders of CUDA toolkits from the environment variables that compilers search for headers and libraries.
void hide_installed_cuda();

}  // namespace cohort

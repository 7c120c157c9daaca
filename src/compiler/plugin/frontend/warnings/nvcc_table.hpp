// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warnings that nvcc shows, and clang's diagnostics that stand for them. The only list of its kind: a warning that
// is not in it is hidden unless an option of clang enables it.
#pragma once

#include <string_view>
#include <vector>

namespace clang {
class Diagnostic;
}

namespace cohort {

// The pass that reports a warning. nvcc reports unused names in its device pass only.
enum class reporting_pass { both, host, device };

// The functions that a warning is shown in. `__host__ __device__` functions are of both kinds.
enum class shown_in { all, host, device };

struct nvcc_warning {
  int number;            // number in `warning #177-D`; 0: a warning of g++, which nvcc runs for host code
  std::string_view tag;  // the name that nvcc's pragmas take in place of the number
  bool shown;            // shown without an option
  bool host_compiler;    // g++ reports it as well, so -Xcompiler -Werror makes it an error
  reporting_pass pass;
  shown_in functions;
  std::vector<unsigned> clang;  // diagnostics of clang; empty: the files of this folder report it
};

const std::vector<nvcc_warning>& nvcc_warnings();

// nullptr if the table has no such number, tag or diagnostic.
const nvcc_warning* find_warning(int number);
const nvcc_warning* find_warning(std::string_view tag);
const nvcc_warning* find_warning_of_clang(unsigned diagnostic);

// clang has one diagnostic for some pairs of nvcc's warnings.
int number_of(const nvcc_warning& warning, const clang::Diagnostic& diagnostic);

}  // namespace cohort

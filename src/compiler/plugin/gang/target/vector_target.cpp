// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/vector_target.hpp"

namespace cohort {
namespace {

struct architecture_row {
  std::string_view prefix;  // the architecture's names begin with it
  vector_target (*describe)(std::string_view features);
};

// The first row that fits is used. Any machine that LLVM compiles for has vectors like those of the last one.
constexpr architecture_row architectures[] = {{"x86", x86_target}, {"i386", x86_target}, {"", aarch64_target}};

}  // namespace

vector_target vector_target_for(std::string_view architecture, std::string_view features) {
  const architecture_row* row = architectures;
  while (architecture.substr(0, row->prefix.size()) != row->prefix) {
    ++row;
  }
  return row->describe(features);
}

}  // namespace cohort

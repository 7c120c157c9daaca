// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

namespace clang {
class CompilerInstance;
class Token;
}  // namespace clang

namespace cohort {

// Accepts alignas right after __shared__, __constant__, __device__ and __managed__. The result is a watch over the
// tokens that the parser receives.
std::function<void(clang::Token&)> accept_late_alignas(clang::CompilerInstance& compiler);

}  // namespace cohort

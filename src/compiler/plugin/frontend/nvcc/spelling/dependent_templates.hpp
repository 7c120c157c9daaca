// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace cohort {

class source_tokens;

// Finds members whose name lacks `template`, as in `X<T>::f<n>(a)`, `T::f<n>(a)` and `x.f<n>(a)`: the
// places of the names, in order. nvcc reads the tokens of a template again when device code instantiates it, and then
// finds the member. clang decides in the definition, where `<` is an operator unless the keyword is there. In code that
// is no template the keyword has no effect.
std::vector<size_t> names_without_template(const source_tokens& tokens);

// A cheap test that returns false for most sources without such names.
bool may_lack_template(llvm::StringRef source);

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

namespace clang {
class Token;
}

namespace cohort {

// A watch over the tokens that the parser receives. It replaces the constraints of inline PTX that have another meaning
// on this CPU, also where a macro has made the string: `"="#r(x)`.
std::function<void(clang::Token&)> accept_ptx_constraints();

}  // namespace cohort

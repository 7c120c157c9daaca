// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace clang {
class CompilerInstance;
class Token;
}  // namespace clang

namespace cohort {

class missing_words;

// Accepts sources that differ from clang's reading of the language in a way that nvcc permits.
// `notes`: a file for a repeated pass (spelling/missing_words.hpp). Its name with ".host" appended names another
// file (host_references.hpp). Returns the words of this pass.
std::shared_ptr<missing_words> accept_nvcc_leniency(clang::CompilerInstance& compiler, const std::string& notes);

// Accepts alignas right after __shared__, __constant__, __device__ and __managed__. The result is a watch over the
// tokens that the parser receives.
std::function<void(clang::Token&)> accept_late_alignas(clang::CompilerInstance& compiler);

// A watch over the tokens that the parser receives. It replaces the constraints of inline PTX that have another meaning
// on this CPU, also where a macro has made the string: `"="#r(x)`.
std::function<void(clang::Token&)> accept_ptx_constraints();

// nvcc accepts `__shared__ T x;` where T has constructors or a destructor, and runs none of them. clang refuses it, and
// a refused variable breaks each use. The attribute cohort_not_constructed, a part of __shared__, keeps clang from
// writing the call of the constructor: a declaration with an alias attribute gets no initialiser. This call takes the
// alias attribute from variables outside of functions, before clang emits them as aliases. In functions it has no
// effect.
void end_shared_declarations();

}  // namespace cohort

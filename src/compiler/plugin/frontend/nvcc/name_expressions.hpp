// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Name expressions of NVRTC: texts such as `&scale<float>`, by which a program gets the symbol's name.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class VarDecl;
}  // namespace clang

namespace cohort {

// The name of the function that NVRTC's library adds to a source. Each of its variables has an initialiser that is a
// name expression, cast to a pointer. Nothing calls the function; its body instantiates the templates.
inline constexpr const char* name_expressions_function = "__nvrtc_name_expressions";

// Writes the symbols of the name expressions to `file`, one a line, in the order of the source. Reports an expression
// that names neither a kernel nor a variable of the device. Returns the variables: a name expression is a use of them.
std::vector<const clang::VarDecl*> write_lowered_names(clang::CompilerInstance& compiler, const std::string& file);

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
class Decl;
}  // namespace clang

namespace cohort {

// True if the host pass need not parse the body of `declaration`: a function of a system header that only devices call.
bool is_body_unused_by_host(const clang::Decl& declaration, const clang::ASTContext& context);

// Keeps the host pass from instantiating templates in `declaration` that only devices call. nvcc's host pass does not,
// and such code may call overloads that stand behind `#if __CUDA_ARCH__ >= 600`. Functions that only such code calls
// are not reported as unused.
void leave_templates_to_device(clang::Decl& declaration);

}  // namespace cohort

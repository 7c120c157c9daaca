// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class ASTContext;
class Decl;
}  // namespace clang

namespace cohort {

// True if the host pass need not parse the body of `declaration`: a function of a system header that only devices call.
bool is_body_unused_by_host(const clang::Decl& declaration, const clang::ASTContext& context);

}  // namespace cohort

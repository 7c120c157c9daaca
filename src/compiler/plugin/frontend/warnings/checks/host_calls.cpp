// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "facts/source_facts.hpp"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cohort {
namespace {

// True for functions that nvcc calls on devices too: std::move, std::forward and the members of std::initializer_list.
bool is_for_both(const clang::FunctionDecl& callee) {
  if (!callee.isInStdNamespace()) {
    return false;
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  const llvm::StringRef name = method ? method->getParent()->getName() : callee.getIdentifier() ? callee.getName() : "";
  return name == "move" || name == "forward" || name == "initializer_list";
}

// True for functions of the C library, such as std::fabs, of which nvcc has device overloads.
bool is_of_c_library(const clang::FunctionDecl& callee) {
  const auto& sources = callee.getASTContext().getSourceManager();
  const llvm::StringRef file = llvm::sys::path::filename(sources.getFilename(callee.getLocation()));
  const char* const headers[] = {"cmath",  "std_abs.h", "cstdlib",  "cstring",
                                 "cstdio", "math.h",    "stdlib.h", "string.h"};
  return llvm::is_contained(headers, file);
}

// True for std::min and std::max of clang's <algorithm>, which are device functions. nvcc's are the host's.
bool is_clangs_overload(const clang::FunctionDecl& callee) {
  const auto& sources = callee.getASTContext().getSourceManager();
  return callee.isInStdNamespace() && sources.getFilename(callee.getLocation()).ends_with("/cuda_wrappers/algorithm");
}

bool is_host_only(const clang::FunctionDecl& callee) {
  const execution_side side = side_of(&callee);
  return ((side.host && !side.device) || is_clangs_overload(callee)) && !callee.isImplicit() && !callee.isDefaulted() &&
         !callee.isDeleted() && callee.getBuiltinID() == 0 && !is_for_both(callee) && !is_of_c_library(callee);
}

// True for functions of the library's headers: constexpr functions for both sides have no mark there, and
// cuda::std::pair is that of std.
bool is_of_cohort(const clang::FunctionDecl& callee) {
  const auto& sources = callee.getASTContext().getSourceManager();
  if (!callee.isInStdNamespace()) {
    return sources.isInSystemHeader(callee.getLocation());
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  const llvm::StringRef name = method ? method->getParent()->getName() : "";
  return name == "pair" || name == "integral_constant";
}

// True for a name that `using std::get;` declares in cuda::std.
bool is_cuda_std(const clang::CallExpr& call) {
  const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
  const auto* shadow = callee ? llvm::dyn_cast<clang::UsingShadowDecl>(callee->getFoundDecl()) : nullptr;
  const auto* scope = shadow ? llvm::dyn_cast<clang::NamespaceDecl>(shadow->getDeclContext()) : nullptr;
  return scope && scope->getName() == "std" && !scope->isStdNamespace();
}

// The calls in the body of one function.
class call_visitor : public syntax_visitor<call_visitor> {
 public:
  call_visitor(const clang::FunctionDecl& caller, diagnostic_filter& filter) : caller_(caller), filter_(filter) {}

  // In a `__host__ __device__` function, a lambda is a function of its own. Unevaluated operands call nothing.
  bool enters_statement(clang::Stmt* statement) override {
    if (llvm::isa<clang::LambdaExpr>(statement)) {
      return !side_of(&caller_).host;
    }
    return !llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr>(statement);
  }
  bool enters_decltype() const override { return false; }

  bool VisitCallExpr(clang::CallExpr* call) {
    if (!is_cuda_std(*call)) {
      check(call->getDirectCallee(), call->getExprLoc());
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) {
    check(construction->getConstructor(), construction->getLocation());
    return true;
  }

 private:
  void check(const clang::FunctionDecl* callee, clang::SourceLocation place) {
    if (!callee || !is_host_only(*callee)) {
      return;
    }
    if (!side_of(&caller_).host) {
      return check_device_caller(*callee, place);
    }
    const std::string names = "'" + callee->getQualifiedNameAsString() + "' from the __host__ __device__ function '" +
                              caller_.getQualifiedNameAsString() + "'";
    if (!callee->isConstexpr()) {
      filter_.report(place, 20011, "call of the __host__ function " + names);
    } else if (!facts().options.relaxed_constexpr) {
      filter_.report(place, 20013,
                     "call of the constexpr __host__ function " + names + "; nvcc needs --expt-relaxed-constexpr");
    }
  }

  // To clang, a constexpr function is for both sides. A call of any other host function is clang's error.
  void check_device_caller(const clang::FunctionDecl& callee, clang::SourceLocation place) {
    if (callee.isConstexpr() && !facts().options.relaxed_constexpr && !is_of_cohort(callee)) {
      filter_.report(place, 0,
                     "nvcc refuses this without --expt-relaxed-constexpr: call of the constexpr __host__ function '" +
                         callee.getQualifiedNameAsString() + "' in device code");
    }
  }

  const clang::FunctionDecl& caller_;
  diagnostic_filter& filter_;
};

class host_call_visitor : public source_visitor<host_call_visitor> {
 public:
  using source_visitor::source_visitor;

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    const execution_side side = side_of(function);
    if (function->doesThisDeclarationHaveABody() && side.device && !is_unchecked(*function)) {
      call_visitor(*function, filter_).TraverseStmt(function->getBody());
    }
    return true;
  }

 private:
  // True if `#pragma nv_exec_check_disable` precedes the function, with only directives and comments between.
  bool is_unchecked(const clang::FunctionDecl& function) const {
    const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    const clang::FunctionDecl& written = pattern ? *pattern : function;
    const clang::FunctionTemplateDecl* described = written.getDescribedFunctionTemplate();
    const auto& sources = context_.getSourceManager();
    const auto [file, begin] =
        sources.getDecomposedExpansionLoc(described ? described->getBeginLoc() : written.getBeginLoc());
    for (const clang::SourceLocation pragma : filter_.unchecked_calls()) {
      const auto [pragma_file, place] = sources.getDecomposedExpansionLoc(pragma);
      if (pragma_file == file && place < begin) {
        llvm::StringRef between = sources.getBufferData(file).slice(place, begin).split('\n').second.ltrim();
        while (between.starts_with("#") || between.starts_with("//")) {
          between = between.split('\n').second.ltrim();
        }
        if (between.empty()) {
          return true;
        }
      }
    }
    return false;
  }
};

}  // namespace

void check_host_calls(clang::ASTContext& context, diagnostic_filter& filter) {
  host_call_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort

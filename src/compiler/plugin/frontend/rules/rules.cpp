// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/rules.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "facts/source_facts.hpp"
#include "frontend/nvcc/kernel_references.hpp"
#include "frontend/rules/rule_report.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"
#include "llvm/ADT/STLExtras.h"

namespace cohort {
namespace {

constexpr const char* no_exceptions = "device code does not support exception handling";

// Walks over the code of the user's files, with the function that holds the current node. Templates are visited as
// instantiations.
class rule_visitor : public syntax_visitor<rule_visitor> {
 public:
  rule_visitor(clang::ASTContext& context, rule_report& report)
      : context_(context), report_(report), extended_lambdas_(report.is_macro("COHORT_EXTENDED_LAMBDA")) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool enters_declaration(clang::Decl* declaration) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      check_redeclaration(*function, report_);
    }
    if (is_skipped(*declaration)) {
      return false;
    }
    if (declaration->getKind() == clang::Decl::Var) {
      const auto& variable = *llvm::cast<clang::VarDecl>(declaration);
      check_variable(variable, function(), report_);
      // A static variable of device code starts with a constant, so its initialiser reads no variable of the host.
      return !variable.isConstexpr() && !(variable.isStaticLocal() && side_of(function()).device);
    }
    if (const auto* entered = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      functions_.push_back(entered);
    }
    return true;
  }

  void leave(clang::Decl* declaration) override {
    if (llvm::isa<clang::FunctionDecl>(declaration)) {
      functions_.pop_back();
    }
  }

  void begin(clang::LambdaExpr* lambda) override { functions_.push_back(lambda->getCallOperator()); }
  void end(clang::LambdaExpr*) override { functions_.pop_back(); }

  bool enters_statement(clang::Stmt* statement) override {
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
      check_marks(*lambda);
      return !lambda->getCallOperator()->isDependentContext();
    }
    // The object of a member call is not visited: nvcc permits calls of member functions of a constant of the host.
    auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(statement);
    const auto* object = call ? call->getImplicitObjectArgument() : nullptr;
    if (object && llvm::isa<clang::DeclRefExpr>(object->IgnoreParenImpCasts())) {
      for (clang::Expr* argument : call->arguments()) {
        TraverseStmt(argument);
      }
      return false;
    }
    // Values that the compiler computes read no variable of the host.
    return !llvm::isa<clang::ConstantExpr>(statement);
  }

  bool VisitVarTemplateSpecializationDecl(clang::VarTemplateSpecializationDecl* variable) {
    check_variable(*variable, function(), report_);
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    check_function(*function, report_);
    return true;
  }

  bool VisitCXXDynamicCastExpr(clang::CXXDynamicCastExpr* cast) {
    return refuse(cast->getBeginLoc(), "the operator 'dynamic_cast' is not allowed in device code");
  }
  bool VisitCXXTypeidExpr(clang::CXXTypeidExpr* expression) {
    return refuse(expression->getBeginLoc(), "the operator 'typeid' is not allowed in device code");
  }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* expression) { return refuse(expression->getBeginLoc(), no_exceptions); }
  bool VisitCXXTryStmt(clang::CXXTryStmt* statement) { return refuse(statement->getBeginLoc(), no_exceptions); }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) {
    if (function() && side_of(function()).device) {
      check_assembly(*assembly, context_, report_);
    }
    return true;
  }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr* expression) {
    return refuse(expression->getBeginLoc(), "device code cannot take the address of a label");
  }
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch) {
    if (side_of(function()).device && !facts().options.relocatable && !is_discarded(*launch)) {
      report_.error(launch->getBeginLoc(),
                    "a kernel launch from a __device__ or __global__ function requires separate compilation mode: "
                    "compile with -rdc=true");
    }
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) {
    if (const clang::Stmt* discarded = discarded_branch(*branch, context_)) {
      discarded_.push_back(discarded);
    }
    return true;
  }
  bool visit_written_type(clang::TypeLoc type) override {
    const auto array = type.getAs<clang::VariableArrayTypeLoc>();
    return !array || refuse(array.getLBracketLoc(), "the size of an array in device code must be a constant");
  }

  bool VisitBinaryOperator(clang::BinaryOperator* expression) {
    if (expression->isAssignmentOp()) {
      check_write(*expression->getLHS(), function(), report_);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* expression) {
    if (expression->isIncrementDecrementOp()) {
      check_write(*expression->getSubExpr(), function(), report_);
    }
    if (expression->getOpcode() == clang::UO_AddrOf && is_built_in(*expression->getSubExpr())) {
      warn(expression->getBeginLoc(), "a built-in variable has no address; copy it");
    }
    return true;
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr* expression) {
    const clang::FunctionDecl* allocate = expression->getOperatorNew();
    const auto* tag = allocate && allocate->getNumParams() == 2
                          ? allocate->getParamDecl(1)->getType().getNonReferenceType()->getAsCXXRecordDecl()
                          : nullptr;
    if (tag && tag->isInStdNamespace() && tag->getName() == "nothrow_t") {
      warn(expression->getBeginLoc(),
           "device code has no new(std::nothrow); CUDA's new returns null where the heap has no memory left");
    }
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->isAssignmentOp()) {
      check_write(*call->getArg(0), function(), report_);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const clang::ValueDecl* declaration = reference->getDecl();
    const execution_side side = side_of(function());
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration); function() && side.device && !side.host &&
                                                                            variable && is_read_in_memory(*reference) &&
                                                                            is_constant_of_host(*variable)) {
      report_.warning(reference->getLocation(), "the host variable '" + variable->getNameAsString() +
                                                    "' has no address in device code; declare it as __constant__ or "
                                                    "inside the function");
    }
    return true;
  }

 private:
  const clang::FunctionDecl* function() const { return functions_.back(); }

  // Unlike for warnings, an invalid variable counts: clang may have dropped its initialiser without a message.
  bool is_skipped(const clang::Decl& declaration) const {
    if (llvm::isa<clang::TranslationUnitDecl>(declaration)) {
      return false;
    }
    if (declaration.isImplicit() || context_.getSourceManager().isInSystemHeader(declaration.getLocation())) {
      return true;
    }
    const auto* scope = llvm::dyn_cast<clang::DeclContext>(&declaration);
    return scope && llvm::isa<clang::FunctionDecl, clang::RecordDecl>(declaration) && scope->isDependentContext();
  }

  bool is_discarded(const clang::Expr& expression) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    return llvm::any_of(discarded_, [&](const clang::Stmt* branch) {
      return sources.isPointWithin(sources.getExpansionLoc(expression.getBeginLoc()),
                                   sources.getExpansionLoc(branch->getBeginLoc()),
                                   sources.getExpansionLoc(branch->getEndLoc()));
    });
  }

  bool refuse(clang::SourceLocation place, const char* text) {
    if (function() && side_of(function()).device) {
      report_.error(place, text);
    }
    return true;
  }

  void warn(clang::SourceLocation place, const char* text) {
    if (function() && side_of(function()).device) {
      report_.warning(place, text);
    }
  }

  bool is_built_in(const clang::Expr& expression) const {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParens());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && context_.getSourceManager().isInSystemHeader(variable->getLocation()) &&
           llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"}, variable->getName());
  }

  void check_marks(const clang::LambdaExpr& lambda) {
    if (!is_extended(*lambda.getCallOperator()) || is_kernel_reference(*lambda.getCallOperator())) {
      return;
    }
    if (!extended_lambdas_) {
      report_.warning(lambda.getBeginLoc(), "a lambda with __device__ needs the option --extended-lambda");
    } else if (function()) {
      check_extended_lambda(lambda, *function(), report_);
    }
  }

  // clang takes an element of a constexpr array for its value, with any index.
  static bool is_read_in_memory(const clang::DeclRefExpr& reference) {
    const clang::NonOdrUseReason use = reference.isNonOdrUse();
    return use == clang::NOUR_None || (use == clang::NOUR_Constant && reference.getType()->isArrayType());
  }

  // clang gives devices a copy of the host's constants. nvcc gives them only the values of numbers.
  static bool is_constant_of_host(const clang::VarDecl& variable) {
    const auto is_written = [](const clang::Attr* attribute) { return attribute && !attribute->isImplicit(); };
    return variable.hasGlobalStorage() && !variable.isStaticLocal() && variable.getType().isConstQualified() &&
           !variable.getType()->isFloatingType() && !is_written(variable.getAttr<clang::CUDAConstantAttr>()) &&
           !is_written(variable.getAttr<clang::CUDADeviceAttr>()) && !variable.hasAttr<clang::CUDASharedAttr>() &&
           !variable.getASTContext().getSourceManager().isInSystemHeader(variable.getLocation());
  }

  clang::ASTContext& context_;
  rule_report& report_;
  const bool extended_lambdas_;
  llvm::SmallVector<const clang::Stmt*> discarded_;  // branches for which no code is generated
  llvm::SmallVector<const clang::FunctionDecl*> functions_ = {
      nullptr};  // functions around the node, the innermost last
};

}  // namespace

void check_rules(clang::CompilerInstance& compiler) {
  rule_report report(compiler);
  clang::ASTContext& context = compiler.getASTContext();
  rule_visitor(context, report).TraverseDecl(context.getTranslationUnitDecl());
  check_redeclarations(compiler, report);
  check_constant_memory(context, report);
}

}  // namespace cohort

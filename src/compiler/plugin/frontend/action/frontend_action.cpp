// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frontend half of the plugin: reads clang's syntax tree and fills source_facts.
#include "facts/option_words.hpp"
#include "facts/source_facts.hpp"
#include "frontend/action/cpu_versions.hpp"
#include "frontend/action/emission.hpp"
#include "frontend/action/ptx_functions.hpp"
#include "frontend/action/toolkit_headers.hpp"
#include "frontend/nvcc/host_references.hpp"
#include "frontend/nvcc/kernel_references.hpp"
#include "frontend/nvcc/leniency.hpp"
#include "frontend/nvcc/name_expressions.hpp"
#include "frontend/nvcc/spelling/redeclarations.hpp"
#include "frontend/nvcc/substitution_errors.hpp"
#include "frontend/nvcc/texture_names.hpp"
#include "frontend/preamble.hpp"
#include "frontend/rules/host_initialisers.hpp"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/checks/source_checks.hpp"
#include "frontend/warnings/diagnostic_filter.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CGFunctionInfo.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Queries clang's own code generator for the calling convention of a function type. It generates no code here.
class calling_convention {
 public:
  calling_convention(clang::CompilerInstance& compiler, clang::ASTContext& context)
      : generator_(clang::CreateLLVMCodeGen(compiler.getDiagnostics(), "cohort", &compiler.getVirtualFileSystem(),
                                            compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                            compiler.getCodeGenOpts(), llvm_context_)),
        context_(context) {
    generator_->Initialize(context);
  }

  std::string symbol(const clang::NamedDecl* declaration) {
    clang::GlobalDecl global;
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (function->hasAttr<clang::CUDAGlobalAttr>()) {
        global = clang::GlobalDecl(function, clang::KernelReferenceKind::Kernel);
      } else if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
        global = clang::GlobalDecl(constructor, clang::Ctor_Base);
      } else if (auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function)) {
        global = clang::GlobalDecl(destructor, clang::Dtor_Base);
      } else {
        global = clang::GlobalDecl(function);
      }
    } else {
      global = clang::GlobalDecl(llvm::cast<clang::VarDecl>(declaration));
    }
    return generator_->GetMangledName(global).str();
  }

  std::vector<parameter_fact> parameters(const clang::FunctionDecl* function) {
    auto type = function->getType()->getCanonicalTypeUnqualified().castAs<clang::FunctionProtoType>();
    const auto& layout = clang::CodeGen::arrangeFreeFunctionType(generator_->CGM(), type);
    std::vector<parameter_fact> result;
    for (const auto& argument : layout.arguments()) {
      result.push_back(parameter(argument.type, argument.info));
    }
    return result;
  }

 private:
  parameter_fact parameter(clang::CanQualType type, const clang::CodeGen::ABIArgInfo& info) {
    parameter_fact fact;
    fact.bytes = context_.getTypeSizeInChars(type).getQuantity();
    fact.alignment = context_.getTypeAlignInChars(type).getQuantity();
    if (info.isIndirect()) {
      fact.how = info.getIndirectByVal() ? parameter_fact::passing::copy : parameter_fact::passing::reference;
    } else if (info.isDirect() || info.isExtend()) {
      auto* structure = llvm::dyn_cast_or_null<llvm::StructType>(info.getCoerceToType());
      if (structure && info.isDirect() && info.getCanBeFlattened()) {
        const auto* offsets = generator_->GetModule()->getDataLayout().getStructLayout(structure);
        for (unsigned i = 0; i < structure->getNumElements(); ++i) {
          fact.offsets.push_back(info.getDirectOffset() + offsets->getElementOffset(i));
        }
      } else {
        fact.offsets.push_back(info.isDirect() ? info.getDirectOffset() : 0);
      }
    }  // clang passes nothing for any other kind, such as an empty class
    return fact;
  }

  llvm::LLVMContext llvm_context_;
  std::unique_ptr<clang::CodeGenerator> generator_;
  clang::ASTContext& context_;
};

constexpr uint32_t largest_cluster = 0x7fffffff;  // bound of the syntax; a device admits far fewer blocks

class fact_collector : public syntax_visitor<fact_collector> {
 public:
  fact_collector(clang::CompilerInstance& compiler, clang::ASTContext& context, source_facts& result,
                 ptx_functions& ptx)
      : context_(context), convention_(compiler, context), facts_(result), ptx_(ptx) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->isDependentContext() || function->isDeleted()) {
      return true;
    }
    const bool kernel = function->hasAttr<clang::CUDAGlobalAttr>();
    const bool device = kernel || function->hasAttr<clang::CUDADeviceAttr>();
    if (kernel && function->isThisDeclarationADefinition()) {
      add_kernel(function);
    }
    if (!device) {
      return true;
    }
    if (!function->isDefined()) {
      if (is_users(function) && function->getBuiltinID() == 0) {
        facts_.undefined_device.insert(convention_.symbol(function));
        if (kernel) {
          facts_.undefined_kernels.insert(convention_.symbol(function));
        }
      }
    } else if (facts_.options.relocatable && !function->isExternallyVisible()) {
      facts_.local_functions.insert(convention_.symbol(function));
    }
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) {
    ptx_.need();
    return true;
  }

  // Variables of the device that only extern declarations name, one declaration each.
  const std::vector<clang::VarDecl*>& extern_variables() const { return extern_variables_; }

  bool VisitVarDecl(clang::VarDecl* variable) {
    const bool shared = variable->hasAttr<clang::CUDASharedAttr>();
    const bool constant = variable->hasAttr<clang::CUDAConstantAttr>();
    const bool texture = variable->getType()->isCUDADeviceBuiltinTextureType();
    const bool surface = variable->getType()->isCUDADeviceBuiltinSurfaceType();
    if (!shared && !constant && !variable->hasAttr<clang::CUDADeviceAttr>() && !texture && !surface) {
      return true;
    }
    if (!variable->hasGlobalStorage() || variable->getType()->isDependentType() ||
        variable->getDeclContext()->isDependentContext() ||
        llvm::isa<clang::VarTemplatePartialSpecializationDecl>(variable)) {
      return true;
    }
    const std::string symbol = convention_.symbol(variable);
    if (shared) {
      if (variable->hasExternalStorage()) {
        facts_.dynamic_shared.insert(symbol);
      }
      return true;
    }
    if (variable->hasDefinition(context_) == clang::VarDecl::DeclarationOnly) {
      if (is_users(variable) && !may_be_defined(*variable)) {
        facts_.undefined_device.insert(symbol);
      } else if (is_users(variable) &&
                 facts_.variables.try_emplace(symbol, variable_fact{constant, true, texture, surface}).second) {
        extern_variables_.push_back(variable);
      }
      return true;
    }
    if (auto* record = variable->getType()->getAsCXXRecordDecl();
        record && record->getDeclName().isIdentifier() && record->getName().starts_with("cohort_built_in_")) {
      return true;  // threadIdx and its companions have no storage
    }
    facts_.variables[symbol] = {constant, variable->isExternallyVisible(), texture, surface};
    return true;
  }

 private:
  // True if the declaration is the user's. The toolchain's headers declare C library and engine functions, which keep
  // their names.
  bool is_users(const clang::Decl* declaration) const {
    return declaration->getLocation().isValid() &&
           !context_.getSourceManager().isInSystemHeader(declaration->getLocation());
  }

  // True if nvcc takes an extern declaration for a definition: without -rdc=true no other file can have one.
  bool may_be_defined(const clang::VarDecl& variable) const {
    return !facts_.options.relocatable && !variable.isStaticDataMember() &&
           !variable.hasAttr<clang::HIPManagedAttr>() && !variable.getType()->isIncompleteType();
  }

  void add_kernel(clang::FunctionDecl* function) {
    kernel_fact kernel;
    kernel.readable_name = function->getQualifiedNameAsString();
    kernel.parameters = convention_.parameters(function);
    if (auto* bounds = function->getAttr<clang::CUDALaunchBoundsAttr>()) {
      if (auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context_)) {
        kernel.max_threads = static_cast<uint32_t>(threads->getExtValue());
      }
    }
    for (const auto* mark : function->specific_attrs<clang::AnnotateAttr>()) {
      if (mark->getAnnotation() == "cohort.cluster_dims") {
        read_cluster(*mark, kernel);
      } else if (mark->getAnnotation() == "cohort.block_size") {
        refuse(mark->getLocation(),
               "cohortcc does not support __block_size__: use __launch_bounds__ and __cluster_dims__");
      }
    }
    facts_.kernels[convention_.symbol(function)] = std::move(kernel);
  }

  void read_cluster(const clang::AnnotateAttr& mark, kernel_fact& kernel) {
    const unsigned count = mark.args_size();
    if (count < 1 || count > 3) {
      return refuse(mark.getLocation(), "__cluster_dims__ takes one, two or three numbers of blocks: x, y and z");
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
      kernel.cluster[axis] = 1;
      if (axis >= count) {
        continue;
      }
      const clang::Expr& size = mark.args_begin()[axis][0];
      const auto value = size.getIntegerConstantExpr(context_);
      if (!value || *value < 1 || *value > largest_cluster) {
        return refuse(size.getExprLoc(),
                      "a dimension of __cluster_dims__ is a number of blocks, known when compiling, "
                      "from 1 to 2147483647");
      }
      kernel.cluster[axis] = static_cast<uint32_t>(value->getExtValue());
    }
  }

  void refuse(clang::SourceLocation where, const char* sentence) {
    auto& diagnostics = context_.getDiagnostics();
    diagnostics.Report(where, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << sentence;
  }

  clang::ASTContext& context_;
  calling_convention convention_;
  source_facts& facts_;
  ptx_functions& ptx_;
  std::vector<clang::VarDecl*> extern_variables_;
};

// Watches instantiations. `emits_on_use`: see emission.hpp.
class instantiation_watch : public preamble_instantiations {
 public:
  explicit instantiation_watch(bool emits_on_use) : emits_on_use_(emits_on_use) {}
  void InstantiationRequested(const clang::ValueDecl* declaration) override {
    if (emits_on_use_) {
      emit_instantiation_on_use(*declaration);
    }
  }

 private:
  const bool emits_on_use_;
};

class fact_consumer : public clang::SemaConsumer {
 public:
  fact_consumer(clang::CompilerInstance& compiler, std::shared_ptr<missing_words> words)
      : compiler_(compiler), words_(std::move(words)), report_(compiler) {}

  void InitializeSema(clang::Sema& sema) override {
    find_texture_names(sema);
    report_substitution_errors_at_once(compiler_, sema);
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    end_shared_declarations();
    allow_kernel_references(compiler_.getSema());
    if (facts().options.device) {
      return true;
    }
    const clang::SourceManager& sources = compiler_.getSourceManager();
    for (clang::Decl* declaration : group) {
      if (!sources.isInSystemHeader(declaration->getLocation())) {
        leave_templates_to_device(*declaration);
        if (!compiler_.getDiagnostics().hasErrorOccurred()) {
          check_host_initialisers(*declaration, report_);
        }
      }
    }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    note_redeclarations(compiler_, *words_);
    if (!compiler_.getDiagnostics().hasErrorOccurred()) {
      if (!facts().options.relocatable) {
        limit_walks_to_source(context);
      }
      ptx_functions ptx;
      fact_collector collector(compiler_, context, facts(), ptx);
      collector.TraverseDecl(context.getTranslationUnitDecl());
      for (clang::Decl* instance : instantiations_.found()) {
        collector.TraverseDecl(instance);
      }
      for (const clang::VarDecl* variable : collector.extern_variables()) {
        define_extern_variable(compiler_, *variable);
        if (facts().options.device) {
          report_.warning(variable->getLocation(), 20044,
                          "extern declaration of '" + variable->getQualifiedNameAsString() +
                              "' is treated as a static definition; -rdc=true links it to another file's");
        }
      }
      if (makes_preamble(compiler_)) {
        end_preamble(ptx.is_needed());
      }
      ptx.emit(compiler_, context);
      forget_emitted_variables(context);
      check_source(compiler_, *warnings());
      if (facts().options.runtime_compiler()) {
        for (const clang::VarDecl* named : write_lowered_names(compiler_, facts().options.lowered_names)) {
          emit_variable(context, *named);
        }
      }
      if (facts().options.device) {
        check_rules(compiler_);
        if (are_host_references_taken()) {
          collect_host_references(compiler_);
        }
      }
    }
  }

  // clang calls this before it parses a body.
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    if (facts().options.device) {
      if (emits_on_use()) {
        emit_on_use(*declaration);
      }
      return false;
    }
    return is_body_unused_by_host(*declaration, compiler_.getASTContext());
  }

  clang::ASTMutationListener* GetASTMutationListener() override { return &instantiations_; }

 private:
  // True where no other file can use a device function of this one: in a device pass without -rdc=true.
  static bool emits_on_use() { return facts().options.device && !facts().options.relocatable; }

  // The passes that read the precompiled form get the facts about variables from a file. The functions private to a
  // file are needed with -rdc=true only, where the walk enters the preamble.
  void end_preamble(bool has_inline_ptx) const {
    if (has_inline_ptx || !facts().kernels.empty() || !facts().dynamic_shared.empty() ||
        !facts().undefined_device.empty()) {
      clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
      engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                           "the preamble has kernels, shared variables or inline PTX, which a "
                                           "precompiled header hides from the plugin"));
    }
    write_variable_facts(compiler_.getFrontendOpts().OutputFile + ".facts");
  }

  clang::CompilerInstance& compiler_;
  std::shared_ptr<missing_words> words_;
  rule_report report_;
  instantiation_watch instantiations_{emits_on_use()};
};

class fact_action : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    refuse_toolkit_headers(compiler);
    if (facts().options.headers_only) {
      return std::make_unique<clang::ASTConsumer>();
    }
    auto words = accept_nvcc_leniency(compiler, facts().options.notes);
    filter_diagnostics(compiler, facts().options.warnings);
    facts().options.active = true;
    facts().options.device = compiler.getLangOpts().CUDAIsDevice;
    compiler.getFrontendOpts().SkipFunctionBodies = true;  // clang calls fact_consumer to decide each body
    if (!facts().options.device) {
      compiler.getDiagnostics().setSeverityForGroup(clang::diag::Flavor::WarningOrError,
                                                    "unneeded-internal-declaration", clang::diag::Severity::Ignored);
    }
    return std::make_unique<fact_consumer>(compiler, std::move(words));
  }

  bool ParseArgs(const clang::CompilerInstance& compiler, const std::vector<std::string>& arguments) override {
    auto& options = facts().options;
    for (llvm::StringRef argument : arguments) {
      if (argument == "headers") {
        options.headers_only = true;
      } else if (argument.consume_front("cpu=")) {
        if (!add_cpu_version(compiler, argument)) {
          return false;
        }
      } else if (argument.consume_front("notes=")) {
        options.notes = argument.str();
      } else if (argument.consume_front("lowered-names=")) {
        options.lowered_names = argument.str();
      } else if (argument.consume_front("warnings-")) {
        options.warnings.push_back(argument.str());
      } else if (argument.consume_front("preamble=")) {
        write_searched_names(compiler, argument.str());
      } else if (argument.consume_front("preamble-facts=")) {
        if (!read_variable_facts(argument.str())) {
          auto& diagnostics = compiler.getDiagnostics();
          diagnostics.Report(clang::diag::err_cannot_open_file) << argument << "no facts of a preamble";
          return false;
        }
      } else if (argument == "relaxed-constexpr") {
        options.relaxed_constexpr = true;
      } else if (!read_word(options, argument)) {
        auto& diagnostics = compiler.getDiagnostics();
        diagnostics.Report(
            diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "unknown option '%0' of the cohort plugin"))
            << argument;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<fact_action> registration("cohort", "makes CUDA kernels runnable on the CPU");

}  // namespace
}  // namespace cohort

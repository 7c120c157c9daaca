// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __managed__ variable is one variable for host and device. The device object defines it, under a name that both
// passes compute; the host object refers to it. It lies on pages of its own between two pages of padding, which the
// runtime makes inaccessible (COHORT_GUARD): the host's variables are its neighbours otherwise.
#include "lowering.hpp"

#include <cohort/machine/cpu/port/module.hpp>

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr const char* managed_section = ".cohort.managed";
constexpr uint64_t padding_page = cohort_padding_page;
constexpr const char* padded_suffix = ".padded";

std::vector<llvm::GlobalVariable*> managed_variables(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> result;
  for (auto& variable : module.globals()) {
    if (variable.getSection() == managed_section) {
      result.push_back(&variable);
    }
  }
  return result;
}

void give_shared_name(llvm::GlobalVariable& variable) {
  variable.setName(managed_symbol(variable.getName()));
  variable.setSection("");
  variable.setVisibility(llvm::GlobalValue::HiddenVisibility);  // one variable in each program and shared library
}

// Puts the variable between pages of padding. Its symbol becomes an alias into the padded variable.
void put_between_pages(llvm::GlobalVariable& variable) {
  llvm::Module& module = *variable.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::LLVMContext& context = module.getContext();
  const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
  const llvm::Align alignment = layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType());
  // A variable that several files may define stays as it is, for the linker.
  if (alignment.value() > padding_page || variable.hasComdat() || !variable.isStrongDefinitionForLinker()) {
    return;
  }
  auto* byte = llvm::Type::getInt8Ty(context);
  auto* before = llvm::ArrayType::get(byte, padding_page);
  auto* behind = llvm::ArrayType::get(byte, llvm::offsetToAlignment(bytes, llvm::Align(padding_page)) + padding_page);
  auto* type = llvm::StructType::get(context, {before, variable.getValueType(), behind}, true);
  auto* value = llvm::ConstantStruct::get(type, {llvm::ConstantAggregateZero::get(before), variable.getInitializer(),
                                                 llvm::ConstantAggregateZero::get(behind)});
  auto* padded = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::PrivateLinkage, value,
                                          variable.getName() + padded_suffix);
  padded->setAlignment(llvm::Align(padding_page));
  padded->setExternallyInitialized(true);
  padded->setDSOLocal(true);
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
  variable.getDebugInfo(described);
  for (auto* old : described) {
    auto* place = llvm::DIExpression::get(context, {llvm::dwarf::DW_OP_plus_uconst, padding_page});
    padded->addDebugInfo(llvm::DIGlobalVariableExpression::get(context, old->getVariable(), place));
  }
  auto* start = llvm::ConstantExpr::getInBoundsGetElementPtr(
      byte, padded, llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), padding_page));
  auto* symbol =
      llvm::GlobalAlias::create(variable.getValueType(), 0, llvm::GlobalValue::ExternalLinkage, "", start, &module);
  symbol->setVisibility(variable.getVisibility());
  symbol->takeName(&variable);
  variable.replaceAllUsesWith(symbol);
  variable.eraseFromParent();
}

}  // namespace

std::string managed_symbol(llvm::StringRef name) {
  const auto& known = facts();
  auto found = known.variables.find(name.str());
  const bool one_in_program =
      known.options.relocatable && (found == known.variables.end() || found->second.externally_visible);
  return (name + ".managed" + (one_in_program ? "" : "." + known.options.id)).str();
}

void lower_managed_variables(llvm::Module& module) {
  for (auto* variable : managed_variables(module)) {
    give_shared_name(*variable);
    if (!variable->isDeclaration()) {
      if (variable->hasLocalLinkage()) {
        variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
      }
      variable->setExternallyInitialized(true);
      put_between_pages(*variable);
    }
  }
}

managed_variable_definition find_managed_variable(llvm::Module& module, llvm::StringRef name) {
  const std::string symbol = managed_symbol(name);
  if (auto* alias = module.getNamedAlias(symbol)) {
    return {alias, module.getDataLayout().getTypeAllocSize(alias->getValueType()), true};
  }
  auto* variable = module.getGlobalVariable(symbol, true);
  if (!variable || variable->isDeclaration()) {
    return {};
  }
  return {variable, module.getDataLayout().getTypeAllocSize(variable->getValueType()), false};
}

void lower_host_variables(llvm::Module& module) {
  for (auto* variable : managed_variables(module)) {
    give_shared_name(*variable);
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setComdat(nullptr);
  }
  if (!facts().options.relocatable) {
    return;
  }
  // clang makes each shadow private to its file, but `extern __device__` in another file of the program or shared
  // library means this variable.
  for (const auto& [name, fact] : facts().variables) {
    auto* shadow = module.getGlobalVariable(name, true);
    if (shadow && fact.externally_visible && shadow->hasLocalLinkage() && !shadow->isDeclaration()) {
      shadow->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
      shadow->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  }
}

}  // namespace cohort

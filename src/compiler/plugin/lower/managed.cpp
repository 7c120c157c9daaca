// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __managed__ variable is one variable for host and device. The device object defines it, under a name that both
// passes compute; the host object refers to it.
#include "lowering.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr const char* managed_section = ".cohort.managed";

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
  variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
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
    }
  }
}

void lower_host_variables(llvm::Module& module) {
  for (auto* variable : managed_variables(module)) {
    give_shared_name(*variable);
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setComdat(nullptr);
    variable->setDSOLocal(false);
  }
  if (!facts().options.relocatable) {
    return;
  }
  // clang makes each shadow private to its file, but `extern __device__` in another file means this variable.
  for (const auto& [name, fact] : facts().variables) {
    auto* shadow = module.getGlobalVariable(name, true);
    if (shadow && fact.externally_visible && shadow->hasLocalLinkage() && !shadow->isDeclaration()) {
      shadow->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
    }
  }
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device symbols get names of their own. Host and device object hold functions of one name with different bodies
// (`#ifdef __CUDA_ARCH__` in an inline function); the linker would keep one of the two.
#include "analysis/port_calls.hpp"
#include "lower/report_error.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr const char* suffix = ".device";

bool is_bound_of_section(llvm::StringRef name) {
  return (name.consume_front(names::start_of_section) || name.consume_front(names::end_of_section)) &&
         is_of_cohort(name);
}

// An instruction that uses `value`, directly or through constants; null if only other globals use it.
const llvm::Instruction* find_use(const llvm::Value& value) {
  for (const llvm::User* user : value.users()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      return instruction;
    }
    if (llvm::isa<llvm::Constant>(user) && !llvm::isa<llvm::GlobalValue>(user)) {
      if (auto* instruction = find_use(*user)) {
        return instruction;
      }
    }
  }
  return nullptr;
}

void refuse_undefined(llvm::GlobalValue& global) {
  if (global.use_empty()) {
    return;
  }
  const std::string message = "device " + std::string(llvm::isa<llvm::Function>(global) ? "function" : "variable") +
                              " '" + llvm::demangle(global.getName()) +
                              "' is not defined in this file; compile all files of the program with -rdc=true to "
                              "use device code of other files";
  if (auto* use = find_use(global)) {
    report_error(*use, message);
  } else {
    report_error(*global.getParent(), message);
  }
}

// True for virtual tables and type information of the user's classes. They are declared here if the class's first
// virtual function is defined in another file.
bool is_class_table(llvm::StringRef name) {
  return name.starts_with("_ZT") && !name.contains("__cxxabiv1") && !name.substr(4).starts_with("St") &&
         !name.substr(4).starts_with("NSt");
}

void move_to_own_comdat(llvm::Module& module, llvm::GlobalObject& object) {
  if (auto* old = object.getComdat()) {
    auto* own = module.getOrInsertComdat((old->getName() + suffix).str());
    own->setSelectionKind(old->getSelectionKind());
    object.setComdat(own);
  }
}

}  // namespace

void rename_symbols(llvm::Module& module) {
  const auto& known = facts();
  std::vector<llvm::GlobalValue*> globals;
  for (auto& global : module.global_values()) {
    globals.push_back(&global);
  }
  for (auto* global : globals) {
    const std::string name = global->getName().str();
    const llvm::StringRef view = name;
    if (global->hasPrivateLinkage() || view.starts_with("llvm.") || is_bound_of_section(view) ||
        view == names::variable_deltas || view.contains(".managed")) {
      continue;
    }
    if (global->isDeclaration()) {
      if (!known.undefined_device.count(name) && !is_class_table(name)) {
        continue;  // the engine or the C library defines it
      }
      if (known.options.relocatable) {
        global->setName(name + suffix);
        global->setVisibility(llvm::GlobalValue::HiddenVisibility);
      } else {
        refuse_undefined(*global);
      }
      continue;
    }
    // Without -rdc=true, the device code of a file is a program of its own: two files may define equal names.
    const bool local = !known.options.relocatable || known.local_functions.count(name) ||
                       (known.variables.count(name) && !known.variables.at(name).externally_visible);
    global->setName(name + suffix);
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(global)) {
      move_to_own_comdat(module, *object);
    }
    const bool profile = view.starts_with("__llvm");
    if (local && !profile) {
      global->setVisibility(llvm::GlobalValue::DefaultVisibility);
      global->setLinkage(llvm::GlobalValue::InternalLinkage);
      if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(global)) {
        object->setComdat(nullptr);
      }
    } else if (!profile) {
      // CUDA links the device code of each program and shared library separately: a name here must not bind to the
      // equal name of another library.
      global->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
    global->setDSOLocal(!global->hasDefaultVisibility() || global->hasLocalLinkage() || global->isDSOLocal());
  }
}

}  // namespace cohort

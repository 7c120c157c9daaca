// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/step_results.hpp"

#include "facts/source_facts.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// On a kernel: the bytes, 1 if it is linked, and the begin and end of each gap.
constexpr llvm::StringLiteral shared_mark = "cohort.shared";
// In the module: a variable and its bytes in each node; the places in one node; begin, end and deltas in one node.
constexpr llvm::StringLiteral own_mark = "cohort.own", places_mark = "cohort.places", bounds_mark = "cohort.bounds";

llvm::Metadata* number(llvm::LLVMContext& context, uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
}

uint64_t number(const llvm::MDNode& node, unsigned i) {
  return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(i))->getZExtValue();
}

llvm::GlobalVariable* variable(const llvm::MDNode& node, unsigned i) {
  return llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(node.getOperand(i));
}

// Calls `use` with each node of the named metadata, and removes the metadata.
template <class Use>
void take(llvm::Module& module, llvm::StringRef name, Use use) {
  llvm::NamedMDNode* named = module.getNamedMetadata(name);
  if (!named) {
    return;
  }
  for (const llvm::MDNode* node : named->operands()) {
    use(*node);
  }
  named->eraseFromParent();
}

}  // namespace

void keep_shared_needs(const shared_needs& needs) {
  for (const auto& [kernel, need] : needs) {
    llvm::LLVMContext& context = kernel->getContext();
    llvm::SmallVector<llvm::Metadata*, 8> members = {number(context, need.bytes), number(context, need.linked)};
    for (const auto& [begin, end] : need.gaps) {
      members.append({number(context, begin), number(context, end)});
    }
    kernel->setMetadata(shared_mark, llvm::MDNode::get(context, members));
  }
}

shared_needs take_shared_needs(llvm::Module& module) {
  shared_needs needs;
  for (const auto& [name, fact] : facts().kernels) {
    llvm::Function* kernel = module.getFunction(name);
    if (!kernel || kernel->isDeclaration()) {
      continue;
    }
    shared_need need;
    if (const llvm::MDNode* node = kernel->getMetadata(shared_mark)) {
      need.bytes = number(*node, 0);
      need.linked = number(*node, 1) != 0;
      for (unsigned i = 2; i + 1 < node->getNumOperands(); i += 2) {
        need.gaps.emplace_back(number(*node, i), number(*node, i + 1));
      }
      kernel->setMetadata(shared_mark, nullptr);
    }
    needs.emplace_back(kernel, std::move(need));
  }
  return needs;
}

void keep_device_variables(llvm::Module& module, const device_variables& variables) {
  if (variables.own.empty()) {
    return;
  }
  llvm::LLVMContext& context = module.getContext();
  const auto address = [](llvm::Constant* value) { return llvm::ConstantAsMetadata::get(value); };
  for (const auto& [own, bytes] : variables.own) {
    module.getOrInsertNamedMetadata(own_mark)->addOperand(
        llvm::MDNode::get(context, {address(own), number(context, bytes)}));
  }
  llvm::SmallVector<llvm::Metadata*, 8> places;
  for (llvm::Constant* place : variables.places) {
    places.push_back(address(place));
  }
  module.getOrInsertNamedMetadata(places_mark)->addOperand(llvm::MDNode::get(context, places));
  module.getOrInsertNamedMetadata(bounds_mark)
      ->addOperand(
          llvm::MDNode::get(context, {address(variables.begin), address(variables.end), address(variables.deltas)}));
}

device_variables take_device_variables(llvm::Module& module) {
  device_variables variables;
  take(module, own_mark, [&](const llvm::MDNode& node) {
    llvm::GlobalVariable* own = variable(node, 0);
    variables.own[own] = number(node, 1);
    if (own->getInitializer()->isNullValue()) {
      variables.zeros.insert(own);
    }
  });
  take(module, places_mark, [&](const llvm::MDNode& node) {
    for (const llvm::MDOperand& place : node.operands()) {
      variables.places.push_back(llvm::mdconst::extract<llvm::Constant>(place));
    }
  });
  take(module, bounds_mark, [&](const llvm::MDNode& node) {
    variables.begin = variable(node, 0);
    variables.end = variable(node, 1);
    variables.deltas = variable(node, 2);
  });
  return variables;
}

}  // namespace cohort

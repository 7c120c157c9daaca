// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ variables become offsets in the block's own memory.
//
// A variable has one offset, since functions are shared by kernels; two variables overlap unless one kernel can
// reach both, so that each kernel needs only what is its own. In relocatable code a kernel may reach functions of
// other files: variables that such a kernel, or another file, may reach go into one section, and the linker gives
// them their places; kernels that cannot leave the file still have their own layout.
#include "analysis/call_graph.hpp"
#include "lowering.hpp"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

namespace cohort {
namespace {

constexpr uint64_t arena_alignment = 128;  // of cohort_block_context::static_shared and dynamic_shared
constexpr const char* linked_section = "cohort_shared";

struct placed_variable {
  llvm::GlobalVariable* variable;
  uint64_t bytes;
  uint64_t alignment;
  uint64_t offset = 0;
  bool linked = false;
  std::vector<unsigned> kernels;
};

// Global variables that carry `annotation`; the annotations are removed from the module.
std::vector<llvm::GlobalVariable*> take_annotated(llvm::Module& module, llvm::StringRef annotation) {
  std::vector<llvm::GlobalVariable*> result;
  auto* list = module.getGlobalVariable("llvm.global.annotations");
  if (!list) {
    return result;
  }
  for (const auto& entry : llvm::cast<llvm::ConstantArray>(list->getInitializer())->operands()) {
    auto* fields = llvm::cast<llvm::ConstantStruct>(entry);
    auto* text = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto* string = text ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(0)->stripPointerCasts());
    if (variable && string && string->isCString() && string->getAsCString() == annotation) {
      result.push_back(variable);
    }
  }
  list->eraseFromParent();  // nothing after this pass reads annotations
  return result;
}

// Replaces each use of `variable` by `make(builder)`, computed once at the start of each function that uses it.
template <class Make>
void replace_uses(llvm::GlobalVariable& variable, Make&& make) {
  llvm::convertUsersOfConstantsToInstructions({&variable});
  llvm::MapVector<llvm::Function*, std::vector<llvm::Use*>> uses;
  for (llvm::Use& use : variable.uses()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser())) {
      uses[instruction->getFunction()].push_back(&use);
    }
  }
  for (auto& [function, list] : uses) {
    llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
    llvm::Value* address = make(builder);
    address->setName(variable.getName());
    for (llvm::Use* use : list) {
      use->set(address);
    }
  }
  variable.removeDeadConstantUsers();
}

llvm::Value* call_base(llvm::IRBuilder<>& builder, llvm::Module& module, const char* function) {
  return builder.CreateCall(module.getOrInsertFunction(function, builder.getPtrTy()));
}

void lower_dynamic(llvm::Module& module) {
  for (const std::string& name : facts().dynamic_shared) {
    auto* variable = module.getGlobalVariable(name, true);
    if (!variable || !variable->isDeclaration()) {
      continue;
    }
    replace_uses(*variable, [&](auto& builder) { return call_base(builder, module, "cohort_dynamic_shared"); });
    if (variable->use_empty()) {
      variable->eraseFromParent();
    }
  }
}

void lower_local(llvm::Module& module, const placed_variable& placed) {
  replace_uses(*placed.variable, [&](auto& builder) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), call_base(builder, module, "cohort_static_shared"),
                                              placed.offset);
  });
}

llvm::Constant* linked_start(llvm::Module& module) {
  auto* start = llvm::cast<llvm::GlobalVariable>(
      module.getOrInsertGlobal("__start_cohort_shared", llvm::Type::getInt8Ty(module.getContext())));
  start->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return start;
}

// The variable stays as a place holder, whose distance from the section's start is the offset.
void lower_linked(llvm::Module& module, const placed_variable& placed) {
  auto* holder = placed.variable;
  llvm::Constant* start = linked_start(module);
  replace_uses(*holder, [&](auto& builder) {
    auto* offset = builder.CreateSub(builder.CreatePtrToInt(holder, builder.getInt64Ty()),
                                     builder.CreatePtrToInt(start, builder.getInt64Ty()));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), call_base(builder, module, "cohort_static_shared"), offset);
  });
  holder->setSection(linked_section);
  holder->setInitializer(llvm::Constant::getNullValue(holder->getValueType()));
  holder->setAlignment(llvm::Align(placed.alignment));
}

// First fit; `variables` that share a kernel must not overlap. Those of many kernels come first, so that the large one
// of one kernel does not push them up, which would make the others' blocks larger too.
void assign_offsets(std::vector<placed_variable>& variables) {
  std::vector<placed_variable*> order;
  for (auto& variable : variables) {
    if (!variable.linked) {
      order.push_back(&variable);
    }
  }
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) {
    return std::tuple(b->kernels.size(), b->alignment, b->bytes, a->variable->getName()) <
           std::tuple(a->kernels.size(), a->alignment, a->bytes, b->variable->getName());
  });
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<const placed_variable*> neighbours;
    for (size_t j = 0; j < i; ++j) {
      std::vector<unsigned> common;
      std::set_intersection(order[i]->kernels.begin(), order[i]->kernels.end(), order[j]->kernels.begin(),
                            order[j]->kernels.end(), std::back_inserter(common));
      if (!common.empty()) {
        neighbours.push_back(order[j]);
      }
    }
    std::sort(neighbours.begin(), neighbours.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
    uint64_t offset = 0;
    for (const auto* neighbour : neighbours) {
      if (offset + order[i]->bytes <= neighbour->offset) {
        break;
      }
      offset = std::max(offset, llvm::alignTo(neighbour->offset + neighbour->bytes, order[i]->alignment));
    }
    order[i]->offset = offset;
  }
}

}  // namespace

shared_needs lower_shared_variables(llvm::Module& module) {
  const call_graph calls(module);
  std::vector<llvm::Function*> kernels;
  for (const auto& [name, fact] : facts().kernels) {
    if (auto* function = module.getFunction(name); function && !function->isDeclaration()) {
      kernels.push_back(function);
    }
  }
  std::vector<placed_variable> variables;
  for (auto* variable : take_annotated(module, "cohort.shared")) {
    const auto& layout = module.getDataLayout();
    const uint64_t alignment = std::max<uint64_t>(layout.getPreferredAlign(variable).value(), 1);
    if (alignment > arena_alignment) {
      report_error(module, "__shared__ variable '" + variable->getName() + "' wants an alignment of " +
                               llvm::Twine(alignment) + " bytes; at most " + llvm::Twine(arena_alignment) +
                               " can be had");
    }
    variables.push_back({variable, layout.getTypeAllocSize(variable->getValueType()), alignment, 0, false, {}});
  }

  std::vector<reachable_set> reachable;
  reachable.reserve(kernels.size());
  for (auto* kernel : kernels) {
    reachable.push_back(calls.reachable_from(*kernel));
  }
  const bool relocatable = facts().options.relocatable;
  reachable_set visible;
  if (relocatable) {
    visible = calls.reachable_from_other_files(kernels);
  }
  shared_needs needs(kernels.size());
  for (size_t k = 0; k < kernels.size(); ++k) {
    needs[k].first = kernels[k];
    needs[k].second.linked = relocatable && reachable[k].open;
  }
  // A kernel that uses a linked variable is linked, and so are then all its variables.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& variable : variables) {
      bool linked = relocatable && visible.globals.contains(variable.variable);
      for (size_t k = 0; k < kernels.size(); ++k) {
        linked = linked || (needs[k].second.linked && reachable[k].globals.contains(variable.variable));
      }
      changed = changed || linked != variable.linked;
      variable.linked = linked;
      for (size_t k = 0; linked && k < kernels.size(); ++k) {
        needs[k].second.linked = needs[k].second.linked || reachable[k].globals.contains(variable.variable);
      }
    }
  }
  for (auto& variable : variables) {
    for (unsigned k = 0; k < kernels.size(); ++k) {
      if (reachable[k].globals.contains(variable.variable)) {
        variable.kernels.push_back(k);
      }
    }
  }
  assign_offsets(variables);

  for (auto& variable : variables) {
    if (variable.linked) {
      lower_linked(module, variable);
      continue;
    }
    for (unsigned k : variable.kernels) {
      auto& need = needs[k].second.bytes;
      need = std::max(need, variable.offset + variable.bytes);
    }
    lower_local(module, variable);
    if (variable.variable->use_empty()) {
      variable.variable->eraseFromParent();
    }
  }
  lower_dynamic(module);
  return needs;
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device variables exist once for each device. All variables that kernels may write lie in one section of the linked
// program, of which the runtime makes the devices' copies. Device code adds the distance of its device's copy to an
// address. Padding follows each variable (COHORT_GUARD=strict).
//
// Variables that start as zeros stay in .bss, where they take no room in the file. The runtime keeps their distance
// from the section in each copy. Constants exist once, unless they hold the address of a device variable.
#include "analysis/context_calls.hpp"
#include "lower/replace_uses.hpp"
#include "lower/report_error.hpp"
#include "lower/step_results.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include <cohort/base/limits.hpp>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

constexpr uint64_t padding_bytes = 16;

bool is_of_user(const llvm::GlobalVariable& global) {
  const llvm::StringRef name = global.getName();
  return !global.isThreadLocal() && !global.hasAppendingLinkage() && !name.starts_with("llvm.") &&
         !name.starts_with("__llvm") && !name.contains(".managed") && !global.getSection().starts_with("cohort") &&
         global.getSection() != "llvm.metadata";
}

// True if the variable has a copy for each device even if it holds no address of a device variable. With -rdc=true, a
// file that only declares the variable must get the result of the file that defines it. Constness therefore does not
// count for variables that other files can access.
bool is_own_by_itself(const llvm::GlobalVariable& global) {
  const auto& known = facts();
  const std::string name = global.getName().str();
  if (global.isDeclaration()) {
    return known.options.relocatable && known.undefined_device.count(name);
  }
  const auto fact = known.variables.find(name);
  return !global.isConstant() ||
         (known.options.relocatable && fact != known.variables.end() && fact->second.externally_visible);
}

class own_variables {
 public:
  explicit own_variables(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {
    for (auto& global : module.globals()) {
      if (is_of_user(global) && is_own_by_itself(global)) {
        own_.insert(&global);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& global : module.globals()) {
        if (global.hasInitializer() && is_of_user(global) && !own_.count(&global) &&
            mentions(*global.getInitializer())) {
          changed = own_.insert(&global);
        }
      }
    }
  }

  const llvm::SetVector<llvm::GlobalVariable*>& all() const { return own_; }

  // Appends the words of `variable` that hold addresses of device variables.
  void find_places(llvm::GlobalVariable& variable, std::vector<llvm::Constant*>& places) {
    visit(variable, *variable.getInitializer(), 0, places);
  }

 private:
  bool mentions(const llvm::Constant& value) const {
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
      return own_.count(const_cast<llvm::GlobalVariable*>(llvm::dyn_cast<llvm::GlobalVariable>(global)));
    }
    return llvm::any_of(value.operands(), [this](const llvm::Use& operand) {
      auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
      return constant && mentions(*constant);
    });
  }

  // How often `value` adds the distance of a copy: 1 for the address of a device variable, 0 for the difference of two.
  // Empty if `value` is no sum of addresses and constants.
  std::optional<int> distances(const llvm::Constant& value) const {
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) {
      return mentions(*global) ? 1 : 0;
    }
    if (!mentions(value)) {
      return 0;
    }
    const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
    const unsigned opcode = expression ? expression->getOpcode() : 0;
    const bool keeps_width = expression && layout_.getTypeSizeInBits(value.getType()) == 64;
    if (!keeps_width) {
      return std::nullopt;
    }
    const auto first = distances(*expression->getOperand(0));
    if (opcode == llvm::Instruction::GetElementPtr || opcode == llvm::Instruction::PtrToInt ||
        opcode == llvm::Instruction::IntToPtr || opcode == llvm::Instruction::BitCast) {
      return first;
    }
    if (opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub) {
      const auto second = distances(*expression->getOperand(1));
      const int sign = opcode == llvm::Instruction::Add ? 1 : -1;
      return first && second ? std::optional<int>(*first + sign * *second) : std::nullopt;
    }
    return std::nullopt;
  }

  void visit(llvm::GlobalVariable& variable, llvm::Constant& value, uint64_t offset,
             std::vector<llvm::Constant*>& places) {
    if (llvm::isa<llvm::ConstantData>(value)) {
      return;
    }
    if (auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const auto* fields = layout_.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i) {
        visit(variable, *structure->getOperand(i), offset + fields->getElementOffset(i), places);
      }
      return;
    }
    if (llvm::isa<llvm::ConstantArray, llvm::ConstantVector>(value)) {
      for (llvm::Use& element : value.operands()) {
        auto& constant = *llvm::cast<llvm::Constant>(element.get());
        visit(variable, constant, offset, places);
        offset += layout_.getTypeAllocSize(constant.getType());
      }
      return;
    }
    const auto count = distances(value);
    if (!count || *count < 0 || *count > 1) {
      report_error(module_, "the initialiser of device variable '" + variable.getName() +
                                "' computes with the address of another in a way that cannot be right on every device");
    } else if (*count == 1) {
      auto* byte = llvm::Type::getInt8Ty(module_.getContext());
      auto* distance = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), offset);
      places.push_back(llvm::ConstantExpr::getInBoundsGetElementPtr(byte, &variable, distance));
    }
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::SetVector<llvm::GlobalVariable*> own_;
};

// Puts padding after the variable, which COHORT_GUARD=strict fills and checks: two adjacent variables would hide an
// overrun.
void pad(llvm::GlobalVariable& variable) {
  llvm::Module& module = *variable.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  auto* padding = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), padding_bytes);
  auto* type = llvm::StructType::get(module.getContext(), {variable.getValueType(), padding}, true);
  auto* value = llvm::ConstantStruct::get(type, {variable.getInitializer(), llvm::ConstantAggregateZero::get(padding)});
  auto* padded =
      new llvm::GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), value, "", &variable);
  padded->copyAttributesFrom(&variable);
  padded->setComdat(variable.getComdat());
  padded->copyMetadata(&variable, 0);
  padded->setAlignment(layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()));
  padded->takeName(&variable);
  variable.replaceAllUsesWith(padded);
  variable.eraseFromParent();
}

void pad_definitions(llvm::Module& module) {
  const own_variables own(module);
  for (auto* variable : own.all()) {
    if (!variable->isDeclaration()) {
      pad(*variable);
    }
  }
}

// Makes code compute the address for the device that the thread runs on. The sum is one of integers: with pointer
// arithmetic, LLVM may assume that an access far from `variable` never happens.
void add_device_distance(llvm::GlobalVariable& variable) {
  replace_uses(variable, [&](llvm::IRBuilder<>& builder) -> llvm::Value* {
    auto* number = builder.getInt64Ty();
    auto* distance = builder.CreateCall(variable.getParent()->getOrInsertFunction(variable_delta.name, number));
    auto* address = builder.CreateAdd(builder.CreatePtrToInt(&variable, number), distance);
    return builder.CreateIntToPtr(address, builder.getPtrTy());
  });
}

llvm::GlobalVariable* edge(llvm::Module& module, const llvm::Twine& name) {
  auto* symbol = llvm::cast<llvm::GlobalVariable>(
      module.getOrInsertGlobal(name.str(), llvm::Type::getInt8Ty(module.getContext())));
  symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return symbol;
}

// Each module with device variables has the section, so that its bounds are always defined.
void add_anchor(llvm::Module& module) {
  constexpr llvm::StringLiteral name = names::variables_anchor;
  auto* type = llvm::Type::getInt64Ty(module.getContext());
  auto* anchor = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::LinkOnceODRLinkage,
                                          llvm::ConstantInt::get(type, 1), name);
  anchor->setComdat(module.getOrInsertComdat(name));
  anchor->setVisibility(llvm::GlobalValue::HiddenVisibility);
  anchor->setSection(names::variables_section);
  llvm::appendToUsed(module, {anchor});
}

}  // namespace

llvm::GlobalVariable* variable_deltas(llvm::Module& module) {
  constexpr llvm::StringLiteral name = names::variable_deltas;
  if (auto* known = module.getGlobalVariable(name)) {
    return known;
  }
  auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), max_devices);
  auto* table = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::LinkOnceODRLinkage,
                                         llvm::Constant::getNullValue(type), name);
  table->setComdat(module.getOrInsertComdat(name));
  table->setVisibility(llvm::GlobalValue::HiddenVisibility);
  table->setExternallyInitialized(true);
  table->setDSOLocal(true);
  return table;
}

void lower_device_variables(llvm::Module& module) {
  pad_definitions(module);
  own_variables own(module);
  device_variables result;
  for (auto* variable : own.all()) {
    add_device_distance(*variable);
    if (!variable->isDeclaration()) {
      if (variable->getInitializer()->isNullValue()) {
        result.zeros.insert(variable);
      } else {
        variable->setSection(names::variables_section);
      }
      variable->setConstant(false);
      variable->setExternallyInitialized(true);
      result.own[variable] = module.getDataLayout().getTypeAllocSize(variable->getValueType()) - padding_bytes;
    }
  }
  for (const auto& [variable, bytes] : result.own) {
    own.find_places(*variable, result.places);
  }
  if (!result.own.empty()) {
    add_anchor(module);
    result.begin = edge(module, names::start_of_section + names::variables_section);
    result.end = edge(module, names::end_of_section + names::variables_section);
    result.deltas = variable_deltas(module);
  }
  keep_device_variables(module, result);
}

}  // namespace cohort

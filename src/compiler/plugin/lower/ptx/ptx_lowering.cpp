// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX in device code becomes IR, statement by statement. A statement that no file of this folder lowers is an
// error at its source line.
#include "lower/ptx/ptx_lowering.hpp"

#include "lowering.hpp"

#include <algorithm>

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {

ptx_lowering::ptx_lowering(llvm::CallInst& call)
    : call_(call),
      module_(*call.getModule()),
      builder_(&call),
      assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())) {}

bool ptx_lowering::bind_operands() {
  unsigned argument = 0;
  llvm::Type* type = call_.getType();
  unsigned outputs = 0;
  const auto constraints = assembly_.ParseConstraints();
  for (const auto& constraint : constraints) {
    outputs += constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect;
  }
  for (const auto& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber || constraint.Type == llvm::InlineAsm::isLabel) {
      continue;
    }
    if (constraint.isIndirect) {
      return false;
    }
    operand bound;
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      bound.type = outputs == 1 ? type : llvm::cast<llvm::StructType>(type)->getElementType(results_.size());
      bound.value = llvm::PoisonValue::get(bound.type);
      results_.push_back(operands_.size());
    } else {
      bound.value = call_.getArgOperand(argument++);
      bound.type = bound.value->getType();
      const std::string code = constraint.Codes.empty() ? "" : constraint.Codes.front();
      unsigned tied = 0;
      if (!llvm::StringRef(code).getAsInteger(10, tied) && tied < operands_.size()) {
        operands_[tied].value = cast(bound.value, operands_[tied].type);  // "+r"
      }
    }
    operands_.push_back(bound);
  }
  return true;
}

void ptx_lowering::declare(llvm::StringRef name, llvm::Type* type) {
  operands_.push_back({name.str(), type, llvm::PoisonValue::get(type)});
}

bool ptx_lowering::lower_scope(const ptx_statement& statement) {
  llvm::StringRef opcode = statement.opcode;
  if (opcode == "{") {
    scopes_.push_back(operands_.size());
    return true;
  }
  if (opcode == "}") {
    if (scopes_.empty()) {
      return false;
    }
    operands_.resize(scopes_.back());
    scopes_.pop_back();
    return true;
  }
  if (opcode == ".pragma") {
    return true;
  }
  if (opcode != ".reg" || statement.operands.empty()) {
    return false;
  }
  const auto [type_name, first] = llvm::StringRef(statement.operands[0]).split(' ');
  const auto type = type_name.starts_with(".") ? parse_ptx_type(type_name.drop_front()) : std::nullopt;
  if (!type) {
    return false;
  }
  for (size_t i = 0; i < statement.operands.size(); ++i) {
    auto [name, count_text] = (i == 0 ? first.trim() : llvm::StringRef(statement.operands[i])).split('<');
    if (unsigned count = 0; count_text.consume_back(">") && !count_text.getAsInteger(10, count)) {
      for (unsigned n = 0; n < count; ++n) {  // "%r<4>" declares %r0 to %r3
        declare((name + llvm::Twine(n)).str(), type_of(*type));
      }
    } else {
      declare(name, type_of(*type));
    }
  }
  return true;
}

bool ptx_lowering::lower_statement(const ptx_statement& statement) {
  return lower_move(statement) || lower_order(statement) || lower_warp(statement) || lower_predicates(statement) ||
         lower_comparison(statement) || lower_conversion(statement) || lower_integer_pack(statement) ||
         lower_carries(statement) || lower_bits(statement) || lower_integers(statement) || lower_pairs(statement) ||
         lower_video(statement) || lower_floats(statement) || lower_small_floats(statement) ||
         lower_space_test(statement) || lower_cluster_address(statement) || lower_memory(statement) ||
         lower_copy(statement);
}

// A guarded statement becomes a branch around it. LLVM makes selects of those without effects.
bool ptx_lowering::lower_guarded(const ptx_statement& statement) {
  if (statement.guard.empty()) {
    return lower_scope(statement) || lower_statement(statement);
  }
  llvm::Value* condition = predicate(statement.guard);
  if (!condition) {
    return false;
  }
  if (statement.is_negated) {
    condition = builder_.CreateNot(condition);
  }
  const std::vector<operand> before = operands_;
  llvm::Value* carry_before = carry_;
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, &call_, false);
  builder_.SetInsertPoint(end);
  const bool is_known = lower_statement(statement);
  llvm::BasicBlock* head = end->getParent()->getSinglePredecessor();
  builder_.SetInsertPoint(&call_);
  auto merge = [&](llvm::Value*& value, llvm::Value* other) {
    if (value != other) {
      auto* merged = builder_.CreatePHI(value->getType(), 2);
      merged->addIncoming(value, end->getParent());
      merged->addIncoming(other ? other : llvm::PoisonValue::get(value->getType()), head);
      value = merged;
    }
  };
  for (size_t i = 0; i < operands_.size(); ++i) {
    merge(operands_[i].value, before[i].value);
  }
  merge(carry_, carry_before);
  return is_known;
}

std::string ptx_lowering::lower() {
  const auto statements = parse_ptx(assembly_.getAsmString());
  if (!bind_operands()) {
    return statements.empty() ? "an operand in memory" : statements.front().text;
  }
  for (const ptx_statement& statement : statements) {
    if (!lower_guarded(statement)) {
      return statement.text;
    }
  }
  if (statements.empty() &&
      assembly_.hasSideEffects()) {  // asm volatile("" ::: "memory") orders this thread's accesses
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  }
  if (results_.size() == 1) {
    call_.replaceAllUsesWith(operands_[results_[0]].value);
  } else if (results_.size() > 1) {
    llvm::Value* all = llvm::PoisonValue::get(call_.getType());
    for (unsigned i = 0; i < results_.size(); ++i) {
      all = builder_.CreateInsertValue(all, operands_[results_[i]].value, i);
    }
    call_.replaceAllUsesWith(all);
  }
  return "";
}

namespace {

// The device library's functions for inline PTX (device/ptx/) are emitted in each module. Those without a call
// disappear.
void drop_unused_functions(llvm::Module& module) {
  auto is_ptx = [](const llvm::Value* value) { return value->getName().starts_with("cohort_ptx_"); };
  llvm::removeFromUsedLists(module, [&](llvm::Constant* used) { return is_ptx(used->stripPointerCasts()); });
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!is_ptx(&function)) {
      continue;
    }
    if (function.use_empty()) {
      function.eraseFromParent();
    } else if (!function.isDeclaration()) {
      function.setComdat(nullptr);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
}

}  // namespace

void lower_inline_ptx(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm()) {
        calls.push_back(call);
      }
    }
  }
  for (llvm::CallInst* call : calls) {
    std::string unknown = ptx_lowering(*call).lower();
    if (!unknown.empty()) {
      std::replace(unknown.begin(), unknown.end(), '$', '%');  // the source's spelling
      module.getContext().emitError(call, "cohortcc cannot run the inline PTX '" + unknown +
                                              "' on a CPU; docs/design/compiler.md lists the statements that it can");
      call->replaceAllUsesWith(llvm::PoisonValue::get(call->getType()));
    }
    call->eraseFromParent();
  }
  drop_unused_functions(module);
  prepare_exits(module);
}

}  // namespace cohort

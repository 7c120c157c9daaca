// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX in device code becomes IR, statement by statement. A statement that the table of instructions
// (isa/instructions.def) lacks is an error at its source line.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/ptx_calls.hpp"
#include "lower/ptx/emit/registers.hpp"
#include "lower/ptx/isa/decode.hpp"
#include "lower/ptx/isa/targets.hpp"
#include "lowering.hpp"

#include <algorithm>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace cohort {
namespace {

using slots = std::vector<llvm::AllocaInst*>;

bool multiplies_in_warpgroup(const std::vector<ptx::statement>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [](const ptx::statement& each) { return each.opcode.starts_with("wgmma.mma_async"); });
}

bool exists_before(const llvm::Value* value, const llvm::Instruction& at) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return !instruction || instruction->getParent() != at.getParent() || instruction->comesBefore(&at);
}

// The variable that takes an output of the assembly: its only use is a store. The store is erased; null if there is no
// such variable. `number`: of the output; -1 if it is the only one.
llvm::Value* take_variable(llvm::CallInst& call, int number) {
  llvm::Value* value = &call;
  for (llvm::User* user : call.users()) {
    auto* element = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (number >= 0 && element && element->getIndices()[0] == static_cast<unsigned>(number)) {
      value = element;
    }
  }
  auto* store = value->hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(value->user_back()) : nullptr;
  if ((number >= 0 && value == &call) || !store || store->getValueOperand() != value || store->isVolatile() ||
      store->getParent() != call.getParent() || !exists_before(store->getPointerOperand(), call)) {
    return nullptr;
  }
  llvm::Value* variable = store->getPointerOperand();
  store->eraseFromParent();
  if (auto* element = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
    element->eraseFromParent();
  }
  return variable;
}

// Whether the input of "+r" is what the output's variable holds; the load then ends with its last use.
bool is_value_of(llvm::Value* input, const llvm::Value* variable) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(input);
  return variable && load && load->getPointerOperand() == variable;
}

// One inline assembly.
class assembly_lowering {
 public:
  assembly_lowering(llvm::CallInst& call, slots& slots)
      : call_(call),
        builder_(&call),
        assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())),
        registers_(builder_, slots) {}

  // Emits IR in place of the call and replaces its results. Returns the first refused statement with the reason, or ""
  // if there is none.
  std::string lower();

 private:
  struct label {
    std::string name;
    size_t scope;
    llvm::BasicBlock* block;
  };

  bool bind_operands(bool in_variables);
  void replace_results();
  std::string find_labels(const std::vector<ptx::statement>& statements);
  std::string lower_statement(const ptx::statement& statement);
  std::string lower_instruction(const ptx::statement& statement);
  std::string lower_branch(const ptx::statement& statement, llvm::Value* condition);
  std::string emit(const ptx::instruction& instruction);
  llvm::Value* guard(const ptx::statement& statement);
  llvm::BasicBlock* find_label(std::string_view name, const std::vector<size_t>& scopes) const;
  llvm::BasicBlock* new_block();
  llvm::Value* carry();

  llvm::CallInst& call_;
  ptx::builder builder_;
  const llvm::InlineAsm& assembly_;
  ptx::registers registers_;
  std::vector<llvm::Value*> variables_;  // a variable for each output (the first operands); null: its value is a result
  llvm::AllocaInst* carry_ = nullptr;    // the carry bit that `.cc` leaves
  bool has_carry_ = false;               // a statement before has `.cc`
  std::vector<label> labels_;
  llvm::BasicBlock* tail_ = nullptr;  // the code after the assembly, if it has several blocks
};

// Binds the operands of the assembly to registers. `in_variables`: an output is the variable that its value is stored
// to, since the engine writes it after the assembly.
bool assembly_lowering::bind_operands(bool in_variables) {
  unsigned argument = 0, outputs = 0;
  size_t number = 0;
  llvm::Type* type = call_.getType();
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
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      llvm::Type* own = outputs == 1 ? type : llvm::cast<llvm::StructType>(type)->getElementType(number);
      llvm::Value* variable =
          in_variables ? take_variable(call_, outputs == 1 ? -1 : static_cast<int>(number)) : nullptr;
      variables_.push_back(variable);
      variable ? registers_.add_variable(own, variable) : registers_.add_operand(own, nullptr, false);
      ++number;
      continue;
    }
    llvm::Value* value = call_.getArgOperand(argument++);
    const std::string code = constraint.Codes.empty() ? "" : constraint.Codes.front();
    registers_.add_operand(value->getType(), value, code == "n" || code == "i");
    size_t tied = 0;
    if (!llvm::StringRef(code).getAsInteger(10, tied) && tied < number &&
        !is_value_of(value, variables_[tied])) {  // "+r"
      registers_.set_operand(tied, ptx::cast(builder_, value, registers_.operand_type(tied)));
    }
    ++number;
  }
  return true;
}

void assembly_lowering::replace_results() {
  if (call_.use_empty()) {
    return;
  }
  if (variables_.size() == 1) {
    call_.replaceAllUsesWith(registers_.operand_value(0));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(call_.getType());
  for (unsigned i = 0; i < variables_.size(); ++i) {
    if (!variables_[i]) {
      all = builder_.CreateInsertValue(all, registers_.operand_value(i), i);
    }
  }
  call_.replaceAllUsesWith(all);
}

llvm::BasicBlock* assembly_lowering::new_block() {
  return llvm::BasicBlock::Create(call_.getContext(), "", call_.getFunction(), tail_);
}

// Divides the block at the assembly if it has labels or guards, and makes a block for each label. Returns a label that
// stands twice, or "".
std::string assembly_lowering::find_labels(const std::vector<ptx::statement>& statements) {
  const bool has_flow = std::any_of(statements.begin(), statements.end(), [](const ptx::statement& each) {
    return each.kind == ptx::statement_kind::label || !each.guard.empty() || each.opcode.starts_with("bra");
  });
  if (!has_flow) {
    return "";
  }
  llvm::BasicBlock* head = call_.getParent();
  tail_ = llvm::SplitBlock(head, &call_);
  head->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(head);
  for (const ptx::statement& each : statements) {
    if (each.kind != ptx::statement_kind::label) {
      continue;
    }
    const size_t scope = each.scopes.back();
    if (std::any_of(labels_.begin(), labels_.end(),
                    [&](const label& other) { return other.name == each.opcode && other.scope == scope; })) {
      return each.opcode;
    }
    labels_.push_back({each.opcode, scope, new_block()});
  }
  return "";
}

// The label of that name in the innermost of the scopes that has one; null if there is none.
llvm::BasicBlock* assembly_lowering::find_label(std::string_view name, const std::vector<size_t>& scopes) const {
  for (size_t i = scopes.size(); i-- > 0;) {
    for (const label& each : labels_) {
      if (each.name == name && each.scope == scopes[i]) {
        return each.block;
      }
    }
  }
  return nullptr;
}

llvm::Value* assembly_lowering::carry() {
  if (!carry_) {
    carry_ = registers_.new_slot(builder_.getInt1Ty());
  }
  return carry_;
}

std::string assembly_lowering::emit(const ptx::instruction& instruction) {
  if (instruction.form->section == "Carries") {
    if (!has_carry_ && instruction.form->name.ends_with('c')) {
      return std::string(instruction.form->name) + " reads a carry that no statement before it writes";
    }
    has_carry_ = has_carry_ || instruction.has("cc");
    carry();
  }
  llvm::SmallVector<llvm::Value*, 8> in, places;
  const ptx::operand* target = nullptr;
  for (const ptx::operand& operand : instruction.operands) {
    if (operand.form->kind == ptx::operand_kind::accumulators) {
      if (std::string reason = registers_.find_places(instruction, operand, places); !reason.empty()) {
        return reason;
      }
    } else if (operand.form->is_destination) {
      target = &operand;
    } else if (std::string reason = registers_.read(instruction, operand, in); !reason.empty()) {
      return reason;
    }
  }
  ptx::emission emission = {builder_, instruction, in, carry_, places};
  const ptx::results values = ptx::function_of(*instruction.form)(emission);
  return target ? registers_.write(instruction, *target, values) : "";
}

// The condition of "@p" or "@!p"; null if p is no predicate.
llvm::Value* assembly_lowering::guard(const ptx::statement& statement) {
  return registers_.read_predicate((statement.is_negated ? "!" : "") + statement.guard);
}

std::string assembly_lowering::lower_branch(const ptx::statement& statement, llvm::Value* condition) {
  llvm::BasicBlock* target = find_label(statement.operands[0], statement.scopes);
  if (!target) {
    return "'" + statement.operands[0] + "' is no label of this assembly";
  }
  llvm::BasicBlock* next = new_block();
  if (condition) {
    builder_.CreateCondBr(condition, target, next);
  } else {
    builder_.CreateBr(target);
  }
  builder_.SetInsertPoint(next);
  return "";
}

std::string assembly_lowering::lower_instruction(const ptx::statement& statement) {
  llvm::Value* condition = statement.guard.empty() ? nullptr : guard(statement);
  if (!condition && !statement.guard.empty()) {
    return "'" + statement.guard + "' is no predicate of this assembly";
  }
  const ptx::decoding decoded = ptx::decode(statement);
  if (!decoded.found) {
    return decoded.reason;
  }
  const ptx::target target{facts().options.architecture, facts().options.architecture_features};
  if (std::string reason = ptx::refused_target(*decoded.found, target); !reason.empty()) {
    return reason;
  }
  if (decoded.found->form->name == "bra") {
    return lower_branch(statement, condition);
  }
  if (!condition) {
    return emit(*decoded.found);
  }
  llvm::BasicBlock *then = new_block(), *next = new_block();
  builder_.CreateCondBr(condition, then, next);
  builder_.SetInsertPoint(then);
  std::string reason = emit(*decoded.found);
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
  return reason;
}

// Returns the reason of a refusal, or "".
std::string assembly_lowering::lower_statement(const ptx::statement& statement) {
  switch (statement.kind) {
    case ptx::statement_kind::open_scope:
      registers_.open_scope();
      return "";
    case ptx::statement_kind::close_scope:
      return registers_.close_scope() ? "" : "no brace is open";
    case ptx::statement_kind::label: {
      llvm::BasicBlock* block = find_label(statement.opcode, statement.scopes);
      builder_.CreateBr(block);
      builder_.SetInsertPoint(block);
      return "";
    }
    case ptx::statement_kind::directive:
      return statement.opcode == ".pragma" ? ""
             : statement.opcode == ".reg"  ? registers_.declare(statement.operands)
                                           : "no directive " + statement.opcode + " is known";
    case ptx::statement_kind::instruction:
      break;
  }
  return lower_instruction(statement);
}

std::string assembly_lowering::lower() {
  const auto statements = ptx::parse_statements(assembly_.getAsmString());
  if (!bind_operands(statements.empty() || multiplies_in_warpgroup(statements))) {
    return (statements.empty() ? "" : statements.front().text) + "' on a CPU: it has an operand in memory";
  }
  if (const std::string twice = find_labels(statements); !twice.empty()) {
    builder_.CreateBr(tail_);
    return twice + ":' on a CPU: the label stands twice";
  }
  std::string refusal;
  for (const ptx::statement& statement : statements) {
    if (const std::string reason = lower_statement(statement); !reason.empty()) {
      refusal = statement.text + "' on a CPU: " + reason;
      break;
    }
  }
  if (statements.empty() &&
      assembly_.hasSideEffects()) {  // asm volatile("" ::: "memory") orders this thread's accesses
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  }
  if (tail_) {
    builder_.CreateBr(tail_);
    builder_.SetInsertPoint(&call_);
    for (const label& each : labels_) {  // labels after a refused statement
      if (!each.block->getTerminator()) {
        llvm::IRBuilder<>(each.block).CreateBr(tail_);
      }
    }
  }
  if (refusal.empty()) {
    replace_results();
  }
  return refusal;
}

// The device library's functions for inline PTX (device/ptx/) are emitted in each module. Those without a call
// disappear.
void drop_unused_functions(llvm::Module& module) {
  auto is_ptx = [](const llvm::Value* value) { return ptx::ptx_call_named(value->getName()) != ptx::ptx_call::none; };
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

using load_set = llvm::SmallSetVector<llvm::LoadInst*, 8>;

// Erases the call, and adds the loads that it used to `loads`.
void erase_call(llvm::CallInst& call, load_set& loads) {
  for (llvm::Value* argument : call.args()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(argument)) {
      loads.insert(load);
    }
  }
  call.eraseFromParent();
}

// Erases loads of variables that the engine reads instead: --check would see accesses of the thread.
void erase_unused(const load_set& loads) {
  for (llvm::LoadInst* load : loads) {
    if (load->use_empty() && !load->isVolatile()) {
      load->eraseFromParent();
    }
  }
}

// Registers become values at once: unoptimized code has no slots for them either.
void promote(llvm::Function& function, slots& slots) {
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(slots, dominators);
}

}  // namespace

void lower_inline_ptx(llvm::Module& module) {
  llvm::MapVector<llvm::Function*, std::vector<llvm::CallInst*>> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm()) {
        calls[&function].push_back(call);
      }
    }
  }
  for (auto& [function, of_function] : calls) {
    slots slots;
    load_set loads;
    for (llvm::CallInst* call : of_function) {
      std::string refusal = assembly_lowering(*call, slots).lower();
      if (!refusal.empty()) {
        std::replace(refusal.begin(), refusal.end(), '$', '%');  // the source's spelling
        module.getContext().emitError(
            call, "cohortcc cannot run the inline PTX '" + refusal + "; docs/ptx.md lists the statements that it can");
        call->replaceAllUsesWith(llvm::PoisonValue::get(call->getType()));
      }
      erase_call(*call, loads);
    }
    promote(*function, slots);
    erase_unused(loads);
  }
  drop_unused_functions(module);
  prepare_exits(module);
}

}  // namespace cohort

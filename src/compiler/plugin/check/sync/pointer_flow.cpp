// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/pointer_flow.hpp"

#include "analysis/source_place.hpp"
#include "check/access_check.hpp"
#include "lowering.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace cohort {
namespace {

using value_set = llvm::DenseSet<const llvm::Value*>;
using visitor = llvm::function_ref<void(const llvm::Value*)>;

// True for the library's own code: it stores pointers in its scratch memory while the threads of a collective wait.
// memcpy() and memmove() write to the program's addresses.
bool is_of_library(const llvm::Instruction& instruction) {
  const llvm::DILocation* const place = instruction.getDebugLoc().get();
  return place && !place->getFilename().ends_with("c_library.h") && is_in_headers(*place);
}

bool may_be_pointer(const llvm::Value& value) {
  return value.getType()->isPointerTy() || value.getType()->isIntegerTy(64);
}

// True if the result may be the pointer that `operand` is. False for an index of an address.
bool passes_on(const llvm::Instruction& instruction, const llvm::Value* operand) {
  if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    return element->getPointerOperand() == operand;
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return select->getCondition() != operand;
  }
  return llvm::isa<llvm::CastInst, llvm::PHINode, llvm::BinaryOperator, llvm::ExtractValueInst, llvm::FreezeInst>(
      instruction);
}

void visit_returns(const llvm::Function& function, visitor visit) {
  for (const llvm::BasicBlock& block : function) {
    if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()); end && end->getReturnValue()) {
      visit(end->getReturnValue());
    }
  }
}

void visit_calls(const llvm::Function& function, llvm::function_ref<void(const llvm::CallBase&)> visit) {
  for (const llvm::User* user : function.users()) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call && call->getCalledFunction() == &function) {
      visit(*call);
    }
  }
}

// Visits the values that a local variable may have at `load`.
void visit_stores(const llvm::LoadInst& load, visitor visit) {
  const llvm::Value* const slot = load.getPointerOperand();
  if (!pointer_flow::is_slot(slot)) {
    return;
  }
  for (const llvm::User* user : slot->users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      visit(store->getValueOperand());
    }
  }
}

// Visits the loads that may read the value that `store` writes to a local variable.
void visit_loads(const llvm::StoreInst& store, visitor visit) {
  const llvm::Value* const slot = store.getPointerOperand();
  if (!pointer_flow::is_slot(slot)) {
    return;
  }
  for (const llvm::User* user : slot->users()) {
    if (llvm::isa<llvm::LoadInst>(user)) {
      visit(user);
    }
  }
}

// Visits the values that `value` may come from.
void visit_origins(const llvm::Value* value, visitor visit) {
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(value)) {
    visit_calls(*parameter->getParent(), [&](const llvm::CallBase& call) {
      if (parameter->getArgNo() < call.arg_size()) {
        visit(call.getArgOperand(parameter->getArgNo()));
      }
    });
  } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    visit_stores(*load, visit);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) {
    if (const llvm::Function* const called = call->getCalledFunction()) {
      visit_returns(*called, visit);
    }
  } else if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
    for (const llvm::Value* operand : instruction->operands()) {
      if (passes_on(*instruction, operand)) {
        visit(operand);
      }
    }
  }
}

// Visits the values that `value` may become by `use`.
void visit_results_of(const llvm::Use& use, visitor visit) {
  const llvm::Value* const value = use.get();
  const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
  if (!user) {
    return;
  }
  if (passes_on(*user, value)) {
    visit(user);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    if (store->getValueOperand() == value) {
      visit_loads(*store, visit);
    }
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
    const llvm::Function* const called = call->getCalledFunction();
    if (called && call->isArgOperand(&use) && call->getArgOperandNo(&use) < called->arg_size()) {
      visit(called->getArg(call->getArgOperandNo(&use)));
    }
  } else if (llvm::isa<llvm::ReturnInst>(user)) {
    visit_calls(*user->getFunction(), [&](const llvm::CallBase& caller) { visit(&caller); });
  }
}

// Visits the values that `value` may become.
void visit_results(const llvm::Value* value, visitor visit) {
  for (const llvm::Use& use : value->uses()) {
    visit_results_of(use, visit);
  }
}

value_set closure(llvm::ArrayRef<const llvm::Value*> starts, void (*visit_next)(const llvm::Value*, visitor)) {
  value_set reached(starts.begin(), starts.end());
  llvm::SmallVector<const llvm::Value*, 64> work(reached.begin(), reached.end());
  while (!work.empty()) {
    visit_next(work.pop_back_val(), [&](const llvm::Value* next) {
      if (reached.insert(next).second) {
        work.push_back(next);
      }
    });
  }
  return reached;
}

llvm::Value* without_offsets(llvm::Value* pointer) {
  while (auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    pointer = element->getPointerOperand();
  }
  return pointer;
}

// A value in memory that other functions or threads may have written.
bool is_load(const llvm::Instruction& instruction) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && !pointer_flow::is_slot(load->getPointerOperand()) && !is_of_library(*load) && may_be_pointer(*load);
}
bool is_exchange(const llvm::Instruction& instruction) {
  const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
         (update && update->getOperation() == llvm::AtomicRMWInst::Xchg);
}

// Whether the value is the copy of a word of memory: the optimizer moves pointers of structures as integers.
bool is_moved_word(const llvm::Value& value) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load && !pointer_flow::is_slot(load->getPointerOperand());
}

}  // namespace

bool pointer_flow::is_slot(const llvm::Value* address) {
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(address);
  return variable && llvm::all_of(variable->users(), [&](const llvm::User* user) {
           if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
             return store->getPointerOperand() == variable && store->getValueOperand() != variable;
           }
           const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
           return llvm::isa<llvm::LoadInst>(user) || (intrinsic && intrinsic->isAssumeLikeIntrinsic());
         });
}

llvm::Value* written_value(llvm::Instruction& instruction) {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return store->getValueOperand();
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return exchange->getNewValOperand();
  }
  auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return update && update->getOperation() == llvm::AtomicRMWInst::Xchg ? update->getValOperand() : nullptr;
}

llvm::Value* accessed_address(llvm::Instruction& instruction) {
  if (llvm::Value* const address = llvm::getLoadStorePointerOperand(&instruction)) {
    return address;
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return exchange->getPointerOperand();
  }
  auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return update ? update->getPointerOperand() : nullptr;
}

// The addresses of the memory that the instruction accesses.
llvm::SmallVector<llvm::Value*, 2> accessed_addresses(llvm::Instruction& instruction) {
  if (llvm::Value* const address = accessed_address(instruction)) {
    return {address};
  }
  llvm::SmallVector<llvm::Value*, 2> addresses;
  if (is_range_check(instruction)) {
    for (llvm::Value* argument : llvm::cast<llvm::CallInst>(instruction).args()) {
      if (argument->getType()->isPointerTy()) {
        addresses.push_back(argument);
      }
    }
  }
  return addresses;
}

pointer_flow::pointer_flow(llvm::Module& module) {
  llvm::SmallVector<pointer_use, 64> accesses;
  llvm::SmallVector<llvm::Instruction*, 32> writes, reads;
  llvm::SmallVector<const llvm::Value*, 64> numbers, wanted;
  for (llvm::Function& function : module) {
    if (function.getName().starts_with("cohort.")) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::Value* address : accessed_addresses(instruction)) {
        if (llvm::Value* const root = without_offsets(address); !llvm::isa<llvm::AllocaInst, llvm::Constant>(root)) {
          accesses.push_back({&instruction, root});
          wanted.push_back(root);
        }
      }
      if (llvm::isa<llvm::PtrToIntInst>(instruction)) {
        numbers.push_back(&instruction);
      }
      if (is_load(instruction) || is_exchange(instruction)) {
        reads.push_back(&instruction);
      }
      llvm::Value* const value = written_value(instruction);
      const bool is_of_program = is_exchange(instruction) || !is_of_library(instruction);
      if (value && may_be_pointer(*value) && is_of_program && !is_slot(accessed_address(instruction))) {
        writes.push_back(&instruction);
      }
    }
  }
  const value_set addresses_as_numbers = closure(numbers, visit_results);
  for (llvm::Instruction* write : writes) {
    llvm::Value* const value = written_value(*write);
    if (value->getType()->isPointerTy() || addresses_as_numbers.contains(value) || is_moved_word(*value)) {
      keeps_.push_back(write);
      wanted.push_back(value);
    }
  }
  const value_set used = closure(wanted, visit_origins);
  llvm::SmallVector<const llvm::Value*, 32> sources;
  for (llvm::Instruction* read : reads) {
    if (used.contains(read)) {
      takes_.push_back(read);
      sources.push_back(read);
    }
  }
  const value_set taken = closure(sources, visit_results);
  for (const pointer_use& access : accesses) {
    if (taken.contains(access.pointer)) {
      uses_.push_back(access);
    }
  }
}

}  // namespace cohort

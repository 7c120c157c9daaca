// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/entries/engine_entries.hpp"

#include "analysis/port_records.hpp"
#include "analysis/source_place.hpp"
#include "gang/facts/frame.hpp"
#include "loops/kernel_copy.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

llvm::Function* start_entry(const llvm::Function& version, llvm::StringRef name, llvm::IRBuilder<>& b) {
  llvm::LLVMContext& context = version.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  auto* entry = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "cohort.gang." + name,
                                       const_cast<llvm::Module*>(version.getParent()));
  entry->copyAttributesFrom(&version);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "gang", entry));
  describe_block(*entry, version, name);
  b.SetCurrentDebugLocation(start_of(*entry));
  return entry;
}

llvm::Value* field(llvm::IRBuilder<>& b, llvm::Type* type, uint64_t offset) {
  llvm::Value* gang = b.GetInsertBlock()->getParent()->getArg(1);
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), gang, offset));
}

// Inlines the version into its entry, so the calls of the engine have their source places in the entry.
llvm::Function* finish_entry(llvm::Function* entry, llvm::CallInst* call, llvm::IRBuilder<>& b) {
  b.CreateRetVoid();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
  return entry;
}

constexpr unsigned half_warp = 16;

// The engine reads a mask as a word of 32 bits. wait_widener::in_memory() stores one bit for each lane.
void extend_masks(llvm::Function& entry) {
  llvm::IRBuilder<> b(entry.getContext());
  llvm::SmallVector<llvm::AllocaInst*, 4> masks;
  for (llvm::Instruction& instruction : llvm::instructions(entry)) {
    auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (memory && memory->getAllocatedType()->isIntegerTy(half_warp)) {
      masks.push_back(memory);
    }
  }
  for (llvm::AllocaInst* memory : masks) {
    memory->setAllocatedType(b.getInt32Ty());
    for (llvm::User* user : llvm::make_early_inc_range(memory->users())) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        b.SetInsertPoint(store);
        b.CreateAlignedStore(b.CreateZExt(store->getValueOperand(), b.getInt32Ty()), memory, memory->getAlign());
        store->eraseFromParent();
      }
    }
  }
}

}  // namespace

engine_entry make_half_warp_entry(gang_function row, llvm::StringRef name) {
  llvm::IRBuilder<> b(row->getContext());
  llvm::Function* entry = start_entry(*row, name, b);
  llvm::Value* zero = b.getInt32(0);
  finish_entry(entry, b.CreateCall(row.get(), {entry->getArg(0), zero, zero, zero}), b);
  extend_masks(*entry);
  return {entry, lanes_of_warp, cohort_gang_half_warp | cohort_gang_small_grid, half_warp};
}

engine_entry make_row_entry(gang_function rows, unsigned width, unsigned row_lanes, llvm::StringRef name) {
  llvm::IRBuilder<> b(rows->getContext());
  llvm::Function* entry = start_entry(*rows, name, b);
  llvm::SmallVector<llvm::Value*, 4> arguments{entry->getArg(0)};
  for (unsigned axis = 0; axis < 3; ++axis) {
    arguments.push_back(
        b.CreateLoad(b.getInt32Ty(), field(b, b.getPtrTy(), offsetof(cohort_gang, thread_index) + 8 * axis)));
  }
  if (row_lanes) {
    arguments[1] = b.getInt32(0);
  }
  const uint32_t conditions = (row_lanes ? 0 : cohort_gang_full_rows) | cohort_gang_full | cohort_gang_small_grid;
  return {finish_entry(entry, b.CreateCall(rows.get(), arguments), b), width, conditions, row_lanes};
}

engine_entry make_any_entry(gang_function any, unsigned width, llvm::StringRef name) {
  llvm::IRBuilder<> b(any->getContext());
  llvm::Function* entry = start_entry(*any, name, b);
  auto* call = b.CreateCall(any.get(), {entry->getArg(0), field(b, b.getInt32Ty(), offsetof(cohort_gang, first_rank)),
                                        field(b, b.getInt32Ty(), offsetof(cohort_gang, lanes))});
  return {finish_entry(entry, call, b), width, 0};
}

llvm::GlobalVariable* make_gang_table(llvm::ArrayRef<engine_entry> entries, llvm::StringRef name) {
  llvm::Module& module = *entries.front().function->getParent();
  auto* type = ir_struct<cohort_gang_version>(module.getContext());
  llvm::SmallVector<llvm::Constant*, 3> versions;
  for (const engine_entry& entry : entries) {
    using field = field_of<cohort_gang_version>;
    versions.push_back(record<cohort_gang_version>(module.getContext())
                           .set(field::entry, entry.function)
                           .set(field::width, entry.width)
                           .set(field::conditions, entry.conditions)
                           .set(field::frame_bytes, frame_bytes(*entry.function))
                           .set(field::row_lanes, entry.row_lanes)
                           .constant());
  }
  auto* value = llvm::ConstantArray::get(llvm::ArrayType::get(type, versions.size()), versions);
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                  "cohort.gangs." + name);
}

}  // namespace cohort

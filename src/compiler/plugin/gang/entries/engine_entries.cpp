// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/entries/engine_entries.hpp"

#include "analysis/source_place.hpp"
#include "gang/frame.hpp"
#include "loops/kernel_copy.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// cohort_gang and cohort_gang_version of port.hpp.
constexpr uint64_t first_rank_offset = 0, lanes_offset = 4, thread_index_offset = 8;
constexpr uint32_t full_rows = 1, full = 2, small_grid = 4;

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

// The version becomes a part of its entry, in which the engine's calls have their places.
llvm::Function* finish_entry(llvm::Function* entry, llvm::CallInst* call, llvm::IRBuilder<>& b) {
  llvm::Function* version = call->getCalledFunction();
  b.CreateRetVoid();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
  version->eraseFromParent();
  return entry;
}

}  // namespace

engine_entry make_row_entry(llvm::Function& rows, unsigned width, unsigned row_lanes, llvm::StringRef name) {
  llvm::IRBuilder<> b(rows.getContext());
  llvm::Function* entry = start_entry(rows, name, b);
  llvm::SmallVector<llvm::Value*, 4> arguments{entry->getArg(0)};
  for (unsigned axis = 0; axis < 3; ++axis) {
    arguments.push_back(b.CreateLoad(b.getInt32Ty(), field(b, b.getPtrTy(), thread_index_offset + 8 * axis)));
  }
  if (row_lanes) {
    arguments[1] = b.getInt32(0);
  }
  const uint32_t conditions = (row_lanes ? 0 : full_rows) | full | small_grid;
  return {finish_entry(entry, b.CreateCall(&rows, arguments), b), width, conditions, row_lanes};
}

engine_entry make_any_entry(llvm::Function& any, unsigned width, llvm::StringRef name) {
  llvm::IRBuilder<> b(any.getContext());
  llvm::Function* entry = start_entry(any, name, b);
  auto* call = b.CreateCall(
      &any, {entry->getArg(0), field(b, b.getInt32Ty(), first_rank_offset), field(b, b.getInt32Ty(), lanes_offset)});
  return {finish_entry(entry, call, b), width, 0};
}

llvm::GlobalVariable* make_gang_table(llvm::ArrayRef<engine_entry> entries, llvm::StringRef name) {
  llvm::Module& module = *entries.front().function->getParent();
  auto* word = llvm::Type::getInt32Ty(module.getContext());
  auto* type = llvm::StructType::get(llvm::PointerType::get(module.getContext(), 0), word, word, word, word);
  llvm::SmallVector<llvm::Constant*, 3> versions;
  for (const engine_entry& entry : entries) {
    versions.push_back(llvm::ConstantStruct::get(
        type, entry.function, llvm::ConstantInt::get(word, entry.width), llvm::ConstantInt::get(word, entry.conditions),
        llvm::ConstantInt::get(word, frame_bytes(*entry.function)), llvm::ConstantInt::get(word, entry.row_lanes)));
  }
  auto* value = llvm::ConstantArray::get(llvm::ArrayType::get(type, versions.size()), versions);
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                  "cohort.gangs." + name);
}

}  // namespace cohort

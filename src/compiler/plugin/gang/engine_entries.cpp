// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/engine_entries.hpp"

#include "analysis/source_place.hpp"
#include "loops/kernel_copy.hpp"
#include "lower/context_reads.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// cohort_gang and cohort_gang_version of port.hpp.
constexpr uint64_t first_rank_offset = 0, lanes_offset = 4, thread_index_offset = 8;
constexpr uint32_t full_rows = 1, full = 2;
constexpr uint64_t spill_bytes = 16384;  // vectors that do not fit registers, and the frames of callees

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

void call_any(llvm::IRBuilder<>& b, llvm::Function& any) {
  b.CreateCall(&any, {b.GetInsertBlock()->getParent()->getArg(0), field(b, b.getInt32Ty(), first_rank_offset),
                      field(b, b.getInt32Ty(), lanes_offset)});
}

uint64_t frame_bytes(llvm::Function& function) {
  uint64_t bytes = spill_bytes;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      bytes += function.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
    }
  }
  return bytes;
}

}  // namespace

llvm::Value* has_small_grid(llvm::IRBuilder<>& b, llvm::Value* grid_dim, llvm::Value* block_dim) {
  auto* number = b.getInt64Ty();
  return b.CreateICmpULE(b.CreateMul(b.CreateZExt(grid_dim, number), b.CreateZExt(block_dim, number)),
                         b.getInt64(largest_row_grid));
}

gang_table make_engine_entries(llvm::Function& rows, llvm::Function& any, unsigned width, llvm::StringRef name) {
  llvm::Module& module = *rows.getParent();
  llvm::LLVMContext& context = module.getContext();
  const uint64_t bytes = std::max(frame_bytes(rows), frame_bytes(any));
  llvm::IRBuilder<> b(context);

  llvm::Function* in_rows = start_entry(rows, name, b);
  auto* row_gang = llvm::BasicBlock::Create(context, "row", in_rows);
  auto* any_gang = llvm::BasicBlock::Create(context, "any", in_rows);
  context_reader reader(b);
  b.CreateCondBr(has_small_grid(b, reader.read(context_value::grid_dim, 0), reader.read(context_value::block_dim, 0)),
                 row_gang, any_gang);
  b.SetInsertPoint(row_gang);
  llvm::Value* index[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    index[axis] = b.CreateLoad(b.getInt32Ty(), field(b, b.getPtrTy(), thread_index_offset + 8 * axis));
  }
  auto* call = b.CreateCall(&rows, {in_rows->getArg(0), index[0], index[1], index[2]});
  b.CreateRetVoid();
  b.SetInsertPoint(any_gang);
  call_any(b, any);
  b.CreateRetVoid();

  llvm::Function* in_any = start_entry(any, name, b);
  call_any(b, any);
  b.CreateRetVoid();

  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
  rows.eraseFromParent();

  auto* word = b.getInt32Ty();
  auto* type = llvm::StructType::get(b.getPtrTy(), word, word, word);
  auto version = [&](llvm::Function* entry, uint32_t conditions) {
    return llvm::ConstantStruct::get(type, entry, llvm::ConstantInt::get(word, width),
                                     llvm::ConstantInt::get(word, conditions), llvm::ConstantInt::get(word, bytes));
  };
  auto* value =
      llvm::ConstantArray::get(llvm::ArrayType::get(type, 2), {version(in_rows, full_rows | full), version(in_any, 0)});
  auto* table = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                         "cohort.gangs." + name);
  return {table, 2, {in_rows, in_any}};
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/entries/block_entry.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/source_place.hpp"
#include "gang/structure/launch_condition.hpp"
#include "loops/kernel_copy.hpp"
#include "lower/context_reads.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// for (z ..) for (y ..) for (x = 0; x < Dx; x += width) rows(arguments, x, y, z), between two blocks.
llvm::BasicBlock* make_row_loops(llvm::Function& function, llvm::BasicBlock* done, llvm::Value* const (&dim)[3],
                                 llvm::Function& rows, unsigned width, const llvm::DebugLoc& place,
                                 llvm::CallInst*& call) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(context);
  b.SetCurrentDebugLocation(place);
  auto* start = llvm::BasicBlock::Create(context, "rows", &function, done);
  llvm::BasicBlock* head[3];
  llvm::BasicBlock* next[3];
  llvm::PHINode* index[3];
  for (int axis = 2; axis >= 0; --axis) {
    head[axis] = llvm::BasicBlock::Create(context, "gang", &function, done);
  }
  for (int axis = 0; axis < 3; ++axis) {
    next[axis] = llvm::BasicBlock::Create(context, "gang.next", &function, done);
  }
  b.SetInsertPoint(start);
  b.CreateBr(head[2]);
  for (int axis = 2; axis >= 0; --axis) {
    b.SetInsertPoint(head[axis]);
    index[axis] = b.CreatePHI(b.getInt32Ty(), 2);
    index[axis]->addIncoming(b.getInt32(0), axis == 2 ? start : head[axis + 1]);
    if (axis > 0) {
      b.CreateBr(head[axis - 1]);
    }
  }
  call = b.CreateCall(&rows, {function.getArg(0), index[0], index[1], index[2]});
  b.CreateBr(next[0]);
  for (int axis = 0; axis < 3; ++axis) {
    b.SetInsertPoint(next[axis]);
    auto* after = b.CreateAdd(index[axis], b.getInt32(axis == 0 ? width : 1), "", true, true);
    index[axis]->addIncoming(after, next[axis]);
    b.CreateCondBr(b.CreateICmpULT(after, dim[axis]), head[axis], axis == 2 ? done : next[axis + 1]);
  }
  return start;
}

llvm::BasicBlock* make_any_loop(llvm::Function& function, llvm::BasicBlock* done, llvm::Value* const (&dim)[3],
                                llvm::Function& any, unsigned width, const llvm::DebugLoc& place) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(context);
  b.SetCurrentDebugLocation(place);
  auto* start = llvm::BasicBlock::Create(context, "any", &function, done);
  auto* loop = llvm::BasicBlock::Create(context, "any.gang", &function, done);
  b.SetInsertPoint(start);
  llvm::Value* threads = b.CreateMul(b.CreateMul(dim[0], dim[1]), dim[2]);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* first = b.CreatePHI(b.getInt32Ty(), 2, "first");
  llvm::Value* left = b.CreateSub(threads, first);
  b.CreateCall(&any,
               {function.getArg(0), first, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, b.getInt32(width))});
  llvm::Value* after = b.CreateAdd(first, b.getInt32(width), "", true, true);
  first->addIncoming(b.getInt32(0), start);
  first->addIncoming(after, loop);
  b.CreateCondBr(b.CreateICmpULT(after, threads), loop, done);
  return start;
}

llvm::BasicBlock* make_call(llvm::Function& function, llvm::BasicBlock* done, llvm::Function& called,
                            const llvm::DebugLoc& place) {
  auto* start = llvm::BasicBlock::Create(function.getContext(), "threads", &function, done);
  llvm::IRBuilder<> b(start);
  b.SetCurrentDebugLocation(place);
  b.CreateCall(&called, {function.getArg(0)});
  b.CreateBr(done);
  return start;
}

// True in a launch with at most largest_row_grid threads in x.
llvm::Value* has_small_grid(llvm::IRBuilder<>& b, llvm::Value* grid_dim, llvm::Value* block_dim) {
  auto* number = b.getInt64Ty();
  return b.CreateICmpULE(b.CreateMul(b.CreateZExt(grid_dim, number), b.CreateZExt(block_dim, number)),
                         b.getInt64(largest_row_grid));
}

// True if `dim`, the length of the block's rows, is a multiple of `lanes` and the grid is `small`.
llvm::Value* has_rows_of(llvm::IRBuilder<>& b, llvm::Value* dim, unsigned lanes, llvm::Value* small) {
  return b.CreateAnd(b.CreateICmpEQ(b.CreateAnd(dim, b.getInt32(lanes - 1)), b.getInt32(0)), small);
}

// The block entry without code.
llvm::Function* declare_entry(const llvm::Function& thread_entry, const llvm::Function& rows, llvm::StringRef name) {
  auto* function = llvm::Function::Create(thread_entry.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                          "cohort.block." + name, const_cast<llvm::Module*>(rows.getParent()));
  function->copyAttributesFrom(&rows);
  return function;
}

}  // namespace

llvm::Function* make_block_entry(const llvm::Function& thread_entry, llvm::SmallVector<row_gangs, 2> rows,
                                 const other_blocks_code& others, llvm::StringRef name) {
  llvm::Function& first = *rows.front().function;
  llvm::LLVMContext& context = first.getContext();
  llvm::Function* function = declare_entry(thread_entry, first, name);
  auto* entry = llvm::BasicBlock::Create(context, "block", function);
  auto* done = llvm::BasicBlock::Create(context, "done", function);
  describe_block(*function, first, name);
  const llvm::DebugLoc place = start_of(*function);
  llvm::IRBuilder<> b(entry);
  b.SetCurrentDebugLocation(place);
  context_reader reader(b);
  llvm::Value* dim[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    dim[axis] = reader.read(context_value::block_dim, axis);
  }
  llvm::Value* small = has_small_grid(b, reader.read(context_value::grid_dim, 0), dim[0]);
  llvm::SmallVector<llvm::CallInst*, 2> calls(rows.size());
  llvm::BasicBlock* wide = make_row_loops(*function, done, dim, first, rows.front().width, place, calls[0]);
  llvm::BasicBlock* other = others.any ? make_any_loop(*function, done, dim, *others.any, others.any_width, place)
                                       : make_call(*function, done, *others.loop, place);
  if (rows.size() > 1) {
    llvm::BasicBlock* narrow = make_row_loops(*function, done, dim, *rows[1].function, rows[1].width, place, calls[1]);
    auto* narrower = llvm::BasicBlock::Create(context, "narrower", function, done);
    b.CreateCondBr(has_rows_of(b, dim[0], rows[0].width, small), wide, narrower);
    b.SetInsertPoint(narrower);
    b.CreateCondBr(has_rows_of(b, dim[0], rows[1].width, small), narrow, other);
  } else {
    b.CreateCondBr(has_rows_of(b, dim[0], rows[0].width, small), wide, other);
  }
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  for (auto [call, called] : llvm::zip_equal(calls, rows)) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    called.function = {};
  }
  return function;
}

}  // namespace cohort

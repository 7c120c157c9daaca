// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a loop's iterations is known before it where the loop has one exit, after its last instruction. If it
// cannot synchronise, all of its reads may be checked before it: no other thread's access can be ordered with one and
// not with the other. The call before the loop handles common cases only. After any other one it returns false, and the
// checks inside of the loop find the fault and report it at the loop's own access. It also returns false where an index
// of 32 bits wraps around in the loop.
//
// `sum += x[column[k] + 1]` has a read whose address is loaded. If the loop writes nothing, a second call before it
// loads the indices, which the first call has checked, and checks the gathered elements.
#include "check/instrument_accesses.hpp"

#include <optional>

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "check/access_check.hpp"
#include "check/check_calls.hpp"
#include "check/loop_counts.hpp"

namespace cohort {
namespace {

// A read in a loop, with its address in the first iteration and the distance to the next one.
struct hoisted_read {
  access_check check;
  llvm::Loop* loop;
  const llvm::SCEV* first;
  const llvm::SCEV* stride;
  loop_count count;
  llvm::SmallVector<loop_index, 1> indices;  // the address is linear unless one of these indices wraps around
};

// The index of an element, as its address has it: a loaded value and a constant.
struct loaded_index {
  const llvm::LoadInst* load;
  int8_t addend;
  bool is_signed;
};

// A read of `base[index]`, whose index is the value of a hoisted read plus a constant.
struct gathered_read {
  access_check check;
  llvm::Value* base;
  int64_t offset;  // bytes from `base` to the element with the index 0
  uint64_t scale;  // bytes from one element to the next
  size_t index;    // number of the hoisted read that loads the index
  unsigned index_bytes;
  int8_t addend;
  bool is_signed;
};

class check_hoister {
 public:
  check_hoister(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                llvm::LoopInfo& loops)
      : function_(function),
        evolution_(evolution),
        dominators_(dominators),
        loops_(loops),
        expander_(evolution, function.getParent()->getDataLayout(), "cohort.reads") {}

  // Returns false if there was nothing to hoist.
  bool run() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!loop->isInnermost()) {
        continue;
      }
      llvm::simplifyLoop(loop, &dominators_, &loops_, &evolution_, nullptr, nullptr, false);
      if (loop->getLoopPreheader() && loop->getExitingBlock() == loop->getLoopLatch()) {
        find_reads(*loop);
      }
    }
    // The calls are made first: conditions change the blocks for which the expressions are expanded.
    llvm::SmallVector<llvm::Value*, 8> are_checked;
    for (const hoisted_read& read : reads_) {
      are_checked.push_back(call_before_loop(read));
    }
    llvm::SmallVector<llvm::Value*, 8> are_gathered;
    for (const gathered_read& gather : gathers_) {
      are_gathered.push_back(call_before_loop(gather, are_checked[gather.index]));
    }
    // One condition for all reads of a loop: LLVM can unswitch the loop into a version with their checks and a version
    // without checks.
    llvm::DenseMap<const llvm::Loop*, llvm::Value*> must_check;
    for (size_t i = 0; i < reads_.size(); ++i) {
      add_condition(must_check[reads_[i].loop], are_checked[i], *reads_[i].loop);
    }
    // Gathered reads have a condition of their own, because they are often not checked before the loop.
    llvm::DenseMap<const llvm::Loop*, llvm::Value*> must_check_gathered;
    for (size_t i = 0; i < gathers_.size(); ++i) {
      const llvm::Loop& loop = *reads_[gathers_[i].index].loop;
      must_check_gathered.try_emplace(&loop, must_check[&loop]);
      add_condition(must_check_gathered[&loop], are_gathered[i], loop);
    }
    for (const hoisted_read& read : reads_) {
      keep_if(read.check.call, must_check[read.loop]);
    }
    for (const gathered_read& gather : gathers_) {
      keep_if(gather.check.call, must_check_gathered[reads_[gather.index].loop]);
    }
    return !must_check.empty();
  }

 private:
  void find_reads(llvm::Loop& loop) {
    const auto count = find_count(loop, evolution_);
    if (!count) {
      return;
    }
    llvm::SmallVector<hoisted_read, 4> found;
    llvm::SmallVector<access_check, 4> others;
    bool writes = false;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (may_synchronise(instruction) || is_range_check(instruction)) {
          return;
        }
        writes = writes || llvm::isa<llvm::StoreInst>(instruction);
        const auto check = find_check(instruction);
        if (check && !check->writes && !check->unaligned && check->bytes >= 4 &&
            dominators_.dominates(block, loop.getLoopLatch())) {
          if (!add_read(loop, *check, *count, found)) {
            others.push_back(*check);
          }
        }
      }
    }
    reads_.append(found);
    for (const access_check& check : others) {
      if (!writes) {
        add_gather(loop, check);
      }
    }
  }

  bool add_read(llvm::Loop& loop, const access_check& check, const loop_count& count,
                llvm::SmallVectorImpl<hoisted_read>& found) {
    llvm::SmallVector<loop_index, 1> indices;
    const llvm::SCEVAddRecExpr* const address =
        find_linear(evolution_.getSCEV(check.address), loop, evolution_, indices);
    if (!address || !can_expand(count, indices, loop, evolution_, expander_)) {
      return false;
    }
    const hoisted_read read = {check, &loop,  address->getStart(), address->getStepRecurrence(evolution_),
                               count, indices};
    const llvm::Instruction* const before = loop.getLoopPreheader()->getTerminator();
    for (const llvm::SCEV* needed : {read.first, read.stride}) {
      if (!evolution_.isLoopInvariant(needed, &loop) || !expander_.isSafeToExpandAt(needed, before)) {
        return false;
      }
    }
    found.push_back(read);
    return true;
  }

  void add_gather(llvm::Loop& loop, const access_check& check) {
    const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
    llvm::MapVector<llvm::Value*, llvm::APInt> scales;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(check.address->getType()), 0);
    llvm::Value* base = check.address;
    while (!loop.isLoopInvariant(base)) {
      auto* const address = llvm::dyn_cast<llvm::GEPOperator>(base);
      if (!address || !address->collectOffset(layout, offset.getBitWidth(), scales, offset)) {
        return;
      }
      base = address->getPointerOperand();
    }
    const auto index = scales.size() == 1 ? find_index(*scales.front().first) : std::nullopt;
    if (!index || !loop.contains(index->load)) {
      return;
    }
    const auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(index->load->getType()));
    const auto* const read = llvm::find_if(reads_, [&](const hoisted_read& one) {
      return one.loop == &loop && one.check.address == index->load->getPointerOperand() && one.check.bytes == bytes;
    });
    if (read == reads_.end()) {
      return;
    }
    gathers_.push_back({check, base, offset.getSExtValue(), scales.front().second.getZExtValue(),
                        static_cast<size_t>(read - reads_.begin()), bytes, index->addend, index->is_signed});
  }

  // The value that is extended to 64 bits may be a sum, which wraps around as the loaded type does.
  static std::optional<loaded_index> find_index(llvm::Value& value) {
    llvm::Value* index = &value;
    const bool is_signed = !llvm::isa<llvm::ZExtInst>(index);
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index)) {
      index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
    }
    int64_t addend = 0;
    if (auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
        sum && sum->getOpcode() == llvm::Instruction::Add) {
      const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
      if (!constant || !constant->getValue().isSignedIntN(8)) {
        return std::nullopt;
      }
      addend = constant->getSExtValue();
      index = sum->getOperand(0);
    }
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(index);
    if (!load || (!load->getType()->isIntegerTy(32) && !load->getType()->isIntegerTy(64))) {
      return std::nullopt;
    }
    return loaded_index{load, static_cast<int8_t>(addend), is_signed};
  }

  // The addresses of a read in all iterations, as the arguments first, stride and count of a call.
  llvm::SmallVector<llvm::Value*, 8> addresses_of(const hoisted_read& read) {
    llvm::Instruction* const before = read.loop->getLoopPreheader()->getTerminator();
    llvm::Type* const word = llvm::Type::getInt64Ty(function_.getContext());
    llvm::Type* const pointer = llvm::PointerType::getUnqual(function_.getContext());
    return {expander_.expandCodeFor(read.first, pointer, before),
            expander_.expandCodeFor(evolution_.getTruncateOrSignExtend(read.stride, word), word, before),
            make_count(read.count, read.indices, *read.loop, evolution_, expander_)};
  }

  // Calls the checker before the loop. Its result is false if the loop must make the check.
  llvm::Value* call_before_loop(const llvm::Loop& loop, const access_check& check, check_call function,
                                llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    builder.SetCurrentDebugLocation(check.call->getDebugLoc());
    return builder.CreateIsNotNull(builder.CreateCall(declare(*function_.getParent(), function), arguments));
  }

  llvm::Value* call_before_loop(const hoisted_read& read) {
    llvm::SmallVector<llvm::Value*, 8> arguments = addresses_of(read);
    arguments.push_back(word_of(read.check.bytes));
    return call_before_loop(*read.loop, read.check, check_call::cohort_check_loop, arguments);
  }

  llvm::Value* call_before_loop(const gathered_read& gather, llvm::Value* indices_are_checked) {
    const hoisted_read& read = reads_[gather.index];
    llvm::SmallVector<llvm::Value*, 8> arguments = addresses_of(read);
    llvm::IRBuilder<> builder(read.loop->getLoopPreheader()->getTerminator());
    const uint32_t kind = gather.check.bytes | gather.index_bytes << 8 | (gather.is_signed ? 1u << 16 : 0) |
                          uint32_t{static_cast<uint8_t>(gather.addend)} << 24;
    llvm::Value* const base = builder.CreatePtrAdd(gather.base, builder.getInt64(static_cast<uint64_t>(gather.offset)));
    arguments.append({base, builder.getInt64(gather.scale), word_of(kind),
                      builder.CreateZExt(indices_are_checked, builder.getInt32Ty())});
    return call_before_loop(*read.loop, gather.check, check_call::cohort_check_gather, arguments);
  }

  llvm::Value* word_of(uint32_t value) const {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(function_.getContext()), value);
  }

  static void add_condition(llvm::Value*& must_check, llvm::Value* is_checked, const llvm::Loop& loop) {
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    llvm::Value* const is_left = builder.CreateNot(is_checked);
    must_check = must_check ? builder.CreateOr(must_check, is_left) : is_left;
  }

  static void keep_if(llvm::CallInst* check, llvm::Value* condition) {
    check->moveBefore(llvm::SplitBlockAndInsertIfThen(condition, check->getIterator(), false));
  }

  llvm::Function& function_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::SCEVExpander expander_;
  llvm::SmallVector<hoisted_read, 8> reads_;
  llvm::SmallVector<gathered_read, 4> gathers_;
};

}  // namespace

bool hoist_checks(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators,
                  llvm::LoopInfo& loops) {
  return check_hoister(function, evolution, dominators, loops).run();
}

}  // namespace cohort

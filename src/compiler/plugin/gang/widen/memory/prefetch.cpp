// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/prefetch.hpp"

#include <algorithm>
#include <optional>

#include "analysis/context_calls.hpp"
#include "analysis/port_calls.hpp"
#include "gang/shape/derivative.hpp"
#include "gang/shape/questions.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

constexpr uint64_t line_bytes = 64;
constexpr uint64_t bytes_ahead = 8192;            // measured: half the distance prefetches too late
constexpr uint64_t bytes_to_later_blocks = 2048;  // measured: 4096 is as good, 1024 and 8192 are slower
// Columns of blocks at multiples of this compete for the same few lines of the second level, whose ways have 64 KiB or
// less on current processors.
constexpr uint64_t bytes_of_one_way = 65536;
constexpr uint64_t longest_row = 256;           // bytes of the longest row of a tile: 16 or 32 elements
constexpr uint64_t longest_stream_step = 2048;  // processors find streams of shorter steps
constexpr unsigned deepest = 10;                // recursion over operands

// A counter of `loop`: value = phi(start, next), next = value + step.
struct counter {
  llvm::PHINode* value;
  llvm::Value* next;
  llvm::Value* step;
};

std::optional<counter> counter_of(llvm::Value* index, const llvm::Loop& loop) {
  while (auto* extension = llvm::dyn_cast<llvm::CastInst>(index)) {
    index = extension->getOperand(0);
  }
  auto* phi = llvm::dyn_cast<llvm::PHINode>(index);
  llvm::Value* step = phi ? step_of(*phi, loop) : nullptr;
  if (!step) {
    return std::nullopt;
  }
  return counter{phi, phi->getIncomingValueForBlock(loop.getLoopLatch()), step};
}

// True if `value` is computed from `what`.
bool depends_on(const llvm::Value* value, context_value what, unsigned depth = 0) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > deepest) {
    return false;
  }
  auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
  return (call && read_by(*call) == what) ||
         llvm::any_of(instruction->operands(), [&](const llvm::Use& use) { return depends_on(use, what, depth + 1); });
}

enum class level : uint8_t { second = 2, first = 3 };  // levels of the cache

void prefetch_lines(llvm::IRBuilder<>& b, llvm::Value* begin, uint64_t bytes, bool to_write, level where) {
  for (uint64_t line = 0; line < bytes; line += line_bytes) {
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {b.CreateConstGEP1_64(b.getInt8Ty(), begin, line), b.getInt32(to_write),
                       b.getInt32(static_cast<uint32_t>(where)), b.getInt32(1)});
  }
}

// True if the gangs' elements of a block are a short row of a tile: the next block's row follows at once.
bool is_row_of_tile(const llvm::Value* step, uint64_t bytes) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step);
  return constant && constant->getValue().abs().ule(bytes) && bytes <= longest_row;
}

// How many bytes further the elements of a block lie that runs some KiB later, if those of the next block are `step`
// bytes further.
llvm::Value* distance_ahead(llvm::IRBuilder<>& b, llvm::Value* step, bool row_of_tile) {
  if (row_of_tile) {
    return b.CreateMul(step, b.getInt64(2));  // two blocks: with all rows of its tile, a block may take some KiB
  }
  llvm::Value* size = b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, step, b.getFalse());
  size = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, size, b.getInt64(1));
  llvm::Value* blocks = b.CreateUDiv(b.getInt64(bytes_to_later_blocks), size);
  blocks = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, blocks, b.getInt64(1));
  llvm::Value* crowded = b.CreateICmpEQ(b.CreateAnd(step, b.getInt64(bytes_of_one_way - 1)), b.getInt64(0));
  return b.CreateSelect(crowded, b.getInt64(0), b.CreateMul(step, blocks));
}

// Moves the arithmetic of `value` to the end of the entry block. False: it depends on something that is computed later.
bool move_to_entry(llvm::Value* value, llvm::Instruction* end_of_entry) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || instruction->getParent() == end_of_entry->getParent()) {
    return true;
  }
  const bool is_arithmetic = llvm::isa<llvm::CastInst>(instruction) ||
                             (llvm::isa<llvm::BinaryOperator>(instruction) && !instruction->isIntDivRem());
  if (!is_arithmetic ||
      !llvm::all_of(instruction->operands(), [&](llvm::Use& use) { return move_to_entry(use, end_of_entry); })) {
    return false;
  }
  instruction->moveBefore(end_of_entry);
  instruction->dropPoisonGeneratingFlags();  // the condition before its old place may have kept it from wrapping around
  return true;
}

bool waits(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const port_call called = call ? port_call_of(*call) : port_call::none;
      return is_gang_wait(called) || kind_of(thread_form_of(called)) == call_kind::barrier;
    });
  });
}

// The compare of the next counter with a bound that keeps all lanes in the loop. Null: there is none.
llvm::ICmpInst* bound_of(const counter& i) {
  for (llvm::User* user : i.next->users()) {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    const bool decides = compare && llvm::any_of(compare->users(), [](const llvm::User* asking) {
                           auto* call = llvm::dyn_cast<llvm::CallInst>(asking);
                           return call && asked_by(*call) == gang_question::all_stay;
                         });
    if (decides && compare->getOperand(0) == i.next) {
      return compare;
    }
  }
  return nullptr;
}

}  // namespace

void prefetch_later_turns(llvm::IRBuilder<>& b, llvm::LoadInst& load, unsigned lanes, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(load.getParent());
  auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand());
  const uint64_t element = load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  const uint64_t bytes = element * lanes;
  // Two gangs of bytes may share a line.
  if (!loop || !address || address->getNumIndices() != 1 || bytes < line_bytes / 2) {
    return;
  }
  const auto i = counter_of(address->getOperand(1), *loop);
  if (!i) {
    return;
  }
  llvm::ICmpInst* bound = bound_of(*i);
  if (!bound || !loop->isLoopInvariant(bound->getOperand(1)) || !depends_on(i->step, context_value::grid_dim)) {
    return;
  }
  // Past the end of the array the distance is 0: there may be no page, and the line of the load is in the cache.
  const uint64_t turns = std::clamp<uint64_t>(bytes_ahead / bytes, 4, 32);
  llvm::Value* distance = b.CreateMul(i->step, llvm::ConstantInt::get(i->step->getType(), turns));
  llvm::Value* later = b.CreateICmp(bound->getPredicate(), b.CreateAdd(i->value, distance), bound->getOperand(1));
  llvm::Value* skipped = b.CreateMul(b.CreateZExtOrTrunc(distance, b.getInt64Ty()), b.getInt64(element));
  llvm::Value* ahead = b.CreateGEP(b.getInt8Ty(), address, b.CreateSelect(later, skipped, b.getInt64(0)));
  // Processors track more pending lines for the second level than for the first.
  prefetch_lines(b, ahead, bytes, false, level::second);
}

stream stream_of(const llvm::Value* address) {
  using namespace llvm::PatternMatch;
  auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
  while (place && place->hasAllConstantIndices()) {
    address = place->getPointerOperand();
    place = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
  }
  if (!place || place->getNumIndices() != 1) {
    return {address, nullptr};
  }
  const llvm::Value* index = place->getOperand(1);
  const llvm::Value* inner;
  while (match(index, m_SExt(m_Value(inner))) || match(index, m_ZExt(m_Value(inner))) ||
         match(index, m_AddLike(m_Value(inner), m_ConstantInt()))) {
    index = inner;
  }
  return {place->getPointerOperand(), index};
}

void prefetch_later_blocks(llvm::IRBuilder<>& b, llvm::Instruction& access, const shape_analysis& shapes,
                           const llvm::LoopInfo& loops) {
  llvm::Value* address = llvm::getLoadStorePointerOperand(&access);
  const llvm::DataLayout& layout = access.getDataLayout();
  const uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue() * shapes.width();
  if (bytes < line_bytes || loops.getLoopFor(access.getParent()) || !depends_on(address, context_value::block_index)) {
    return;
  }
  const auto step = block_stride(b, address, shapes);
  if (step && !*step) {
    return;  // the next blocks access the same elements as this one
  }
  const bool row_of_tile = step && is_row_of_tile(*step, bytes);
  llvm::Value* distance = b.getInt64(bytes_to_later_blocks);
  if (step) {
    // Accesses behind different conditions share one division in the entry block.
    llvm::BasicBlock& entry = access.getFunction()->getEntryBlock();
    const bool is_moved = access.getParent() != &entry && move_to_entry(*step, entry.getTerminator());
    llvm::IRBuilder<> at_entry(entry.getTerminator());
    distance = distance_ahead(is_moved ? at_entry : b, *step, row_of_tile);
  }
  // A prefetch past the end of an array does nothing where there is no page.
  prefetch_lines(b, b.CreateGEP(b.getInt8Ty(), address, distance), bytes, llvm::isa<llvm::StoreInst>(access),
                 row_of_tile ? level::second : level::first);
}

void prefetch_next_turn(llvm::IRBuilder<>& b, llvm::Instruction& access, const shape_analysis& shapes,
                        const llvm::LoopInfo& loops) {
  llvm::Value* address = llvm::getLoadStorePointerOperand(&access);
  const uint64_t bytes =
      access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue() * shapes.width();
  const llvm::Loop* loop = loops.getLoopFor(access.getParent());
  // Shared memory, whose address a call returns, is in the cache.
  if (bytes < line_bytes || !loop || llvm::isa<llvm::CallInst>(llvm::getUnderlyingObject(address, 0)) ||
      !waits(*loop)) {
    return;
  }
  const auto step = turn_stride(b, address, *loop, shapes);
  if (!step || !*step) {
    return;
  }
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(*step);
  if (constant && constant->getValue().abs().ult(longest_stream_step)) {
    return;
  }
  prefetch_lines(b, b.CreateGEP(b.getInt8Ty(), address, b.CreateSExtOrTrunc(*step, b.getInt64Ty())), bytes,
                 llvm::isa<llvm::StoreInst>(access), level::first);
}

}  // namespace cohort

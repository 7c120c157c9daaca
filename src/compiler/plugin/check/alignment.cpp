// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU fails an access whose address is no multiple of its size, and `float4` is one access. The optimizer makes four
// stores of it, of which only the first one's alignment still shows the type. So the address is compared with the
// alignment that the source promises, not only with the size.
#include "check/instrument_accesses.hpp"

#include "analysis/port_calls.hpp"
#include "check/access_check.hpp"
#include "check/check_calls.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cohort {
namespace {

// The widest access of a GPU. Larger promised alignments are no condition of an access.
constexpr uint64_t most_alignment = 16;
// The alignment of cohort_block_context::static_shared and dynamic_shared.
constexpr llvm::Align shared_alignment = llvm::Align::Constant<128>();
// The largest value whose size its own check compares with the address.
constexpr uint64_t most_checked_bytes = 8;

// An address that must be a multiple of `alignment`.
struct aligned_access {
  llvm::Instruction* access;
  llvm::Value* address;
  uint64_t alignment;
  bool writes;
};

bool is_shared_memory(const llvm::Value& value) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&value);
  const port_call called = call ? port_call_of(*call) : port_call::none;
  return called == port_call::cohort_static_shared || called == port_call::cohort_dynamic_shared;
}

bool is_object(const llvm::Value* address) {
  const llvm::Value* const object = llvm::getUnderlyingObject(address);
  return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object) || is_shared_memory(*object);
}

// Promises of parameters are no proof: they come from the types that the accesses have.
bool is_known_aligned(llvm::Value* address, uint64_t alignment, const llvm::DataLayout& layout) {
  return is_object(address) && llvm::getKnownAlignment(address, layout).value() >= alignment;
}

using aligned_accesses = llvm::SmallVector<aligned_access, 16>;

void add_if_needed(aligned_accesses& found, llvm::Instruction& access, llvm::Value* address, llvm::Align promised,
                   uint64_t checked, bool writes) {
  const uint64_t alignment = std::min(promised.value(), most_alignment);
  if (alignment > checked && !is_known_aligned(address, alignment, access.getDataLayout())) {
    found.push_back({&access, address, alignment, writes});
  }
}

void find_in_range(llvm::MemIntrinsic& range, aligned_accesses& found) {
  add_if_needed(found, range, range.getDest(), range.getDestAlign().valueOrOne(), 1, true);
  if (auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(&range)) {
    add_if_needed(found, range, transfer->getSource(), transfer->getSourceAlign().valueOrOne(), 1, false);
  }
}

void find_in_value(llvm::Instruction& access, aligned_accesses& found) {
  // Atomics need the alignment of their size.
  if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&access)) {
    add_if_needed(found, access, update->getPointerOperand(), update->getAlign(), most_checked_bytes, true);
  } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access)) {
    add_if_needed(found, access, exchange->getPointerOperand(), exchange->getAlign(), most_checked_bytes, true);
  } else if (llvm::Value* const address = llvm::getLoadStorePointerOperand(&access)) {
    const uint64_t bytes = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
    add_if_needed(found, access, address, llvm::getLoadStoreAlignment(&access),
                  access.isVolatile() ? 1 : std::min(bytes, most_checked_bytes), llvm::isa<llvm::StoreInst>(access));
  }
}

// Calls `act` with a builder in a branch that is taken if the address is misaligned.
template <class Act>
void test(const aligned_access& each, const Act& act) {
  llvm::IRBuilder<> builder(each.access);
  llvm::Value* const low = builder.CreateAnd(builder.CreatePtrToInt(each.address, builder.getInt64Ty()),
                                             builder.getInt64(each.alignment - 1));
  llvm::Instruction* const end =
      llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(low), each.access->getIterator(), false,
                                      llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights());
  llvm::IRBuilder<> inner(end);
  act(inner);
}

void call_check(llvm::IRBuilder<>& builder, const aligned_access& each) {
  call_checker(
      builder, *each.access, check_call::cohort_check_aligned,
      {each.address, builder.getInt32(static_cast<uint32_t>(each.alignment)), builder.getInt32(each.writes ? 1 : 0)});
}

// Removes tests that other tests make unnecessary.
class needed_tests {
 public:
  explicit needed_tests(llvm::Function& function) : layout_(function.getDataLayout()), dominators_(function) {
    for (const auto* node : llvm::depth_first(dominators_.getRootNode())) {
      for (llvm::Instruction& instruction : *node->getBlock()) {
        aligned_accesses found;
        find_in_value(instruction, found);
        for (const aligned_access& each : found) {
          add(each);
        }
      }
    }
  }

  const aligned_accesses& needed() const { return needed_; }

 private:
  struct tested_offset {
    size_t access;
    int64_t offset;
  };

  // The test before an access covers all later accesses on the path: an address does not change.
  void add(const aligned_access& now) {
    llvm::APInt constant(64, 0);
    const llvm::Value* const base = now.address->stripAndAccumulateConstantOffsets(layout_, constant, true);
    const int64_t offset = constant.getSExtValue();
    llvm::SmallVector<tested_offset, 4>& tested = by_base_[base];
    for (const tested_offset& other : tested) {
      const aligned_access& before = needed_[other.access];
      if (before.alignment >= now.alignment && (offset - other.offset) % static_cast<int64_t>(now.alignment) == 0 &&
          dominators_.dominates(before.access, now.access)) {
        return;
      }
    }
    tested.push_back({needed_.size(), offset});
    needed_.push_back(now);
  }

  const llvm::DataLayout& layout_;
  llvm::DominatorTree dominators_;
  aligned_accesses needed_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<tested_offset, 4>> by_base_;
};

}  // namespace

void check_alignment_of_ranges(llvm::Function& function) {
  aligned_accesses found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* const range = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      find_in_range(*range, found);
    }
  }
  for (const aligned_access& each : found) {
    llvm::IRBuilder<> builder(each.access);
    call_check(builder, each);
  }
}

void check_alignment_of_values(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_shared_memory(instruction)) {
      llvm::cast<llvm::CallInst>(instruction)
          .addRetAttr(llvm::Attribute::getWithAlignment(function.getContext(), shared_alignment));
    }
  }
  const needed_tests tests(function);
  for (const aligned_access& each : tests.needed()) {
    test(each, [&](llvm::IRBuilder<>& builder) { call_check(builder, each); });
  }
}

}  // namespace cohort

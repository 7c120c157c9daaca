// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/jam/warp_jam.hpp"

#include <memory>

#include "gang/jam/jam_preparation.hpp"
#include "gang/jam/warp_regions.hpp"
#include "gang/structure/failures.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cohort {
namespace {

constexpr size_t largest_function = 8000;  // instructions of all warps
constexpr unsigned deepest_distance = 8;   // recursion over operands

class warp_jam {
 public:
  warp_jam(llvm::Function& function, const jam_axis& axis)
      : function_(function), root_(*function.getArg(axis.parameter)), axis_(axis) {}

  bool prepare() {
    fold_constants(function_);
    if (has_other_calls(function_) || !join_failures(function_, llvm::DominatorTree(function_))) {
      return false;
    }
    separate_branches(function_);
    analysis_ = std::make_unique<warp_analysis>(function_, root_);
    if (!analysis_->run()) {
      return false;
    }
    for (const warp_region& region : analysis_->regions()) {
      enter_together(region);
    }
    analysis_ = std::make_unique<warp_analysis>(function_, root_);
    return analysis_->run() && joins_calls() && has_sequential_assertions() &&
           llvm::none_of(analysis_->regions(),
                         [&](const warp_region& region) { return analysis_->is_sequential(region.before); });
  }

  // Warps gain little where they never repeat the code that they run together.
  bool has_common_loop() const {
    llvm::DominatorTree dominators(function_);
    const llvm::LoopInfo loops(dominators);
    return llvm::any_of(loops, [&](const llvm::Loop* loop) { return !analysis_->is_sequential(loop->getHeader()); });
  }

  bool fits(unsigned warps, const loop_registers& registers) const {
    if (function_.getInstructionCount() * warps > largest_function) {
      return false;
    }
    llvm::DominatorTree dominators(function_);
    const llvm::LoopInfo loops(dominators);
    const auto& layout = function_.getDataLayout();
    return llvm::all_of(loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
      uint64_t kept = 0;
      for (const llvm::PHINode& phi : loop->getHeader()->phis()) {
        if (phi.getType()->isVectorTy()) {
          const uint64_t bits = layout.getTypeSizeInBits(phi.getType()).getFixedValue();
          kept += llvm::divideCeil(bits, registers.bits) * (analysis_->differs(&phi) ? warps : 1);
        }
      }
      return analysis_->is_sequential(loop->getHeader()) || kept <= registers.count;
    });
  }

  void make(unsigned warps) {
    warps_ = warps;
    copies_ = std::make_unique<llvm::ValueToValueMapTy[]>(warps);
    for (const warp_region& region : analysis_->regions()) {
      share_addresses_of(region);
    }
    llvm::SmallVector<llvm::BasicBlock*, 32> common;
    for (llvm::BasicBlock& block : function_) {
      if (!analysis_->is_sequential(&block)) {
        common.push_back(&block);
      }
    }
    llvm::SmallVector<llvm::BasicBlock*, 8> ends;
    for (const warp_region& region : analysis_->regions()) {
      llvm::SmallVector<llvm::BasicBlock*, 4> last;
      for (llvm::BasicBlock* before : llvm::predecessors(region.behind)) {
        if (region.blocks.contains(before) && !llvm::is_contained(last, before)) {
          last.push_back(before);
        }
      }
      ends.push_back(llvm::SplitBlockPredecessors(region.behind, last, ".warp"));
    }
    for (llvm::BasicBlock* block : common) {
      copy_instructions(*block);
    }
    for (const auto [region, end] : llvm::zip_equal(analysis_->regions(), ends)) {
      copy_region(region, end);
    }
    copy_root();
    connect_operands();
    for (const auto [region, end] : llvm::zip_equal(analysis_->regions(), ends)) {
      run_in_turn(region, end);
    }
    for (llvm::BasicBlock* block : common) {
      join_questions(*block);
    }
    for (llvm::Instruction* call : joint_calls_) {
      join_call(llvm::cast<llvm::CallBase>(*call));
    }
  }

 private:
  // One call cannot serve warps that pass different numbers, such as sizes of copies.
  bool joins_calls() const {
    return llvm::none_of(llvm::instructions(function_), [&](const llvm::Instruction& instruction) {
      return is_joint_call(instruction) &&
             llvm::any_of(llvm::cast<llvm::CallBase>(instruction).args(), [&](const llvm::Use& argument) {
               return analysis_->differs(argument.get()) && !llvm::isa<llvm::AllocaInst>(argument.get());
             });
    });
  }

  bool has_sequential_assertions() const {
    return llvm::none_of(llvm::instructions(function_), [&](const llvm::Instruction& instruction) {
      return is_assertion(instruction) && !analysis_->is_sequential(instruction.getParent());
    });
  }

  llvm::Value* copy_of(llvm::Value* value, unsigned warp) {
    const auto known = copies_[warp].find(value);
    return warp == 0 || known == copies_[warp].end() ? value : static_cast<llvm::Value*>(known->second);
  }

  void copy_root() {
    llvm::IRBuilder<> b(&function_.getEntryBlock(), function_.getEntryBlock().getFirstNonPHIIt());
    for (unsigned warp = 1; warp < warps_; ++warp) {
      copies_[warp][&root_] = b.CreateAdd(&root_, b.getInt32(warp * axis_.step), "", true, true);
    }
  }

  // True if `value` is a parameter of the kernel or its address, which are in memory as long as the kernel runs.
  bool is_parameter(const llvm::Value* value) const {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (!load || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
      return false;
    }
    const llvm::Value* from = load->getPointerOperand()->stripInBoundsConstantOffsets();
    auto* outer = llvm::dyn_cast<llvm::LoadInst>(from);
    return from == function_.getArg(0) ||
           (outer && outer->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
            outer->getPointerOperand()->stripInBoundsConstantOffsets() == function_.getArg(0));
  }

  // The distance between the values of two adjacent warps, modulo the type's width, where it is a constant.
  std::optional<uint64_t> distance(llvm::Value* value, unsigned depth = 0) const {
    if (value == &root_ || !analysis_->differs(value)) {
      return value == &root_ ? axis_.step : 0;
    }
    if (depth > deepest_distance) {
      return std::nullopt;
    }
    using namespace llvm::PatternMatch;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    llvm::Value *a, *b;
    const llvm::APInt* constant;
    if (match(instruction, m_ZExtOrSExt(m_Value(a)))) {
      // An index is below 1024, so an extension keeps its distance.
      return a == &root_             ? std::optional<uint64_t>(axis_.step)
             : analysis_->differs(a) ? std::nullopt
                                     : std::optional<uint64_t>(0);
    }
    if (is_parameter(instruction)) {
      return 0;
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      return counter_distance(*phi);
    }
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      return address_distance(*address, depth);
    }
    if (match(instruction, m_AddLike(m_Value(a), m_Value(b)))) {
      const auto of_a = distance(a, depth + 1), of_b = distance(b, depth + 1);
      return of_a && of_b ? std::optional(*of_a + *of_b) : std::nullopt;
    }
    const bool is_shift = match(instruction, m_Shl(m_Value(a), m_APInt(constant)));
    if ((is_shift && constant->ult(64)) || match(instruction, m_Mul(m_Value(a), m_APInt(constant)))) {
      const auto of_a = constant->getSignificantBits() <= 64 ? distance(a, depth + 1) : std::nullopt;
      const uint64_t factor = is_shift ? uint64_t{1} << constant->getZExtValue() : constant->getSExtValue();
      return of_a ? std::optional(*of_a * factor) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<uint64_t> address_distance(llvm::GetElementPtrInst& address, unsigned depth) const {
    std::optional<uint64_t> sum =
        address.getType()->isPointerTy() ? distance(address.getPointerOperand(), depth + 1) : std::nullopt;
    for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address); ++step) {
      llvm::Value* index = step.getOperand();
      if (!analysis_->differs(index) && index != &root_) {
        continue;
      }
      const auto part = index->getType()->isIntegerTy(64) ? distance(index, depth + 1) : std::nullopt;
      const uint64_t bytes = step.getSequentialElementStride(address.getDataLayout()).getFixedValue();
      sum = part ? std::optional(*sum + *part * bytes) : std::nullopt;
    }
    return sum;
  }

  // Counters of one step keep the distance of their starts.
  std::optional<uint64_t> counter_distance(llvm::PHINode& phi) const {
    if (phi.getNumIncomingValues() != 2 || !phi.getType()->isIntegerTy() || analysis_->is_sequential(phi.getParent())) {
      return std::nullopt;
    }
    for (unsigned start = 0; start < 2; ++start) {
      auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(1 - start));
      if (!next || next->getOpcode() != llvm::Instruction::Add || !llvm::is_contained(next->operands(), &phi)) {
        continue;
      }
      const llvm::Value* step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
      auto* first = phi.getIncomingValue(start);
      return analysis_->differs(step) || llvm::isa<llvm::PHINode>(first) ? std::nullopt : distance(first);
    }
    return std::nullopt;
  }

  // One counter serves all warps, so addresses of warps differ by constants.
  bool share_counter(llvm::Instruction& instruction) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    const auto step = phi ? counter_distance(*phi) : std::nullopt;
    if (!step) {
      return false;
    }
    llvm::IRBuilder<> b(phi->getParent(), phi->getParent()->getFirstInsertionPt());
    b.SetCurrentDebugLocation(phi->getDebugLoc());
    for (unsigned warp = 1; warp < warps_; ++warp) {
      copies_[warp][phi] = b.CreateAdd(phi, llvm::ConstantInt::get(phi->getType(), warp * *step));
    }
    return true;
  }

  // One address serves all warps, which access memory at constant distances from it.
  bool share_address(llvm::Instruction& instruction) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    const auto step = address ? distance(address) : std::nullopt;
    if (!step) {
      return false;
    }
    llvm::IRBuilder<> b(address->getNextNode());
    b.SetCurrentDebugLocation(address->getDebugLoc());
    for (unsigned warp = 1; warp < warps_; ++warp) {
      copies_[warp][address] = b.CreateGEP(b.getInt8Ty(), address, b.getInt64(warp * *step));
    }
    return true;
  }

  // Moves addresses at constant distances before the code that the warps run one after another.
  void share_addresses_of(const warp_region& region) {
    for (llvm::BasicBlock* block : region.blocks) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        const bool is_part =
            llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::OverflowingBinaryOperator>(instruction) ||
            is_parameter(&instruction);
        const bool is_free = is_part && llvm::none_of(instruction.operands(), [&](const llvm::Use& use) {
                               auto* operand = llvm::dyn_cast<llvm::Instruction>(use);
                               return operand && region.blocks.contains(operand->getParent());
                             });
        if (is_free && distance(&instruction)) {
          instruction.moveBefore(region.before->getTerminator());
        }
      }
    }
  }

  void copy_instructions(llvm::BasicBlock& block) {
    llvm::SmallVector<llvm::Instruction*, 32> repeated;
    for (llvm::Instruction& instruction : block) {
      if (is_joint_call(instruction)) {
        joint_calls_.push_back(&instruction);
      }
      if (analysis_->is_repeated(instruction)) {
        repeated.push_back(&instruction);
      }
    }
    for (llvm::Instruction* instruction : repeated) {
      if (share_counter(*instruction) || share_address(*instruction)) {
        continue;
      }
      note_report(*instruction);
      llvm::Instruction* next = instruction->getNextNode();
      for (unsigned warp = 1; warp < warps_; ++warp) {
        llvm::Instruction* copy = instruction->clone();
        copy->insertBefore(next);
        copies_[warp][instruction] = copy;
        loose_.push_back({copy, warp});
      }
    }
  }

  void copy_region(const warp_region& region, llvm::BasicBlock* end) {
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks(region.blocks.begin(), region.blocks.end());
    blocks.push_back(end);
    for (llvm::BasicBlock* block : blocks) {
      for (llvm::Instruction& instruction : *block) {
        note_report(instruction);
      }
      for (unsigned warp = 1; warp < warps_; ++warp) {
        auto* copy = llvm::CloneBasicBlock(block, copies_[warp], "", &function_);
        copies_[warp][block] = copy;
        copied_blocks_.push_back({copy, warp});
      }
    }
  }

  void connect_operands() {
    // Repeated instructions refer to the copies for their warp. Only operands are connected here; run_in_turn()
    // connects the blocks.
    for (auto [copy, warp] : loose_) {
      for (llvm::Use& operand : copy->operands()) {
        operand.set(copy_of(operand.get(), warp));
      }
    }
    for (auto [block, warp] : copied_blocks_) {
      for (llvm::Instruction& instruction : *block) {
        llvm::RemapInstruction(&instruction, copies_[warp],
                               llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      }
    }
    for (llvm::Instruction* report : reports_) {  // the reported lane is a lane of the gang
      for (unsigned warp = 1; warp < warps_; ++warp) {
        auto* call = llvm::cast<llvm::CallBase>(copy_of(report, warp));
        llvm::IRBuilder<> b(call);
        call->setArgOperand(0, b.CreateAdd(call->getArgOperand(0), b.getInt32(warp * axis_.lanes)));
      }
    }
  }

  void run_in_turn(const warp_region& region, llvm::BasicBlock* end) {
    llvm::BasicBlock* before = end;
    for (unsigned warp = 1; warp < warps_; ++warp) {
      auto* entry = llvm::cast<llvm::BasicBlock>(copy_of(region.entry, warp));
      before->getTerminator()->setSuccessor(0, entry);
      entry->replacePhiUsesWith(region.before, before);
      before = llvm::cast<llvm::BasicBlock>(copy_of(end, warp));
    }
    region.behind->replacePhiUsesWith(end, before);
  }

  // Lets the warps continue together while each of them may: the branch takes the `and` of their answers.
  void join_questions(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !analysis_->differs(branch->getCondition())) {
      return;
    }
    llvm::IRBuilder<> b(branch);
    llvm::Value* all = branch->getCondition();
    for (unsigned warp = 1; warp < warps_; ++warp) {
      all = b.CreateAnd(all, copy_of(branch->getCondition(), warp));
    }
    branch->setCondition(all);
  }

  // One call for all warps. Its masks have a bit for each lane, and its vectors an element, with the first warp
  // first. An argument that differs is the address of one or the other (wait_widener::in_memory).
  void join_call(llvm::CallBase& call) {
    llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    llvm::IRBuilder<> b(&call);
    for (llvm::Use& argument : call.args()) {
      if (!analysis_->differs(argument.get())) {
        continue;
      }
      const auto& memory = *llvm::cast<llvm::AllocaInst>(argument.get());
      llvm::Type* part = memory.getAllocatedType();
      auto* parts = entry.CreateAlloca(llvm::ArrayType::get(part, warps_));
      parts->setAlignment(memory.getAlign());
      const uint64_t bytes = function_.getDataLayout().getTypeAllocSize(part).getFixedValue();
      const llvm::Align alignment = llvm::commonAlignment(memory.getAlign(), bytes);
      for (unsigned warp = 0; warp < warps_; ++warp) {
        b.CreateAlignedStore(b.CreateAlignedLoad(part, copy_of(argument.get(), warp), memory.getAlign()),
                             b.CreateConstInBoundsGEP1_32(part, parts, warp), alignment);
      }
      argument.set(parts);
    }
  }

  void note_report(llvm::Instruction& instruction) {
    if (is_mask_report(instruction)) {
      reports_.push_back(&instruction);
    }
  }

  llvm::Function& function_;
  llvm::Argument& root_;  // lane 0's index along the axis
  const jam_axis axis_;
  std::unique_ptr<warp_analysis> analysis_;
  unsigned warps_ = 1;
  std::unique_ptr<llvm::ValueToValueMapTy[]> copies_;  // copied values by warp; warp 0 has the originals
  std::vector<std::pair<llvm::Instruction*, unsigned>> loose_;
  std::vector<std::pair<llvm::BasicBlock*, unsigned>> copied_blocks_;
  std::vector<llvm::Instruction*> joint_calls_, reports_;
};

gang_function copy_of(const llvm::Function& rows, llvm::FunctionAnalysisManager& functions) {
  llvm::ValueToValueMapTy map;
  return {llvm::CloneFunction(const_cast<llvm::Function*>(&rows), map), functions};
}

}  // namespace

jam_form form_of(const llvm::Function& rows, const jam_axis& axis, llvm::FunctionAnalysisManager& functions) {
  const gang_function function = copy_of(rows, functions);
  warp_jam work(*function, axis);
  jam_form result{};
  result.is_possible = work.prepare();
  result.has_common_loop = result.is_possible && work.has_common_loop();
  return result;
}

gang_function jam(const llvm::Function& rows, const jam_axis& axis, unsigned width, const loop_registers& registers,
                  llvm::FunctionAnalysisManager& functions) {
  gang_function function = copy_of(rows, functions);
  const unsigned warps = width / axis.lanes;
  warp_jam work(*function, axis);
  if (!work.prepare() || !work.fits(warps, registers)) {
    return {};
  }
  work.make(warps);
  return function;
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to several parts of one object, as of a structure, where each lane has another object and no instruction
// gathers or scatters: one loop over the lanes serves them all. The loads of such a run are at its first place, the
// stores at its last one, and no access in between may touch the same memory.
#include "gang/widen/instruction_widener.hpp"

#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

struct part_of_object {
  llvm::Value* object = nullptr;
  int64_t offset = 0;
};

part_of_object part_at(llvm::Value* address, const llvm::DataLayout& layout) {
  part_of_object result;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  result.object = address->stripAndAccumulateConstantOffsets(layout, offset, true);
  result.offset = offset.getSExtValue();
  return result;
}

}  // namespace

// True if each lane loads or stores by itself.
bool instruction_widener::is_lane_access(llvm::Instruction& instruction) const {
  value* address = llvm::getLoadStorePointerOperand(&instruction);
  if (!address || instruction.isAtomic() || instruction.isVolatile() ||
      (llvm::isa<llvm::LoadInst>(instruction) && !shapes_.is_varying(&instruction))) {
    return false;
  }
  llvm::Type* type = llvm::getLoadStoreType(&instruction);
  if (!types_.is_plain(type) || shapes_.is_uniform(address) || types_.has_gathers(type)) {
    return false;
  }
  const auto bytes = static_cast<int64_t>(state_.layout.getTypeStoreSize(type).getFixedValue());
  if (const auto stride = shapes_.stride(address)) {
    return *stride != bytes;
  }
  const auto linear = shapes_.linear_unless_wrapped(address);
  return !linear || linear->stride != bytes;
}

void instruction_widener::find_runs(llvm::ArrayRef<llvm::Instruction*> block) {
  std::vector<access_run> open;  // of one kind
  auto close = [&] {
    for (access_run& run : open) {
      if (run.members.size() > 1) {
        for (const auto& member : run.members) {
          run_of_[member.first] = runs_.size();
        }
        runs_.push_back(std::move(run));
      }
    }
    open.clear();
  };
  for (llvm::Instruction* instruction : block) {
    const bool stores = instruction->mayWriteToMemory();
    if (!stores && !instruction->mayReadFromMemory()) {
      continue;
    }
    const bool is_part = is_lane_access(*instruction);
    const auto [object, offset] =
        is_part ? part_at(llvm::getLoadStorePointerOperand(instruction), state_.layout) : part_of_object{};
    // Loads pass each other. Stores pass nothing but the stores of their run.
    if (!open.empty() && (stores || open.front().stores) &&
        !(stores && open.front().stores && open.front().object == object)) {
      close();
    }
    if (!is_part) {
      continue;
    }
    auto run = llvm::find_if(open, [object = object](const access_run& known) { return known.object == object; });
    if (run == open.end()) {
      open.push_back({object, stores, {}});
      run = std::prev(open.end());
    }
    run->members.emplace_back(instruction, offset);
  }
  close();
}

// Emits all accesses of the run of which `access` is one, at the first load or the last store.
bool instruction_widener::widen_run(llvm::Instruction& access, const access_run& run, value* mask) {
  (run.stores ? state_.notes.scatters : state_.notes.gathers).push_back(access.getDebugLoc());
  const auto& [leader, leader_offset] = run.stores ? run.members.back() : run.members.front();
  if (&access != leader) {
    return true;
  }
  llvm::SmallVector<lane_operand, 8> operands{operand_of_lanes(llvm::getLoadStorePointerOperand(leader))};
  llvm::SmallVector<llvm::Type*, 8> results;
  for (const auto& [member, offset] : run.members) {
    if (run.stores) {
      operands.push_back(operand_of_lanes(llvm::cast<llvm::StoreInst>(member)->getValueOperand()));
    } else {
      results.push_back(wide(member->getType()));
    }
  }
  const llvm::SmallVector<value*, 8> arguments = arguments_of(operands, mask);
  llvm::Type* result = run.stores ? b_.getVoidTy() : llvm::StructType::get(state_.context, results);
  llvm::Function& part = state_.outlined.make(result, arguments, "cohort.run");
  lane_loop loop(part, width_, types_.has_mask_registers());
  const llvm::SmallVector<value*, 8> elements = elements_of(operands, loop, part);
  const auto* stored = elements.begin() + 1;  // after the address
  for (const auto& [member, offset] : run.members) {
    value* place =
        loop.body().CreatePtrAdd(elements.front(), loop.body().getInt64(static_cast<uint64_t>(offset - leader_offset)));
    llvm::Instruction* copy = nullptr;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(member)) {
      copy = loop.body().CreateAlignedStore(*stored++, place, store->getAlign());
    } else {
      copy = loop.body().CreateAlignedLoad(member->getType(), place, llvm::cast<llvm::LoadInst>(member)->getAlign());
      loop.keep(copy);
    }
    state_.outlined.set_line(*copy, member->getDebugLoc());  // the parts of an object may have lines of their own
  }
  loop.finish();
  llvm::CallInst* made = state_.outlined.call(part, arguments);
  for (unsigned i = 0; i < run.members.size(); ++i) {
    llvm::Instruction* member = run.members[i].first;
    if (run.stores) {
      values_.erase_at_end(*member);
    } else {
      values_.replace(*member, b_.CreateExtractValue(made, i));
    }
  }
  return true;
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/runs.hpp"

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
bool access_runs::is_lane_access(llvm::Instruction& instruction) const {
  value* address = llvm::getLoadStorePointerOperand(&instruction);
  if (!address || instruction.isAtomic() || instruction.isVolatile() ||
      (llvm::isa<llvm::LoadInst>(instruction) && !shapes_.is_varying(&instruction))) {
    return false;
  }
  llvm::Type* type = llvm::getLoadStoreType(&instruction);
  if (!types_.is_plain(type) || shapes_.is_uniform(address) || types_.has_scatters(type)) {
    return false;
  }
  const auto bytes = static_cast<int64_t>(state_.layout.getTypeStoreSize(type).getFixedValue());
  if (const auto stride = shapes_.stride(address)) {
    return *stride != bytes;
  }
  const auto linear = shapes_.linear_unless_wrapped(address);
  return !linear || linear->stride != bytes;
}

// Keeps those of the runs that have several accesses.
void access_runs::add(std::vector<run>& found) {
  for (run& each : found) {
    if (each.members.size() > 1) {
      for (const auto& member : each.members) {
        run_of_[member.first] = runs_.size();
      }
      runs_.push_back(std::move(each));
    }
  }
  found.clear();
}

void access_runs::find(llvm::ArrayRef<llvm::Instruction*> block) {
  std::vector<run> open;  // all of loads, or all of stores
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
      add(open);
    }
    if (!is_part) {
      continue;
    }
    auto of_object = llvm::find_if(open, [object = object](const run& known) { return known.object == object; });
    if (of_object == open.end()) {
      open.push_back({object, stores, {}});
      of_object = std::prev(open.end());
    }
    of_object->members.emplace_back(instruction, offset);
  }
  add(open);
}

void access_runs::widen(llvm::Instruction& access, value* mask) {
  const run& accesses = runs_[run_of_.lookup(&access)];
  (accesses.stores ? state_.notes.scatters : state_.notes.gathers).push_back(access.getDebugLoc());
  if (&access != accesses.leader().first) {
    return;
  }
  llvm::CallInst* made = emit(accesses, mask);
  for (unsigned i = 0; i < accesses.members.size(); ++i) {
    llvm::Instruction* member = accesses.members[i].first;
    if (accesses.stores) {
      values_.erase_at_end(*member);
    } else {
      values_.replace(*member, b_.CreateExtractValue(made, i));
    }
  }
}

llvm::CallInst* access_runs::emit(const run& accesses, value* mask) {
  const auto& [leader, leader_offset] = accesses.leader();
  lane_serializer::operands operands{serial_.operand_of(llvm::getLoadStorePointerOperand(leader))};
  llvm::SmallVector<llvm::Type*, 8> results;
  for (const auto& [member, offset] : accesses.members) {
    if (accesses.stores) {
      operands.push_back(serial_.operand_of(llvm::cast<llvm::StoreInst>(member)->getValueOperand()));
    } else {
      results.push_back(wide(member->getType()));
    }
  }
  const llvm::SmallVector<value*, 8> arguments = serial_.arguments_of(operands, mask);
  llvm::Type* result = accesses.stores ? b_.getVoidTy() : llvm::StructType::get(state_.context, results);
  llvm::Function& code = state_.outlined.make(result, arguments, "cohort.run");
  lane_loop loop(code, width_, types_.has_mask_registers(), !mask && accesses.stores);
  const llvm::SmallVector<value*, 8> elements = lane_serializer::elements_of(operands, loop, code);
  const auto* stored = elements.begin() + 1;  // the first element is the address
  for (const auto& [member, offset] : accesses.members) {
    value* address =
        loop.body().CreatePtrAdd(elements.front(), loop.body().getInt64(static_cast<uint64_t>(offset - leader_offset)));
    llvm::Instruction* copy = nullptr;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(member)) {
      copy = loop.body().CreateAlignedStore(*stored++, address, store->getAlign());
    } else {
      copy = loop.body().CreateAlignedLoad(member->getType(), address, llvm::cast<llvm::LoadInst>(member)->getAlign());
      loop.keep(copy);
    }
    state_.outlined.set_line(*copy, member->getDebugLoc());  // the parts of an object may have lines of their own
  }
  loop.finish();
  return state_.outlined.call(code, arguments);
}

}  // namespace cohort

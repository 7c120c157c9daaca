// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops/kernel_table.hpp"

#include <vector>

#include "analysis/port_records.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace cohort {
namespace {

using field = field_of<cohort_kernel>;

const llvm::Constant& get_field(const llvm::GlobalVariable& table, field::field_number number) {
  return *llvm::cast<llvm::Constant>(table.getInitializer()->getOperand(number));
}

void set_field(llvm::GlobalVariable& table, field::field_number number, llvm::Constant& value) {
  auto* known = llvm::cast<llvm::ConstantStruct>(table.getInitializer());
  std::vector<llvm::Constant*> fields;
  for (const llvm::Use& value : known->operands()) {
    fields.push_back(llvm::cast<llvm::Constant>(value.get()));
  }
  fields[number] = &value;
  table.setInitializer(llvm::ConstantStruct::get(known->getType(), fields));
}

void set_flag(llvm::GlobalVariable& table, uint64_t flag, bool is_set) {
  const auto& flags = llvm::cast<llvm::ConstantInt>(get_field(table, field::flags));
  const uint64_t others = flags.getZExtValue() & ~flag;
  set_field(table, field::flags, *llvm::ConstantInt::get(flags.getType(), others | (is_set ? flag : 0)));
}

}  // namespace

bool has_block_entry(const llvm::GlobalVariable& table) { return !get_field(table, field::block_entry).isNullValue(); }

void set_block_entry(llvm::GlobalVariable& table, llvm::Function& entry, block_way way) {
  set_field(table, field::block_entry, entry);
  set_flag(table, cohort_kernel_block_gangs, way == block_way::gangs);
}

void set_local_bytes(llvm::GlobalVariable& table, uint32_t bytes) {
  set_field(table, field::local_bytes, *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), bytes));
}

std::vector<const llvm::Function*> kernel_entries(const llvm::GlobalVariable& table) {
  std::vector<const llvm::Function*> entries;
  const auto add = [&](const llvm::Constant& value) {
    if (const auto* entry = llvm::dyn_cast<llvm::Function>(value.stripPointerCasts())) {
      entries.push_back(entry);
    }
  };
  add(get_field(table, field::thread_entry));
  add(get_field(table, field::block_entry));
  if (const llvm::GlobalVariable* versions = gang_versions(table)) {
    for (const llvm::Use& version : versions->getInitializer()->operands()) {
      add(*llvm::cast<llvm::Constant>(
          llvm::cast<llvm::Constant>(version)->getOperand(field_of<cohort_gang_version>::entry)));
    }
  }
  return entries;
}

void set_stack_need(llvm::GlobalVariable& table, uint32_t bytes, bool has_memory) {
  set_field(table, field::stack_bytes, *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), bytes));
  set_flag(table, cohort_kernel_no_locals, !has_memory);
}

const llvm::GlobalVariable* gang_versions(const llvm::GlobalVariable& table) {
  return llvm::dyn_cast<llvm::GlobalVariable>(get_field(table, field::gang_versions).stripPointerCasts());
}

void set_gang_versions(llvm::GlobalVariable& table, llvm::GlobalVariable& versions, uint32_t count) {
  set_field(table, field::gang_versions, versions);
  set_field(table, field::gang_version_count,
            *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), count));
}

}  // namespace cohort

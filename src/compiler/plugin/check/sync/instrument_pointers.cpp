// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cohortcc --check: calls of the checker where device code keeps a pointer in memory and where it takes one from there
// to access what it points to. The checker finds pointers to shared and local memory that outlive their block or
// thread.
#include "check/sync/instrument_sync.hpp"

#include "check/access_check.hpp"
#include "check/sync/checker_call.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// The library keeps pointers in its own scratch memory while the threads of a collective wait.
bool is_of_library(const llvm::Instruction& instruction) {
  const llvm::DILocation* const place = instruction.getDebugLoc().get();
  const llvm::StringRef file = place ? place->getFilename() : "";
  const llvm::StringRef folder = place ? place->getDirectory() : "";
  for (const llvm::StringRef part : {"/include/cohort/", "/include/compat/", "/cudart/"}) {
    if (file.contains(part) || (folder.str() + "/").find(part.str()) != std::string::npos) {
      return true;
    }
  }
  return false;
}

bool is_local(const llvm::Value* address) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)); }

// Whether the pointer, or a pointer computed from it, is the address of an access.
bool is_accessed(const llvm::Value& pointer, unsigned depth) {
  for (const llvm::User* user : pointer.users()) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store ? store->getPointerOperand() == &pointer
              : llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
      return true;
    }
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user) && depth != 0 &&
        is_accessed(*user, depth - 1)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void instrument_pointers(llvm::Module& module) {
  llvm::SmallVector<llvm::StoreInst*, 16> stores;
  llvm::SmallVector<llvm::LoadInst*, 16> loads;
  llvm::SmallVector<llvm::CallInst*, 16> ranges;
  for (llvm::Function& function : module) {
    if (function.getName().starts_with("cohort.")) {
      continue;
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (store->getValueOperand()->getType()->isPointerTy() && !is_local(store->getPointerOperand()) &&
            !is_of_library(*store)) {
          stores.push_back(store);
        }
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (load->getType()->isPointerTy() && !is_local(load->getPointerOperand()) && !is_of_library(*load) &&
            is_accessed(*load, 4)) {
          loads.push_back(load);
        }
      } else if (is_range_check(instruction)) {
        ranges.push_back(llvm::cast<llvm::CallInst>(&instruction));
      }
    }
  }
  for (llvm::StoreInst* store : stores) {
    call_checker(*store, "cohort_check_keep_pointer", {store->getPointerOperand(), store->getValueOperand()});
  }
  for (llvm::CallInst* range : ranges) {
    call_checker(*range, "cohort_check_drop_pointers", {range->getArgOperand(0), range->getArgOperand(2)});
  }
  for (llvm::LoadInst* load : loads) {
    call_checker(*load->getNextNode(), "cohort_check_take_pointer", {load->getPointerOperand(), load});
  }
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU needs an address to be aligned for its widest access, of 16 bytes, whatever the type promises. Programs such as
// CUB place types with larger alignments at 16 bytes, so no access may rely on more. Objects keep their alignment.
#include "lowering.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr llvm::Align largest = llvm::Align::Constant<16>();

void limit_memory(llvm::MemIntrinsic& memory) {
  if (memory.getDestAlign().valueOrOne() > largest) {
    memory.setDestAlignment(largest);
  }
  if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&memory);
      transfer && transfer->getSourceAlign().valueOrOne() > largest) {
    transfer->setSourceAlignment(largest);
  }
}

// Limits the alignments of parameters, except of those in memory (byval): that alignment belongs to the calling
// convention. Under --check the others get none, or the optimizer would remove the tests of what it promises.
llvm::AttributeList limited(llvm::AttributeList attributes, llvm::LLVMContext& context) {
  for (const unsigned index : attributes.indexes()) {
    const llvm::MaybeAlign alignment = attributes.getAttributes(index).getAlignment();
    if (alignment.valueOrOne() > (facts().options.check ? llvm::Align() : largest) &&
        !attributes.hasAttributeAtIndex(index, llvm::Attribute::ByVal)) {
      attributes = attributes.removeAttributeAtIndex(context, index, llvm::Attribute::Alignment);
      if (!facts().options.check) {
        attributes =
            attributes.addAttributeAtIndex(context, index, llvm::Attribute::getWithAlignment(context, largest));
      }
    }
  }
  return attributes;
}

void limit(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load->setAlignment(std::min(load->getAlign(), largest));
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store->setAlignment(std::min(store->getAlign(), largest));
  } else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    limit_memory(*memory);
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    call->setAttributes(limited(call->getAttributes(), call->getContext()));
  }
}

}  // namespace

void limit_access_alignments(llvm::Module& module) {
  for (llvm::Function& function : module) {
    function.setAttributes(limited(function.getAttributes(), module.getContext()));
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      limit(instruction);
    }
  }
}

}  // namespace cohort

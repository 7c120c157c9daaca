// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/lane_accesses.hpp"

#include <algorithm>

#include "analysis/port_calls.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

using count::access_kind;

constexpr uint64_t widest = 16;  // bytes of the widest access of a lane

// An access of consecutive bytes by one or several instructions.
struct span {
  llvm::Instruction* before;
  llvm::Value* address;
  int64_t first, end;  // distances in bytes from `address`
  uint64_t alignment;  // the alignment of `address + first`
  access_kind kind;
};

// Whether the address is that of a local variable or of an argument.
bool is_private(const llvm::Value* address) {
  const llvm::Value* object = llvm::getUnderlyingObject(address, 0);
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  return llvm::isa<llvm::AllocaInst>(object) || (argument && argument->hasByValAttr());
}

// The known alignment `distance` bytes after an address of alignment `alignment`.
uint64_t alignment_at(uint64_t alignment, int64_t distance) {
  return distance == 0 ? alignment : std::min<uint64_t>(alignment, uint64_t{1} << __builtin_ctzll(distance));
}

void append_accesses(std::vector<lane_access>& accesses, const span& bytes) {
  for (int64_t at = bytes.first; at < bytes.end;) {
    uint64_t size = std::min(widest, alignment_at(bytes.alignment, at - bytes.first));
    while (size > static_cast<uint64_t>(bytes.end - at)) {
      size /= 2;
    }
    accesses.push_back({bytes.before, bytes.address, at, static_cast<uint32_t>(size), bytes.kind});
    at += static_cast<int64_t>(size);
  }
}

// Loads or stores of one base address that may become wide ones: no other access lies between them.
class chain {
 public:
  explicit chain(const llvm::DataLayout& layout) : layout_(layout) {}

  // Adds a load or store. False if it does not continue the chain.
  bool add(llvm::Instruction& access) {
    llvm::Value* address = llvm::getLoadStorePointerOperand(&access);
    llvm::APInt offset(64, 0);
    const llvm::Value* base = address->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const unsigned opcode = access.getOpcode();
    if (!links_.empty() && (base != base_ || opcode != opcode_)) {
      return false;
    }
    base_ = base;
    opcode_ = opcode;
    const uint64_t bytes = layout_.getTypeStoreSize(llvm::getLoadStoreType(&access));
    links_.push_back({&access, address, offset.getSExtValue(), bytes, llvm::getLoadStoreAlignment(&access).value()});
    return true;
  }

  void finish(std::vector<lane_access>& accesses) {
    if (links_.empty()) {
      return;
    }
    // A wide load takes the place of the first load, where its address is known. A wide store takes that of the last
    // store, where all values are known.
    const bool loads = opcode_ == llvm::Instruction::Load;
    const link place = loads ? links_.front() : links_.back();
    std::stable_sort(links_.begin(), links_.end(), [](const link& a, const link& b) { return a.offset < b.offset; });
    for (size_t i = 0; i < links_.size();) {
      size_t end = i + 1;
      int64_t last = links_[i].end();
      while (end < links_.size() && links_[end].offset <= last) {
        last = std::max(last, links_[end++].end());
      }
      const int64_t first = links_[i].offset;
      uint64_t alignment = 1;
      for (size_t k = i; k < end; ++k) {
        alignment = std::max(alignment, alignment_at(links_[k].alignment, links_[k].offset - first));
      }
      append_accesses(accesses, {place.access, place.address, first - place.offset, last - place.offset, alignment,
                                 loads ? access_kind::load : access_kind::store});
      i = end;
    }
    links_.clear();
  }

 private:
  struct link {
    llvm::Instruction* access;
    llvm::Value* address;
    int64_t offset;  // bytes from the base address
    uint64_t bytes;
    uint64_t alignment;
    int64_t end() const { return offset + static_cast<int64_t>(bytes); }
  };

  const llvm::DataLayout& layout_;
  const llvm::Value* base_ = nullptr;
  unsigned opcode_ = 0;
  llvm::SmallVector<link, 8> links_;
};

class access_finder {
 public:
  access_finder(const llvm::DataLayout& layout, bool merges) : layout_(layout), merges_(merges), chain_(layout) {}

  std::vector<lane_access> find(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        visit(instruction);
      }
      chain_.finish(found_);
    }
    return std::move(found_);
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
      visit_value(instruction);
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      visit_atomic(*update, update->getPointerOperand(), update->getValOperand()->getType(), is_increment(*update));
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      visit_atomic(*exchange, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), false);
    } else if (auto* range = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
      visit_range(*range);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
               call && port_call_of(*call) == port_call::cohort_copy_later) {
      visit_copy(*call);
    } else if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
               instruction.mayReadOrWriteMemory() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic())) {
      chain_.finish(found_);
    }
  }

  void visit_value(llvm::Instruction& access) {
    if (is_private(llvm::getLoadStorePointerOperand(&access))) {
      return;
    }
    const bool is_plain = merges_ && !access.isAtomic() && !access.isVolatile();
    if (!is_plain || !chain_.add(access)) {
      chain_.finish(found_);
      chain_.add(access);
    }
    if (!is_plain) {
      chain_.finish(found_);
    }
  }

  // True for atomic increments of a word, for which nvcc has one instruction that serves all lanes of the word.
  static bool is_increment(const llvm::AtomicRMWInst& update) {
    const auto* value = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
    return update.getOperation() == llvm::AtomicRMWInst::Add && value && value->isOne() && value->getBitWidth() == 32;
  }

  void visit_atomic(llvm::Instruction& access, llvm::Value* address, llvm::Type* type, bool is_increment) {
    chain_.finish(found_);
    if (is_private(address)) {
      return;
    }
    const access_kind unused = is_increment ? access_kind::increment : access_kind::reduction;
    found_.push_back({&access, address, 0, static_cast<uint32_t>(layout_.getTypeStoreSize(type)),
                      access.use_empty() ? unused : access_kind::atomic});
  }

  // A copy or fill of a fixed number of bytes. nvcc makes a loop of one whose number of bytes varies.
  void visit_range(llvm::AnyMemIntrinsic& range) {
    chain_.finish(found_);
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(range.getLength());
    if (!length) {
      return;
    }
    const auto bytes = static_cast<int64_t>(length->getZExtValue());
    const auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&range);
    if (copy && !is_private(copy->getRawSource())) {
      append_accesses(found_, {&range, copy->getRawSource(), 0, bytes, copy->getSourceAlign().valueOrOne().value(),
                               access_kind::load});
    }
    if (!is_private(range.getRawDest())) {
      append_accesses(found_, {&range, range.getRawDest(), 0, bytes, range.getDestAlign().valueOrOne().value(),
                               access_kind::store});
    }
  }

  // cp.async: a GPU has copies of 4, 8 and 16 bytes.
  void visit_copy(llvm::CallBase& copy) {
    chain_.finish(found_);
    constexpr unsigned to = parameter_of(port_call::cohort_copy_later, "to");
    constexpr unsigned from = parameter_of(port_call::cohort_copy_later, "from");
    const auto* length =
        llvm::dyn_cast<llvm::ConstantInt>(copy.getArgOperand(parameter_of(port_call::cohort_copy_later, "bytes")));
    const uint64_t bytes = length ? length->getZExtValue() : 0;
    if (bytes == 4 || bytes == 8 || bytes == 16) {
      for (const unsigned operand : {from, to}) {
        found_.push_back(
            {&copy, copy.getArgOperand(operand), 0, static_cast<uint32_t>(bytes), access_kind::async_copy});
      }
    }
  }

  const llvm::DataLayout& layout_;
  const bool merges_;
  chain chain_;
  std::vector<lane_access> found_;
};

}  // namespace

std::vector<lane_access> lane_accesses(llvm::Function& function, bool merges) {
  return access_finder(function.getParent()->getDataLayout(), merges).find(function);
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX that reads or writes memory: ld, ldu, st, atom and red, for 8 to 64 bits (.b .u .s .f), ld and st also for .v2 and
// .v4. Semantics: .weak (default), .volatile, .relaxed, .acquire, .release, .acq_rel, .sc. On a CPU all scopes are the
// system's, cache operators and hints have no meaning, and a generic address serves each state space. Addresses are 64
// bits wide: 32-bit addresses of shared memory are refused.
#include "lower/inline_ptx.hpp"

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace cohort {

struct memory_access {
  llvm::StringRef instruction;  // ld, st, atom, red
  llvm::StringRef operation;    // of atom and red: add, cas ...
  llvm::Type* type = nullptr;   // of one element
  bool is_signed = false;
  unsigned elements = 1;
  bool is_volatile = false;
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic;
};

namespace {

llvm::Type* type_of(llvm::StringRef name, llvm::IRBuilder<>& builder) {
  const char kind = name.empty() ? ' ' : name[0];
  unsigned bits = 0;
  if (!llvm::StringRef("busf").contains(kind) || name.drop_front().getAsInteger(10, bits)) {
    return nullptr;
  }
  if (kind == 'f') {
    return bits == 32 ? builder.getFloatTy() : bits == 64 ? builder.getDoubleTy() : nullptr;
  }
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? builder.getIntNTy(bits) : nullptr;
}

bool has_no_meaning_here(llvm::StringRef word) {
  static const char* const words[] = {"weak",  "global", "shared", "shared::cta", "shared::cluster",
                                      "local", "const",  "param",  "cta",         "cluster",
                                      "gpu",   "sys",    "nc",     "ca",          "cg",
                                      "cs",    "lu",     "cv",     "wb",          "wt",
                                      "noftz", "mmio"};
  for (const char* known : words) {
    if (word == known) {
      return true;
    }
  }
  return word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::");
}

std::optional<llvm::AtomicOrdering> order_of(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<llvm::AtomicOrdering>>(word)
      .Case("relaxed", llvm::AtomicOrdering::Monotonic)
      .Case("acquire", llvm::AtomicOrdering::Acquire)
      .Case("release", llvm::AtomicOrdering::Release)
      .Case("acq_rel", llvm::AtomicOrdering::AcquireRelease)
      .Case("sc", llvm::AtomicOrdering::SequentiallyConsistent)
      .Default(std::nullopt);
}

// Reads an opcode such as "ld.acquire.sys.global.u8"; none if a word is unknown.
std::optional<memory_access> parse(llvm::StringRef opcode, llvm::IRBuilder<>& builder) {
  memory_access access;
  llvm::SmallVector<llvm::StringRef, 8> words;
  opcode.split(words, '.');
  access.instruction = words.front() == "ldu" ? "ld" : words.front();
  const bool atomic = access.instruction == "atom" || access.instruction == "red";
  if (!atomic && access.instruction != "ld" && access.instruction != "st") {
    return std::nullopt;
  }
  access.type = type_of(words.back(), builder);
  access.is_signed = words.back().starts_with("s");
  access.order = atomic ? llvm::AtomicOrdering::Monotonic : llvm::AtomicOrdering::NotAtomic;
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front().drop_back()) {
    if (word == "volatile") {
      access.is_volatile = true;
    } else if (const auto order = order_of(word)) {
      access.order = *order;
    } else if (!atomic && (word == "v2" || word == "v4")) {
      access.elements = word == "v2" ? 2 : 4;
    } else if (has_no_meaning_here(word)) {
      continue;
    } else if (atomic && access.operation.empty()) {
      access.operation = word;
    } else {
      return std::nullopt;
    }
  }
  return access.type && atomic == !access.operation.empty() ? std::optional(access) : std::nullopt;
}

// "{$0, $1}" -> "$0", "$1"; a single operand is itself.
llvm::SmallVector<llvm::StringRef, 4> elements_of(llvm::StringRef operand) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (operand.consume_front("{") && operand.consume_back("}")) {
    operand.split(parts, ',');
    for (llvm::StringRef& part : parts) {
      part = part.trim();
    }
  } else {
    parts.push_back(operand);
  }
  return parts;
}

std::optional<llvm::AtomicRMWInst::BinOp> operation_of(const memory_access& access) {
  using rmw = llvm::AtomicRMWInst;
  const bool is_float = access.type->isFloatingPointTy();
  if (is_float) {
    return access.operation == "add" ? std::optional(rmw::FAdd) : std::nullopt;
  }
  return llvm::StringSwitch<std::optional<rmw::BinOp>>(access.operation)
      .Case("add", rmw::Add)
      .Case("and", rmw::And)
      .Case("or", rmw::Or)
      .Case("xor", rmw::Xor)
      .Case("exch", rmw::Xchg)
      .Case("min", access.is_signed ? rmw::Min : rmw::UMin)
      .Case("max", access.is_signed ? rmw::Max : rmw::UMax)
      .Case("inc", rmw::UIncWrap)
      .Case("dec", rmw::UDecWrap)
      .Default(std::nullopt);
}

}  // namespace

llvm::Value* ptx_lowering::address(llvm::StringRef text) {
  if (!text.consume_front("[") || !text.consume_back("]")) {
    return nullptr;
  }
  const auto [base, offset_text] = text.split('+');
  int64_t offset = 0;
  if (!offset_text.empty() && offset_text.trim().getAsInteger(0, offset)) {
    return nullptr;
  }
  const operand* found = find(base.trim());
  if (!found || found->type->getPrimitiveSizeInBits() == 32) {
    return nullptr;
  }
  llvm::Value* pointer = cast(found->value, builder_.getPtrTy());
  return pointer && offset ? builder_.CreatePtrAdd(pointer, builder_.getInt64(offset)) : pointer;
}

llvm::Value* ptx_lowering::value_of(llvm::StringRef text, llvm::Type* type) {
  const unsigned bits = type->getPrimitiveSizeInBits();
  llvm::Value* value = source(text, bits, false);
  return value ? builder_.CreateBitCast(value, type) : nullptr;
}

bool ptx_lowering::lower_load(const memory_access& access, const ptx_statement& statement) {
  const auto targets = elements_of(statement.operands[0]);
  llvm::Value* from = statement.operands.size() == 2 ? address(statement.operands[1]) : nullptr;
  if (!from || targets.size() != access.elements) {
    return false;
  }
  const unsigned bytes = access.type->getPrimitiveSizeInBits() / 8;
  for (unsigned i = 0; i < access.elements; ++i) {
    auto* load = builder_.CreateAlignedLoad(access.type, builder_.CreatePtrAdd(from, builder_.getInt64(i * bytes)),
                                            llvm::Align(bytes), access.is_volatile);
    load->setOrdering(access.order);
    if (!write(targets[i], load, access.is_signed)) {
      return false;
    }
  }
  return true;
}

bool ptx_lowering::lower_store(const memory_access& access, const ptx_statement& statement) {
  llvm::Value* to = address(statement.operands[0]);
  const auto sources =
      statement.operands.size() == 2 ? elements_of(statement.operands[1]) : llvm::SmallVector<llvm::StringRef, 4>();
  if (!to || sources.size() != access.elements) {
    return false;
  }
  const unsigned bytes = access.type->getPrimitiveSizeInBits() / 8;
  for (unsigned i = 0; i < access.elements; ++i) {
    llvm::Value* value = value_of(sources[i], access.type);
    if (!value) {
      return false;
    }
    auto* store = builder_.CreateAlignedStore(value, builder_.CreatePtrAdd(to, builder_.getInt64(i * bytes)),
                                              llvm::Align(bytes), access.is_volatile);
    store->setOrdering(access.order);
  }
  return true;
}

// atom d, [a], b and atom.cas d, [a], compare, new; red has no d.
bool ptx_lowering::lower_atomic(const memory_access& access, const ptx_statement& statement) {
  llvm::ArrayRef<std::string> operands = statement.operands;
  const bool returns = access.instruction == "atom";
  const size_t expected = 2 + returns + (access.operation == "cas");
  llvm::Value* at = operands.size() == expected ? address(operands[returns]) : nullptr;
  llvm::Value* value = at ? value_of(operands[returns + 1], access.type) : nullptr;
  if (!value) {
    return false;
  }
  llvm::Value* old = nullptr;
  if (access.operation == "cas") {
    llvm::Value* replacement = value_of(operands[returns + 2], access.type);
    if (!replacement || access.type->isFloatingPointTy()) {
      return false;
    }
    auto* exchange = builder_.CreateAtomicCmpXchg(at, value, replacement, llvm::MaybeAlign(), access.order,
                                                  llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(access.order));
    old = builder_.CreateExtractValue(exchange, 0);
  } else {
    const auto operation = operation_of(access);
    if (!operation) {
      return false;
    }
    old = builder_.CreateAtomicRMW(*operation, at, value, llvm::MaybeAlign(), access.order);
  }
  return !returns || write(operands[0], old, access.is_signed);
}

bool ptx_lowering::lower_memory(const ptx_statement& statement) {
  const auto access = parse(statement.opcode, builder_);
  if (!access || statement.operands.empty()) {
    return false;
  }
  if (access->instruction == "ld") {
    return lower_load(*access, statement);
  }
  return access->instruction == "st" ? lower_store(*access, statement) : lower_atomic(*access, statement);
}

}  // namespace cohort

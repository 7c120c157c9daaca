// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX that reads or writes memory: ld, ldu, st, atom and red, for 8 to 128 bits (.b .u .s .f), ld and st also for .v2
// and .v4, additions also for 16-bit floats and their pairs, and for vectors of floats, each an atomic operation of its
// own. Semantics: .weak (default), .volatile, .relaxed, .acquire, .release, .acq_rel, .sc. A vector of at most 16 bytes
// with an order is one atomic access: programs publish a value and its flag with one store. On a CPU all scopes are the
// system's, and a generic address serves each state space. The cache operators .cg, .cv and .wt make an access relaxed;
// other operators and hints have no meaning.
#include "lower/ptx/memory/access.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include <optional>
#include <string_view>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace cohort {

namespace {

constexpr std::string_view cache_hint = ".L2::cache_hint";

bool has_no_meaning_here(llvm::StringRef word) {
  static const char* const words[] = {"weak", "global", "local", "const", "param", "cta", "cluster", "gpu",
                                      "sys",  "nc",     "ca",    "cs",    "lu",    "wb",  "noftz",   "mmio"};
  for (const char* known : words) {
    if (word == known) {
      return true;
    }
  }
  return word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::");
}

// Operators of accesses that other multiprocessors see. Programs for GPUs before sm_70, which lack ld.relaxed, poll and
// publish with them, so that the access must stay in its loop and whole.
bool passes_the_first_cache(llvm::StringRef word) { return word == "cg" || word == "cv" || word == "wt"; }

std::optional<llvm::AtomicOrdering> order_of(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<llvm::AtomicOrdering>>(word)
      .Case("relaxed", llvm::AtomicOrdering::Monotonic)
      .Case("acquire", llvm::AtomicOrdering::Acquire)
      .Case("release", llvm::AtomicOrdering::Release)
      .Case("acq_rel", llvm::AtomicOrdering::AcquireRelease)
      .Case("sc", llvm::AtomicOrdering::SequentiallyConsistent)
      .Default(std::nullopt);
}

// Bits of a type that only additions have; 0 for others.
unsigned small_float_bits(llvm::StringRef name) {
  return llvm::StringSwitch<unsigned>(name).Cases("f16", "bf16", 16).Cases("f16x2", "bf16x2", 32).Default(0);
}

// Reads an opcode such as "ld.acquire.sys.global.u8"; none if a word is unknown.
std::optional<memory_access> parse(llvm::StringRef opcode) {
  memory_access access;
  llvm::SmallVector<llvm::StringRef, 8> words;
  opcode.split(words, '.');
  access.instruction = words.front() == "ldu" ? "ld" : words.front();
  const bool atomic = access.instruction == "atom" || access.instruction == "red";
  if (!atomic && access.instruction != "ld" && access.instruction != "st") {
    return std::nullopt;
  }
  if (atomic && words.back() == "noftz") {  // "atom.global.v2.f16x2.add.noftz"
    words.pop_back();
  }
  if (atomic && words.back() == "add" && words.size() > 2) {  // "red.global.v2.f32.add"
    std::swap(words.back(), words[words.size() - 2]);
  }
  const unsigned small_bits = atomic ? small_float_bits(words.back()) : 0;
  const auto type = small_bits ? std::optional(ptx_type{'b', small_bits}) : parse_ptx_type(words.back());
  if (!type || type->kind == 'p' || (type->is_float() && type->bits < 32)) {
    return std::nullopt;
  }
  access.type = *type;
  access.small_float = small_bits ? words.back() : "";
  access.order = atomic ? llvm::AtomicOrdering::Monotonic : llvm::AtomicOrdering::NotAtomic;
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front().drop_back()) {
    if (word == "volatile") {
      access.is_volatile = true;
    } else if (is_shared_space(word)) {
      access.is_shared = true;
    } else if (const auto order = order_of(word)) {
      access.order = *order;
    } else if (word == "v2" || word == "v4" || (word == "v8" && small_bits == 16)) {
      access.elements = word[1] - '0';
    } else if (passes_the_first_cache(word)) {
      access.order = isStrongerThan(access.order, llvm::AtomicOrdering::NotAtomic) ? access.order
                                                                                   : llvm::AtomicOrdering::Monotonic;
    } else if (has_no_meaning_here(word)) {
      continue;
    } else if (atomic && access.operation.empty()) {
      access.operation = word;
    } else {
      return std::nullopt;
    }
  }
  const bool is_float = small_bits || (access.type.is_float() && access.type.bits == 32);
  const bool has_vector = !atomic || (access.operation == "add" && is_float);
  return atomic == !access.operation.empty() && (access.elements == 1 || has_vector) ? std::optional(access)
                                                                                     : std::nullopt;
}

std::optional<llvm::AtomicRMWInst::BinOp> operation_of(const memory_access& access) {
  using rmw = llvm::AtomicRMWInst;
  if (access.type.is_float()) {
    return access.operation == "add" ? std::optional(rmw::FAdd) : std::nullopt;
  }
  return llvm::StringSwitch<std::optional<rmw::BinOp>>(access.operation)
      .Case("add", rmw::Add)
      .Case("and", rmw::And)
      .Case("or", rmw::Or)
      .Case("xor", rmw::Xor)
      .Case("exch", rmw::Xchg)
      .Case("min", access.type.is_signed() ? rmw::Min : rmw::UMin)
      .Case("max", access.type.is_signed() ? rmw::Max : rmw::UMax)
      .Case("inc", rmw::UIncWrap)
      .Case("dec", rmw::UDecWrap)
      .Default(std::nullopt);
}

// The order of a vector access as one atomic access. A volatile vector has none of its own.
llvm::AtomicOrdering packed_order(const memory_access& access) {
  return access.order == llvm::AtomicOrdering::NotAtomic ? llvm::AtomicOrdering::Monotonic : access.order;
}

}  // namespace

bool is_shared_space(llvm::StringRef word) {
  return word == "shared" || word == "shared::cta" || word == "shared::cluster";
}

// Programs keep the lower 32 bits of an address in shared memory: on a GPU these are all. Here the distance from the
// start of the block's shared memory completes them.
llvm::Value* ptx_lowering::shared_address(llvm::Value* low) {
  llvm::Value* own = call("cohort_static_shared", builder_.getPtrTy(), {});
  llvm::Value* distance = builder_.CreateSub(low, builder_.CreatePtrToInt(own, builder_.getInt32Ty()));
  return builder_.CreatePtrAdd(own, builder_.CreateSExt(distance, builder_.getInt64Ty()));
}

llvm::Value* ptx_lowering::address(llvm::StringRef text, bool is_shared) {
  if (!text.consume_front("[") || !text.consume_back("]")) {
    return nullptr;
  }
  const auto [base, offset_text] = text.split('+');
  int64_t offset = 0;
  if (!offset_text.empty() && offset_text.trim().getAsInteger(0, offset)) {
    return nullptr;
  }
  const operand* found = find(base.trim());
  const bool is_short = found && found->type->isIntegerTy(32);
  if (!found || (is_short && !is_shared)) {
    return nullptr;
  }
  llvm::Value* pointer = is_short ? shared_address(found->value) : cast(found->value, builder_.getPtrTy());
  return pointer && offset ? builder_.CreatePtrAdd(pointer, builder_.getInt64(offset)) : pointer;
}

// A vector access as one atomic access of all its bits; null for others.
llvm::Type* ptx_lowering::atomic_vector(const memory_access& access) {
  const unsigned bits = access.elements * access.type.bits;
  const bool is_ordered = access.is_volatile || access.order != llvm::AtomicOrdering::NotAtomic;
  return access.elements > 1 && is_ordered && bits <= 128 ? builder_.getIntNTy(bits) : nullptr;
}

bool ptx_lowering::lower_load(const memory_access& access, const ptx_statement& statement) {
  const auto targets = elements_of(statement.operands[0]);
  llvm::Value* from = statement.operands.size() == 2 ? address(statement.operands[1], access.is_shared) : nullptr;
  if (!from || targets.size() != access.elements) {
    return false;
  }
  auto load = [&](llvm::Type* type, llvm::Value* place, unsigned bits, llvm::AtomicOrdering order) {
    auto* made = builder_.CreateAlignedLoad(type, place, llvm::Align(bits / 8), access.is_volatile);
    made->setOrdering(order);
    return made;
  };
  llvm::Type* packed_type = atomic_vector(access);
  llvm::LoadInst* packed =
      packed_type ? load(packed_type, from, packed_type->getIntegerBitWidth(), packed_order(access)) : nullptr;
  for (unsigned i = 0; i < access.elements; ++i) {
    const unsigned at = i * access.type.bits;
    llvm::Value* value = nullptr;
    if (packed) {
      value = builder_.CreateTrunc(builder_.CreateLShr(packed, at), builder_.getIntNTy(access.type.bits));
    } else {
      value = load(type_of(access.type), builder_.CreatePtrAdd(from, builder_.getInt64(at / 8)), access.type.bits,
                   access.order);
    }
    if (!write(targets[i], value, access.type.is_signed())) {
      return false;
    }
  }
  return true;
}

bool ptx_lowering::lower_store(const memory_access& access, const ptx_statement& statement) {
  llvm::Value* to = address(statement.operands[0], access.is_shared);
  const auto sources =
      statement.operands.size() == 2 ? elements_of(statement.operands[1]) : llvm::SmallVector<llvm::StringRef, 4>();
  if (!to || sources.size() != access.elements) {
    return false;
  }
  auto store = [&](llvm::Value* value, llvm::Value* place, unsigned bits, llvm::AtomicOrdering order) {
    builder_.CreateAlignedStore(value, place, llvm::Align(bits / 8), access.is_volatile)->setOrdering(order);
  };
  llvm::Type* packed_type = atomic_vector(access);
  llvm::Value* packed = packed_type ? llvm::Constant::getNullValue(packed_type) : nullptr;
  for (unsigned i = 0; i < access.elements; ++i) {
    const unsigned at = i * access.type.bits;
    llvm::Value* value = typed_source(sources[i], access.type);
    if (!value) {
      return false;
    }
    if (packed) {
      auto* bits = builder_.CreateZExt(cast(value, builder_.getIntNTy(access.type.bits)), packed_type);
      packed = builder_.CreateOr(packed, builder_.CreateShl(bits, at));
    } else {
      store(value, builder_.CreatePtrAdd(to, builder_.getInt64(at / 8)), access.type.bits, access.order);
    }
  }
  if (packed) {
    store(packed, to, packed_type->getIntegerBitWidth(), packed_order(access));
  }
  return true;
}

// One atomic operation; null if there is none of that type. `replacement` is the new value of a cas.
llvm::Value* ptx_lowering::atomic_operation(const memory_access& access, llvm::Value* at, llvm::Value* value,
                                            llvm::Value* replacement) {
  if (!access.small_float.empty()) {
    return access.operation == "add" ? add_small_floats(access, at, value) : nullptr;
  }
  if (access.operation == "cas") {
    if (!replacement || access.type.is_float()) {
      return nullptr;
    }
    auto* exchange = builder_.CreateAtomicCmpXchg(at, value, replacement, llvm::MaybeAlign(), access.order,
                                                  llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(access.order));
    return builder_.CreateExtractValue(exchange, 0);
  }
  const auto operation = operation_of(access);
  return operation ? builder_.CreateAtomicRMW(*operation, at, value, llvm::MaybeAlign(), access.order) : nullptr;
}

// atom d, [a], b and atom.cas d, [a], compare, new; red has no d. With .v2 and more, d and b are vectors.
bool ptx_lowering::lower_atomic(const memory_access& access, const ptx_statement& statement) {
  llvm::ArrayRef<std::string> operands = statement.operands;
  const bool returns = access.instruction == "atom";
  const bool swaps = access.operation == "cas";
  llvm::Value* at = operands.size() == 2u + returns + swaps ? address(operands[returns], access.is_shared) : nullptr;
  if (!at) {
    return false;
  }
  const auto targets = elements_of(operands[0]);
  const auto sources = elements_of(operands[returns + 1]);
  if (sources.size() != access.elements || (returns && targets.size() != access.elements)) {
    return false;
  }
  llvm::Value* const replacement = swaps ? typed_source(operands[returns + 2], access.type) : nullptr;
  for (unsigned i = 0; i < access.elements; ++i) {
    llvm::Value* place = i == 0 ? at : builder_.CreatePtrAdd(at, builder_.getInt64(i * access.type.bits / 8));
    llvm::Value* value = typed_source(sources[i], access.type);
    llvm::Value* old = value ? atomic_operation(access, place, value, replacement) : nullptr;
    if (!old || (returns && !write(targets[i], old, access.type.is_signed()))) {
      return false;
    }
  }
  return true;
}

bool ptx_lowering::lower_memory(const ptx_statement& statement) {
  if (const size_t hint = statement.opcode.find(cache_hint); hint != std::string::npos) {
    ptx_statement plain = statement;
    plain.opcode.erase(hint, cache_hint.size());
    if (!plain.operands.empty()) {
      plain.operands.pop_back();  // the policy
    }
    return lower_memory(plain);
  }
  const auto access = parse(statement.opcode);
  if (!access || statement.operands.empty()) {
    return false;
  }
  if (access->instruction == "ld") {
    return lower_load(*access, statement);
  }
  return access->instruction == "st" ? lower_store(*access, statement) : lower_atomic(*access, statement);
}

}  // namespace cohort

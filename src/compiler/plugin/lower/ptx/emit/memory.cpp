// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of memory, tests and maps of addresses, asynchronous copies, fences and hints. A vector of at most 16 bytes
// with an order is one atomic access: programs publish a value and its flag with one store. On a CPU all scopes are
// the system's, and a generic address serves each state space.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/registers.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

namespace cohort::ptx {
namespace {

using llvm::AtomicOrdering;

// .cg, .cv and .wt: programs for GPUs before sm_70, which lack ld.relaxed, poll and publish with them. The access must
// stay in its loop and whole.
AtomicOrdering order_of(const instruction& op, AtomicOrdering otherwise) {
  const std::string_view word = op.one_of({"relaxed", "acquire", "release", "acq_rel", "cg", "cv", "wt"});
  return word.empty()        ? otherwise
         : word == "acquire" ? AtomicOrdering::Acquire
         : word == "release" ? AtomicOrdering::Release
         : word == "acq_rel" ? AtomicOrdering::AcquireRelease
                             : AtomicOrdering::Monotonic;
}

// A load or store of one or several numbers.
struct access {
  type element;
  unsigned elements;
  bool is_volatile;
  AtomicOrdering order;
  llvm::Type* packed = nullptr;  // type of all bits, if the vector is one atomic access

  explicit access(emission& e)
      : element(e.of()),
        elements(e.op.vector_size()),
        is_volatile(e.op.has("volatile")),
        order(order_of(e.op, AtomicOrdering::NotAtomic)) {
    const bool is_ordered = is_volatile || order != AtomicOrdering::NotAtomic;
    const unsigned bits = elements * element.bits;
    if (elements > 1 && is_ordered && bits <= 128) {
      packed = e.b.getIntNTy(bits);
      order = order == AtomicOrdering::NotAtomic ? AtomicOrdering::Monotonic : order;
    }
  }

  llvm::Value* load(builder& b, llvm::Type* type, llvm::Value* from) const {
    const llvm::Align alignment(type->getPrimitiveSizeInBits() / 8);
    llvm::LoadInst* made = b.CreateAlignedLoad(type, from, alignment, is_volatile);
    made->setOrdering(order);
    return made;
  }
  void store(builder& b, llvm::Value* value, llvm::Value* to) const {
    const llvm::Align alignment(value->getType()->getPrimitiveSizeInBits() / 8);
    b.CreateAlignedStore(value, to, alignment, is_volatile)->setOrdering(order);
  }
};

std::optional<llvm::AtomicRMWInst::BinOp> atomic_operation(const emission& e) {
  using rmw = llvm::AtomicRMWInst;
  const bool is_signed = e.is_signed();
  return llvm::StringSwitch<std::optional<rmw::BinOp>>(
             e.op.one_of({"add", "and", "or", "xor", "exch", "min", "max", "inc", "dec"}))
      .Case("add", e.of().is_ieee() ? rmw::FAdd : rmw::Add)
      .Case("and", rmw::And)
      .Case("or", rmw::Or)
      .Case("xor", rmw::Xor)
      .Case("exch", rmw::Xchg)
      .Case("min", is_signed ? rmw::Min : rmw::UMin)
      .Case("max", is_signed ? rmw::Max : rmw::UMax)
      .Case("inc", rmw::UIncWrap)
      .Case("dec", rmw::UDecWrap)
      .Default(std::nullopt);
}

// Adds 16-bit floats by the device library and returns the previous bits. Each element of a pair is added atomically,
// the pair is not (PTX ISA, atom).
llvm::Value* add_small_floats(emission& e, llvm::Value* at, llvm::Value* value, AtomicOrdering order) {
  auto& b = e.b;
  llvm::Value* bits = cast(b, value, b.getIntNTy(e.of().register_bits()));
  const ptx_call add =
      e.of().kind == type_kind::bfloat16 ? ptx_call::cohort_ptx_atomic_add_bf16 : ptx_call::cohort_ptx_atomic_add_f16;
  llvm::Value* previous = llvm::Constant::getNullValue(bits->getType());
  for (unsigned shift = 0; shift < e.of().register_bits(); shift += 16) {
    auto* element = b.CreateTrunc(b.CreateLShr(bits, shift), b.getInt16Ty());
    llvm::Value* place = b.CreatePtrAdd(at, b.getInt64(shift / 8));
    llvm::Value* old = call(b, add, {place, element, b.getInt32(static_cast<unsigned>(llvm::toCABI(order)))});
    previous = b.CreateOr(previous, b.CreateShl(b.CreateZExt(old, bits->getType()), shift));
  }
  return previous;
}

llvm::Value* atomic_element(emission& e, llvm::Value* at, llvm::Value* value) {
  auto& b = e.b;
  const AtomicOrdering order = order_of(e.op, AtomicOrdering::Monotonic);
  if (e.op.has("noftz")) {
    return add_small_floats(e, at, value, order);
  }
  if (const auto operation = atomic_operation(e)) {
    return b.CreateAtomicRMW(*operation, at, value, llvm::MaybeAlign(), order);
  }
  auto* exchange = b.CreateAtomicCmpXchg(at, value, e.in[2], llvm::MaybeAlign(), order,
                                         llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order));
  return b.CreateExtractValue(exchange, 0);
}

}  // namespace

llvm::Value* element_at(builder& b, llvm::Value* start, unsigned number, unsigned bits) {
  return number == 0 ? start : b.CreatePtrAdd(start, b.getInt64(number * bits / 8));
}

results load(emission& e) {
  auto& b = e.b;
  const access access(e);
  llvm::Value* all = access.packed ? access.load(b, access.packed, e.in[0]) : nullptr;
  results values;
  for (unsigned i = 0; i < access.elements; ++i) {
    const unsigned bits = access.element.bits;
    values.push_back(all ? b.CreateTrunc(b.CreateLShr(all, i * bits), b.getIntNTy(bits))
                         : access.load(b, ir_type(b, access.element), element_at(b, e.in[0], i, bits)));
  }
  return values;
}

results store(emission& e) {
  auto& b = e.b;
  const access access(e);
  llvm::Value* all = access.packed ? llvm::Constant::getNullValue(access.packed) : nullptr;
  for (unsigned i = 0; i < access.elements; ++i) {
    const unsigned bits = access.element.bits;
    llvm::Value* value = e.in[1 + i];
    if (all) {
      value = b.CreateZExt(cast(b, value, b.getIntNTy(bits)), access.packed);
      all = b.CreateOr(all, b.CreateShl(value, i * bits));
    } else {
      access.store(b, value, element_at(b, e.in[0], i, bits));
    }
  }
  if (all) {
    access.store(b, all, e.in[0]);
  }
  return {};
}

// atom d, [a], b and atom.cas d, [a], compare, new; red has no d. Each element of a vector is an operation of its own.
results atomic(emission& e) {
  results previous;
  for (unsigned i = 0; i < e.op.vector_size(); ++i) {
    llvm::Value* at = element_at(e.b, e.in[0], i, e.of().register_bits());
    previous.push_back(atomic_element(e, at, e.in[1 + i]));
  }
  return e.op.form->name == "red" ? results() : previous;
}

// Any address outside the block's shared memory counts as global, as in __isGlobal().
results test_space(emission& e) {
  auto& b = e.b;
  const bool is_shared = e.op.names_shared();
  if (!is_shared && !e.op.has("global")) {
    return b.getFalse();
  }
  llvm::Value* inside = call(b, ptx_call::cohort_ptx_is_shared, {b.CreateIntToPtr(e.in[0], b.getPtrTy())});
  return is_shared ? b.CreateICmpNE(inside, b.getInt32(0)) : b.CreateICmpEQ(inside, b.getInt32(0));
}

results map_address(emission& e) {
  const bool is_short = e.of().bits == 32;
  return call(e.b, is_short ? ptx_call::cohort_ptx_cluster_map_short : ptx_call::cohort_ptx_cluster_map,
              {e.in[0], e.in[1]});
}
results owner_of_address(emission& e) {
  return call(e.b, ptx_call::cohort_ptx_cluster_owner, {e.b.CreateZExt(e.in[0], e.b.getInt64Ty())});
}

results copy_async(emission& e) {
  llvm::Value* taken = e.in.size() > 3 ? e.in[3] : e.in[2];
  if (taken->getType()->isIntegerTy(1)) {  // true: nothing is read
    taken = e.b.CreateSelect(taken, e.b.getInt32(0), e.in[2]);
  }
  call(e.b, ptx_call::cohort_ptx_copy, {e.in[0], e.in[1], e.in[2], taken});
  return {};
}
results commit_copies(emission& e) {
  call(e.b, port_call::cohort_copy_commit);
  return {};
}
results wait_for_copies(emission& e) {
  call(e.b, port_call::cohort_wait_copies, {e.in[0]});
  return {};
}
results wait_for_all_copies(emission& e) {
  commit_copies(e);
  call(e.b, port_call::cohort_wait_copies, {e.b.getInt32(0)});
  return {};
}

results fence(emission& e) {
  e.b.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return {};
}

results fence_async_proxy(emission& e) {
  if (!e.op.has("global")) {
    call(e.b, port_call::cohort_fence_async_proxy);
  }
  return fence(e);
}

results hint(emission&) { return {}; }
results hint_for_address(emission&) { return {}; }
// Any value serves: only cache hints take a policy, and they have no effect.
results make_policy(emission& e) { return e.b.getInt64(0); }

}  // namespace cohort::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multimem instructions: calls of the device library, one for each element.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/reductions.hpp"
#include "lower/ptx/emit/registers.hpp"

#include "llvm/Support/AtomicOrdering.h"

namespace cohort::ptx {
namespace {

llvm::Value* element_bytes(emission& e) { return number(e, e.of().register_bits() / 8); }

// An access of several elements is aligned as a whole.
void check_address(emission& e) {
  call(e.b, ptx_call::cohort_ptx_multimem_check, {e.in[0], number(e, e.of().register_bits() / 8 * e.op.vector_size())});
}

llvm::Value* address_of(emission& e, unsigned element) {
  return element_at(e.b, e.in[0], element, e.of().register_bits());
}

llvm::Value* bits_of(emission& e, unsigned element) {
  llvm::Value* const bits = cast(e.b, e.in[1 + element], e.b.getIntNTy(e.of().register_bits()));
  return e.b.CreateZExt(bits, e.b.getInt64Ty());
}

llvm::Value* order(emission& e) {
  const auto of_word = e.op.has("acquire")   ? llvm::AtomicOrderingCABI::acquire
                       : e.op.has("release") ? llvm::AtomicOrderingCABI::release
                                             : llvm::AtomicOrderingCABI::relaxed;
  return number(e, static_cast<unsigned>(of_word));
}

}  // namespace

results multimem_load(emission& e) {
  check_address(e);
  results values;
  for (unsigned i = 0; i < e.op.vector_size(); ++i) {
    llvm::Value* const bits = call(e.b, ptx_call::cohort_ptx_multimem_load,
                                   {address_of(e, i), element_bytes(e), number(e, operation_of(e.op)),
                                    number(e, number_type(e.of())), number(e, e.op.has("acc::f32") ? 1 : 0), order(e)});
    values.push_back(e.b.CreateTrunc(bits, e.b.getIntNTy(e.of().register_bits())));
  }
  return values;
}

results multimem_store(emission& e) {
  check_address(e);
  for (unsigned i = 0; i < e.op.vector_size(); ++i) {
    call(e.b, ptx_call::cohort_ptx_multimem_store, {address_of(e, i), bits_of(e, i), element_bytes(e), order(e)});
  }
  return {};
}

results multimem_reduce(emission& e) {
  check_address(e);
  for (unsigned i = 0; i < e.op.vector_size(); ++i) {
    call(e.b, ptx_call::cohort_ptx_multimem_reduce,
         {address_of(e, i), bits_of(e, i), element_bytes(e), number(e, operation_of(e.op)),
          number(e, number_type(e.of())), order(e)});
  }
  return {};
}

}  // namespace cohort::ptx

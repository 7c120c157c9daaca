// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic additions of 16-bit floats by the device library (cudart_detail/device/ptx/atomics.h).
#include "lower/ptx/memory/access.hpp"
#include "lower/ptx/ptx_lowering.hpp"

namespace cohort {

// Returns the previous bits. Each element of a pair is added atomically, the pair is not (PTX ISA, atom).
llvm::Value* ptx_lowering::add_small_floats(const memory_access& access, llvm::Value* at, llvm::Value* bits) {
  const bool is_bfloat16 = access.small_float.starts_with("b");
  auto* order = builder_.getInt32(static_cast<unsigned>(llvm::toCABI(access.order)));
  llvm::Value* previous = llvm::Constant::getNullValue(bits->getType());
  for (unsigned shift = 0; shift < access.type.bits; shift += 16) {
    auto* element = builder_.CreateTrunc(builder_.CreateLShr(bits, shift), builder_.getInt16Ty());
    llvm::Value* place = builder_.CreatePtrAdd(at, builder_.getInt64(shift / 8));
    llvm::Value* old = call(is_bfloat16 ? "cohort_ptx_atomic_add_bf16" : "cohort_ptx_atomic_add_f16",
                            builder_.getInt16Ty(), {place, element, order});
    previous = builder_.CreateOr(previous, builder_.CreateShl(builder_.CreateZExt(old, bits->getType()), shift));
  }
  return previous;
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt to pairs: f16x2, bf16x2 and the 8-bit floats. The first operand's number takes the upper half.
#include "lower/ptx/conversion/opcode.hpp"
#include "lower/ptx/ptx_lowering.hpp"

namespace cohort {

// cvt.rn.f16x2.f32 d, upper, lower; cvt.rn.f16x2.e4m3x2 d, pair.
bool ptx_lowering::lower_packed_conversion(const conversion& conversion, llvm::ArrayRef<std::string> operands) {
  const number_format& to = conversion.to;
  const number_format& from = conversion.from;
  if (operands.size() != (from.elements == 2 ? 2 : 3)) {
    return false;
  }
  llvm::Value* pair = from.elements == 2 ? source(operands[1], 2 * from.bits, false) : nullptr;
  llvm::Value* result = nullptr;
  for (const bool is_upper : {true, false}) {
    llvm::Value* value = nullptr;
    if (pair) {
      value =
          builder_.CreateTrunc(is_upper ? builder_.CreateLShr(pair, from.bits) : pair, builder_.getIntNTy(from.bits));
    } else {
      value = from.elements == 1 ? typed_source(operands[is_upper ? 1 : 2], from.type()) : nullptr;
    }
    if (!value) {
      return false;
    }
    llvm::Value* bits = cast(convert(conversion, read_number(from, value)), builder_.getIntNTy(to.bits));
    bits = builder_.CreateZExt(bits, builder_.getIntNTy(2 * to.bits));
    result = is_upper ? builder_.CreateShl(bits, to.bits) : builder_.CreateOr(result, bits);
  }
  return write(operands[0], result, false);
}

}  // namespace cohort

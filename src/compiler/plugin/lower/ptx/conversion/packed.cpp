// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt to pairs: f16x2, bf16x2 and the 8-bit floats; cvt.pack, to pairs of integers. The first operand's number takes
// the upper half.
#include "lower/ptx/conversion/clamp.hpp"
#include "lower/ptx/conversion/opcode.hpp"
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/StringSwitch.h"

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

// cvt.pack.sat.s16.s32 d, upper, lower; below 16 bits, cvt.pack.sat.u8.s32.b32 d, upper, lower, c, where c moves up to
// make room for them.
bool ptx_lowering::lower_integer_pack(const ptx_statement& statement) {
  llvm::StringRef opcode = statement.opcode;
  if (!opcode.consume_front("cvt.pack.sat.")) {
    return false;
  }
  const bool moves = opcode.consume_back(".b32");
  const unsigned bits = llvm::StringSwitch<unsigned>(opcode.drop_front())
                            .Case("16.s32", moves ? 0 : 16)
                            .Case("8.s32", moves ? 8 : 0)
                            .Case("4.s32", moves ? 4 : 0)
                            .Case("2.s32", moves ? 2 : 0)
                            .Default(0);
  const bool is_signed = opcode.starts_with("s");
  const auto& operands = statement.operands;
  if (bits == 0 || (!is_signed && !opcode.starts_with("u")) || operands.size() != (moves ? 4 : 3)) {
    return false;
  }
  const ptx_type type = {is_signed ? 's' : 'u', bits};
  llvm::Value* result = moves ? source(operands[3], 32, false) : builder_.getInt32(0);
  for (const unsigned i : {1, 2}) {
    llvm::Value* value = source(operands[i], 32, true);
    if (!value || !result) {
      return false;
    }
    value = builder_.CreateZExt(clamp(builder_, value, true, type), builder_.getInt32Ty());
    result = builder_.CreateOr(builder_.CreateShl(result, bits), value);
  }
  return write(operands[0], result, false);
}

}  // namespace cohort

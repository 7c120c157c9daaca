// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mov for 16 to 128 bits and predicates. `mov.b64 d, {a, b}` packs parts into one register, `mov.b64 {a, b}, d` divides
// a register; the first part holds the low bits.
#include "lower/ptx/ptx_lowering.hpp"

namespace cohort {

bool ptx_lowering::lower_move(const ptx_statement& statement) {
  llvm::StringRef name = statement.opcode;
  const auto type = name.consume_front("mov.") ? parse_ptx_type(name) : std::nullopt;
  if (!type || statement.operands.size() != 2) {
    return false;
  }
  const auto to = elements_of(statement.operands[0]);
  const auto from = elements_of(statement.operands[1]);
  if (to.size() == 1 && from.size() == 1) {
    return write(to[0], typed_source(from[0], *type), type->is_signed());
  }
  const size_t parts = to.size() * from.size();
  if ((to.size() != 1 && from.size() != 1) || (parts != 2 && parts != 4) || type->kind != 'b') {
    return false;
  }
  const unsigned part_bits = type->bits / parts;
  llvm::Type* packed_type = builder_.getIntNTy(type->bits);
  llvm::Value* packed =
      from.size() == 1 ? source(from[0], type->bits, false) : llvm::Constant::getNullValue(packed_type);
  for (size_t i = 0; packed && i < parts; ++i) {
    if (from.size() == 1) {
      auto* part = builder_.CreateTrunc(builder_.CreateLShr(packed, i * part_bits), builder_.getIntNTy(part_bits));
      if (!write(to[i], part, false)) {
        return false;
      }
    } else {
      llvm::Value* part = source(from[i], part_bits, false);
      if (!part) {
        return false;
      }
      packed = builder_.CreateOr(packed, builder_.CreateShl(builder_.CreateZExt(part, packed_type), i * part_bits));
    }
  }
  return packed && (from.size() == 1 || write(to[0], packed, false));
}

}  // namespace cohort

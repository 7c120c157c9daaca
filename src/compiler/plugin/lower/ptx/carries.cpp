// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with a carry between statements of one assembly: add sub mad.{lo,hi} with .cc, and addc subc madc.{lo,hi}.
#include "lower/ptx/ptx_lowering.hpp"

namespace cohort {

bool ptx_lowering::lower_carries(const ptx_statement& statement) {
  auto [name, type_name] = llvm::StringRef(statement.opcode).rsplit('.');
  const auto type = parse_ptx_type(type_name);
  const auto& operands = statement.operands;
  const bool writes_carry = name.consume_back(".cc");
  const llvm::StringRef operation = name.split('.').first;
  const bool reads_carry = operation.ends_with("c") && operation.size() == 4;  // addc, subc, madc
  const bool multiplies = operation.starts_with("mad");
  const bool is_known = reads_carry ? operation == "addc" || operation == "subc" || multiplies
                                    : writes_carry && (operation == "add" || operation == "sub" || multiplies);
  const bool high = name.ends_with(".hi");
  if (!is_known || !type || type->is_float() || (type->bits != 32 && type->bits != 64) ||
      operands.size() != (multiplies ? 4u : 3u) || multiplies != (high || name.ends_with(".lo")) ||
      (reads_carry && !carry_)) {
    return false;
  }
  // Wide enough for a product, and for a sum and its carry.
  auto* wide = builder_.getIntNTy(2 * type->bits);
  llvm::SmallVector<llvm::Value*, 3> in;
  for (size_t i = 1; i < operands.size(); ++i) {
    llvm::Value* value = source(operands[i], type->bits, type->is_signed());
    if (!value) {
      return false;
    }
    const bool is_factor = multiplies && i < 3;
    in.push_back(is_factor && type->is_signed() ? builder_.CreateSExt(value, wide) : builder_.CreateZExt(value, wide));
  }
  auto& b = builder_;
  llvm::Value* first = in[0];
  if (multiplies) {
    auto* product = b.CreateMul(in[0], in[1]);
    auto* low = llvm::ConstantInt::get(wide, llvm::APInt::getLowBitsSet(2 * type->bits, type->bits));
    first = high ? b.CreateLShr(product, type->bits) : b.CreateAnd(product, low);
  }
  llvm::Value* carry = reads_carry ? b.CreateZExt(carry_, wide) : llvm::Constant::getNullValue(wide);
  const bool subtracts = operation.starts_with("sub");
  llvm::Value* result =
      subtracts ? b.CreateSub(b.CreateSub(first, in.back()), carry) : b.CreateAdd(b.CreateAdd(first, in.back()), carry);
  if (writes_carry) {  // bit `bits` is the carry, or the borrow
    carry_ = b.CreateTrunc(b.CreateLShr(result, type->bits), b.getInt1Ty());
  }
  return write(operands[0], b.CreateTrunc(result, b.getIntNTy(type->bits)), type->is_signed());
}

}  // namespace cohort

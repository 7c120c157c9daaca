// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers of one assembly: its operands and those that it declares. Each is a slot in memory, which LLVM promotes
// to a value, so that labels and branches need no rules of their own.
#pragma once

#include <string>
#include <vector>

#include "lower/ptx/isa/decode.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace cohort::ptx {

/// The IR's type for a register of type `type`: a number that IR has, else its bits.
llvm::Type* ir_type(llvm::IRBuilder<>& builder, type type);

/// Returns `value` with another type: integers are extended or truncated, pointers and integers converted, others
/// keep their low bits.
llvm::Value* cast(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type, bool is_signed = false);

class registers {
 public:
  /// Slots are made at the start of the function of `builder`, and appended to `slots`.
  registers(llvm::IRBuilder<>& builder, std::vector<llvm::AllocaInst*>& slots) : builder_(builder), slots_(slots) {}

  /// A slot at the start of the function, for a value that the statements keep.
  llvm::AllocaInst* new_slot(llvm::Type* type);
  /// An operand whose value is that of a variable of the program: no other value exists.
  void add_variable(llvm::Type* type, llvm::Value* variable);
  /// "$0", "$1" ... in this order. `initial`: null where it has no value yet. `is_number`: no statement may write it.
  void add_operand(llvm::Type* type, llvm::Value* initial, bool is_number);
  void set_operand(size_t number, llvm::Value* value);
  llvm::Type* operand_type(size_t number) const { return named_[number].ir; }
  llvm::Value* operand_value(size_t number);

  void open_scope() { scopes_.push_back(named_.size()); }
  bool close_scope();
  /// ".reg .v4 .f32 a, b<4>": the operands of that directive. Returns the reason of a refusal, or "".
  std::string declare(llvm::ArrayRef<std::string> operands);

  /// Appends the values that `operand` reads: one, or one for each element. Returns the reason of a refusal, or "".
  std::string read(const instruction& instruction, const operand& operand, llvm::SmallVectorImpl<llvm::Value*>& values);
  /// Writes the values of a destination's elements, and of the predicate after a bar. Returns a reason, or "".
  std::string write(const instruction& instruction, const operand& operand, llvm::ArrayRef<llvm::Value*> values);
  /// Appends the places of the registers of `operand`, which the engine accesses later. Returns the reason of a
  /// refusal, or "".
  std::string find_places(const instruction& instruction, const operand& operand,
                          llvm::SmallVectorImpl<llvm::Value*>& places);
  /// The value of "p" or "!p"; null if this is no predicate.
  llvm::Value* read_predicate(std::string_view text);

 private:
  struct named {
    std::string name;
    type own;
    llvm::Value* slot = nullptr;         // a slot of `slots_`, or a variable of the program
    llvm::Type* ir = nullptr;            // the type of the slot
    llvm::Constant* constant = nullptr;  // the value of an operand that is a number, "n"
    bool is_output = false;              // the assembly's output, whose value is copied to a variable after it

    bool is_predicate() const { return own.is_predicate(); }
  };

  /// A slot that has a value here: a register that is read before it is written has poison.
  llvm::AllocaInst* make_slot(llvm::Type* type, llvm::Value* initial);
  void declare_one(const std::string& name, type own, unsigned elements);
  const named* find(std::string_view text) const;
  /// The registers of a vector that stands without braces, "v" -> "v.x", "v.y".
  std::vector<std::string> elements(const operand& operand, unsigned count) const;
  llvm::Value* load(const named& of) {
    return of.constant ? static_cast<llvm::Value*>(of.constant) : builder_.CreateLoad(of.ir, of.slot);
  }
  /// Why the operand takes no register or number of that type; "" if it does, and for an unknown name.
  std::string type_error(const instruction& instruction, const operand& operand, std::string_view text) const;
  llvm::Value* read_integer(std::string_view text, unsigned bits, bool is_signed);
  llvm::Value* read_float(std::string_view text, unsigned bits);
  llvm::Value* read_number(std::string_view text, type type);
  llvm::Value* read_address(std::string_view text, bool may_be_short);
  bool write_one(std::string_view text, llvm::Value* value, bool is_signed);

  llvm::IRBuilder<>& builder_;
  std::vector<llvm::AllocaInst*>& slots_;
  std::vector<named> named_;    // the operands, then declared registers; the last of a name is in scope
  std::vector<size_t> scopes_;  // the number of registers where each open scope began
};

}  // namespace cohort::ptx

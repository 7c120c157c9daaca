// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument and the result of the table's functions, and calls that they share.
#pragma once

#include <initializer_list>
#include <string>

#include "analysis/port_calls.hpp"
#include "lower/ptx/emit/ptx_calls.hpp"
#include "lower/ptx/isa/decode.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cohort::ptx {

using builder = llvm::IRBuilder<>;

/// One instruction while it becomes IR.
struct emission {
  builder& b;
  const instruction& op;
  llvm::ArrayRef<llvm::Value*> in;           // the operands that the instruction reads, elements of vectors one by one
  llvm::Value* carry;                        // the slot of the carry bit
  llvm::ArrayRef<llvm::Value*> places = {};  // addresses of the registers that the engine writes later

  type of(unsigned slot = 0) const { return op.types[slot]; }
  bool is_signed() const { return of().is_signed(); }
};

/// The values of an instruction's destinations, in their order.
struct results : llvm::SmallVector<llvm::Value*, 4> {
  results() = default;
  results(llvm::Value* value) { push_back(value); }  // NOLINT(google-explicit-constructor): `return value;`
  results(std::initializer_list<llvm::Value*> values) { append(values); }
};

using emit_function = results (*)(emission&);

/// The function of a row of the table.
emit_function function_of(const row& row);

/// The value of the special register `name`, "tid.x"; null for an unknown name.
llvm::Value* special_register(builder& b, std::string_view name);

/// Calls a function of the engine or of the device library. Functions that may wait are convergent, as are all of the
/// device library.
llvm::CallInst* call(builder& b, port_call function, llvm::ArrayRef<llvm::Value*> arguments = {});
llvm::CallInst* call(builder& b, ptx_call function, llvm::ArrayRef<llvm::Value*> arguments = {});

/// The address of element `number` of a vector at `start`, whose elements have `bits` bits.
llvm::Value* element_at(builder& b, llvm::Value* start, unsigned number, unsigned bits);

/// A constant of 32 bits.
inline llvm::Value* number(emission& e, unsigned value) { return e.b.getInt32(value); }

/// Whether a 32-bit number, the truth value of the device library, is not 0.
llvm::Value* is_set(emission& e, llvm::Value* word);

/// The thread's rank in its warp.
llvm::Value* lane_rank(builder& b, unsigned axis = 0);

// Declares the emit functions of instructions.def.
#define SECTION(title, note)
#define REGISTER(name, types, emit)
#define ROW(pattern, types, operands, emit) results emit(emission& e);
#include "lower/ptx/isa/instructions.def"

}  // namespace cohort::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that lie in the registers of a warp. Products are one call of the engine for all lanes, through the device
// library (device/ptx/matrices.h); loads, stores and transpositions are shuffles and accesses of each thread.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/matrix_operands.hpp"
#include "lower/ptx/emit/registers.hpp"

#include <cohort/machine/cpu/port/matrix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "llvm/ADT/StringRef.h"

namespace cohort::ptx {
namespace {

// The types of D, A, B and C, which follow each other in the opcode.
struct element_types {
  type d, a, b, c;
};
element_types types_of(const instruction& op) {
  const auto& slots = op.form->type_slots;
  return {op.types[slots[0]], op.types[slots[1]], op.types[slots[2]], op.types[slots[3]]};
}

// The first layout in the opcode is that of A, the second that of B.
unsigned layouts_of(const instruction& op) {
  unsigned flags = 0, seen = 0;
  for (const std::string_view word : op.words) {
    if (word == "row" || word == "col") {
      if (seen == 0 && word == "col") {
        flags |= cohort_matrix_a_is_column;
      } else if (seen == 1 && word == "row") {
        flags |= cohort_matrix_b_is_row;
      }
      ++seen;
    }
  }
  return flags;
}

cohort_matrix_form form_of(const instruction& op, unsigned flags) {
  cohort_matrix_form form = {};
  const matrix_shape shape = shape_of(op);
  form.m = static_cast<uint8_t>(shape.m);
  form.n = static_cast<uint8_t>(shape.n);
  form.k_of_4 = static_cast<uint8_t>(shape.k / 4);
  const element_types types = types_of(op);
  form.a = element_of(types.a);
  form.b = element_of(types.b);
  form.c = element_of(types.c);
  form.d = element_of(types.d);
  if (op.has("satfinite")) {
    flags |= cohort_matrix_saturates;
  }
  if (op.has("xor")) {
    flags |= cohort_matrix_xor;
  }
  if (form.m == 8 && form.k_of_4 == 1 && form.a == cohort_element_f16) {
    flags |= layouts_of(op);
  }
  form.flags_and_selector = static_cast<uint8_t>(flags);
  return form;
}

// Emits a product of matrices. `registers`: those of A, B and C in this order, as the statement has them.
results multiply(emission& e, unsigned flags, llvm::ArrayRef<llvm::Value*> registers, llvm::Value* metadata) {
  auto& b = e.b;
  const cohort_matrix_form form = form_of(e.op, flags);
  uint64_t form_bits = 0;
  static_assert(sizeof form == sizeof form_bits);
  std::memcpy(&form_bits, &form, sizeof form);
  const auto& operands = e.op.operands;  // d, a, b, c
  const unsigned d_count = operands[0].form->registers, c_count = operands[3].form->registers;
  const unsigned ab_count = static_cast<unsigned>(registers.size()) - c_count;
  const unsigned size = operands[0].form->fixed.register_bits() / 8;
  const unsigned sum_count = std::max(c_count, d_count);
  llvm::Value* operand = operand_variable(b, sizeof(cohort_matrix_operand) + (sum_count + ab_count) * size);
  b.CreateStore(b.getInt64(form_bits), operand);
  b.CreateStore(metadata, byte_at(b, operand, offsetof(cohort_matrix_operand, metadata)));
  uint64_t at = sizeof(cohort_matrix_operand);
  for (unsigned i = 0; i < c_count; ++i) {
    b.CreateStore(registers[ab_count + i], byte_at(b, operand, at + i * size));
  }
  at += sum_count * size;
  for (unsigned i = 0; i < ab_count; ++i) {
    b.CreateStore(registers[i], byte_at(b, operand, at + i * size));
  }
  call(b, ptx_call::cohort_ptx_multiply, {operand, b.CreateGlobalString(std::string(e.op.form->name) + ".sync")});
  llvm::Type* type = ir_type(b, operands[0].form->fixed);
  results values;
  for (unsigned i = 0; i < d_count; ++i) {
    values.push_back(b.CreateLoad(type, byte_at(b, operand, sizeof(cohort_matrix_operand) + i * size)));
  }
  return values;
}

unsigned matrices_of(const emission& e) { return static_cast<unsigned>(e.op.one_of({"x1", "x2", "x4"})[1] - '0'); }

}  // namespace

results multiply_matrices(emission& e) { return multiply(e, 0, e.in, e.b.getInt32(0)); }

results multiply_sparse(emission& e) {
  const auto* selector = llvm::cast<llvm::ConstantInt>(e.in.back());
  const auto flags = static_cast<unsigned>(cohort_matrix_is_sparse + 32 * (selector->getZExtValue() % 4));
  return multiply(e, flags, e.in.drop_back(2), e.in[e.in.size() - 2]);
}

results load_matrices(emission& e) {
  const ptx_call load = e.op.has("trans") ? ptx_call::cohort_ptx_load_transposed : ptx_call::cohort_ptx_load_matrix;
  results values;
  for (unsigned i = 0; i < matrices_of(e); ++i) {
    values.push_back(call(e.b, load, {e.in[0], e.b.getInt32(i), e.b.CreateGlobalString("ldmatrix.sync")}));
  }
  return values;
}

results store_matrices(emission& e) {
  const ptx_call store = e.op.has("trans") ? ptx_call::cohort_ptx_store_transposed : ptx_call::cohort_ptx_store_matrix;
  for (unsigned i = 0; i < matrices_of(e); ++i) {
    call(e.b, store, {e.in[0], e.b.getInt32(i), e.in[1 + i], e.b.CreateGlobalString("stmatrix.sync")});
  }
  return {};
}

results transpose_matrix(emission& e) {
  return call(e.b, ptx_call::cohort_ptx_transpose_matrix, {e.in[0], e.b.CreateGlobalString("movmatrix.sync")});
}

}  // namespace cohort::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a warpgroup (wgmma). The engine executes them when the warp waits, so a product passes the places of its
// accumulators (device/ptx/warpgroups.h).
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/matrix_operands.hpp"

#include <cohort/machine/cpu/port/warpgroup.hpp>

#include <cstddef>
#include <cstring>

namespace cohort::ptx {
namespace {

// The operands that a product reads, one after another.
class reader {
 public:
  explicit reader(llvm::ArrayRef<llvm::Value*> values) : left_(values) {}
  llvm::Value* next() {
    llvm::Value* value = left_.front();
    left_ = left_.drop_front();
    return value;
  }
  int64_t next_number() { return llvm::cast<llvm::ConstantInt>(next())->getSExtValue(); }
  bool is_at_end() const { return left_.empty(); }

 private:
  llvm::ArrayRef<llvm::Value*> left_;
};

// The constants after scale-d: imm-scale-a, imm-scale-b, imm-trans-a, which A in registers lacks, and imm-trans-b.
unsigned flags_of(const instruction& op, bool has_registers, reader& rest) {
  unsigned flags = (has_registers ? cohort_warpgroup_a_is_registers : 0) |
                   (op.has("sp") ? cohort_warpgroup_is_sparse : 0) |
                   (op.has("satfinite") ? cohort_warpgroup_saturates : 0);
  if (rest.is_at_end()) {
    return flags;
  }
  flags |= rest.next_number() < 0 ? cohort_warpgroup_negates_a : 0;
  flags |= rest.next_number() < 0 ? cohort_warpgroup_negates_b : 0;
  if (rest.is_at_end()) {
    return flags;
  }
  if (!has_registers) {
    flags |= rest.next_number() != 0 ? cohort_warpgroup_a_is_transposed : 0;
  }
  return flags | (rest.next_number() != 0 ? cohort_warpgroup_b_is_transposed : 0);
}

llvm::Value* name_of(emission& e, const char* name) { return e.b.CreateGlobalString(name); }

}  // namespace

results multiply_in_warpgroup(emission& e) {
  auto& b = e.b;
  const auto& slots = e.op.form->type_slots;
  cohort_warpgroup_form form = {};
  const matrix_shape shape = shape_of(e.op);
  form.n_of_8 = static_cast<uint8_t>(shape.n / 8);
  form.k_of_8 = static_cast<uint8_t>(shape.k / 8);
  form.d = element_of(e.op.types[slots[0]]);
  form.a = element_of(e.op.types[slots[1]]);
  form.b = element_of(e.op.types[slots[2]]);

  llvm::Value* operand =
      operand_variable(b, offsetof(cohort_warpgroup_product, d) + e.places.size() * sizeof(uint32_t*));
  const auto store = [&](llvm::Value* value, uint64_t offset) { b.CreateStore(value, byte_at(b, operand, offset)); };
  reader values(e.in);
  const bool has_registers = e.op.operands[1].form->kind == operand_kind::fragment;
  if (has_registers) {
    for (unsigned i = 0; i < 4; ++i) {
      store(values.next(), offsetof(cohort_warpgroup_product, a) + 4 * i);
    }
  } else {
    store(values.next(), offsetof(cohort_warpgroup_product, a_matrix));
  }
  store(values.next(), offsetof(cohort_warpgroup_product, b_matrix));
  if (e.op.has("sp")) {
    store(values.next(), offsetof(cohort_warpgroup_product, metadata));
    form.selector = static_cast<uint8_t>(values.next_number());
  }
  store(b.CreateZExt(values.next(), b.getInt32Ty()), offsetof(cohort_warpgroup_product, adds));
  form.flags = static_cast<uint16_t>(flags_of(e.op, has_registers, values));
  uint64_t form_bits = 0;
  static_assert(sizeof form == sizeof form_bits);
  std::memcpy(&form_bits, &form, sizeof form);
  store(b.getInt64(form_bits), offsetof(cohort_warpgroup_product, form));
  for (size_t i = 0; i < e.places.size(); ++i) {
    store(e.places[i], offsetof(cohort_warpgroup_product, d) + i * sizeof(uint32_t*));
  }
  call(b, ptx_call::cohort_ptx_warpgroup_multiply, {operand, name_of(e, "wgmma.mma_async")});
  return {};
}

results fence_warpgroup(emission& e) {
  call(e.b, ptx_call::cohort_ptx_warpgroup_fence, {name_of(e, "wgmma.fence")});
  return {};
}

results commit_warpgroup(emission& e) {
  call(e.b, ptx_call::cohort_ptx_warpgroup_commit, {name_of(e, "wgmma.commit_group")});
  return {};
}

results wait_for_warpgroup(emission& e) {
  call(e.b, ptx_call::cohort_ptx_warpgroup_wait, {e.in[0], name_of(e, "wgmma.wait_group")});
  return {};
}

}  // namespace cohort::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/emit/reductions.hpp"

#include <string_view>

namespace cohort::ptx {

cohort_bulk_reduction operation_of(const instruction& op) {
  static constexpr struct {
    std::string_view word;
    cohort_bulk_reduction reduction;
  } operations[] = {{"add", cohort_bulk_add}, {"min", cohort_bulk_min}, {"max", cohort_bulk_max},
                    {"inc", cohort_bulk_inc}, {"dec", cohort_bulk_dec}, {"and", cohort_bulk_and},
                    {"or", cohort_bulk_or},   {"xor", cohort_bulk_xor}};
  for (const auto& each : operations) {
    if (op.has(each.word)) {
      return each.reduction;
    }
  }
  return cohort_bulk_copies;
}

cohort_tensor_type number_type(type of) {
  const bool is_wide = of.bits == 64;
  switch (of.kind) {
    case type_kind::signed_integer:
      return is_wide ? cohort_tensor_s64 : cohort_tensor_s32;
    case type_kind::ieee:
      return is_wide ? cohort_tensor_f64 : of.bits == 32 ? cohort_tensor_f32 : cohort_tensor_f16;
    case type_kind::bfloat16:
      return cohort_tensor_bf16;
    default:
      return is_wide ? cohort_tensor_u64 : cohort_tensor_u32;
  }
}

}  // namespace cohort::ptx

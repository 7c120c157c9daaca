// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/nvcc_table.hpp"

#include <algorithm>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"

namespace cohort {
namespace {

using namespace clang::diag;

template <class Holds>
const nvcc_warning* find(Holds holds) {
  const auto& all = nvcc_warnings();
  const auto found = std::find_if(all.begin(), all.end(), holds);
  return found == all.end() ? nullptr : &*found;
}

constexpr auto both = reporting_pass::both;
constexpr auto in_all = shown_in::all;

// A warning of nvcc's own front end.
nvcc_warning nvcc(int number, std::string_view tag, std::vector<unsigned> clang, reporting_pass pass = both,
                  shown_in functions = in_all) {
  return {number, tag, true, false, pass, functions, std::move(clang)};
}

// A warning that g++ reports, too.
nvcc_warning both_compilers(int number, std::string_view tag, std::vector<unsigned> clang) {
  return {number, tag, true, true, both, in_all, std::move(clang)};
}

// A warning that nvcc shows after an option or a pragma.
nvcc_warning on_request(int number, std::string_view tag, std::vector<unsigned> clang) {
  return {number, tag, false, false, both, in_all, std::move(clang)};
}

// A warning that nvcc leaves to the preprocessor or to g++.
nvcc_warning host_compiler(std::vector<unsigned> clang, reporting_pass pass, shown_in functions) {
  return {0, "", true, true, pass, functions, std::move(clang)};
}

}  // namespace

// clang-format off: one warning, one row
const std::vector<nvcc_warning>& nvcc_warnings() {
  static const std::vector<nvcc_warning> all = {
      both_compilers(39, "divide_by_zero", {warn_remainder_division_by_zero}),
      both_compilers(61, "", {warn_integer_constant_overflow}),
      both_compilers(62, "negative_shift_count", {warn_shift_negative}),
      both_compilers(63, "shift_count_too_large", {warn_shift_gt_typewidth}),
      nvcc(68, "integer_sign_change", {}),
      both_compilers(69, "integer_truncated", {}),
      nvcc(83, "dupl_type_qualifier", {ext_warn_duplicate_declspec, warn_duplicate_declspec}),
      on_request(111, "code_is_unreachable", {warn_unreachable, warn_unreachable_break, warn_unreachable_return}),
      both_compilers(114, "", {warn_undefined_internal}),
      nvcc(170, "pointer_outside_base_object", {warn_ptr_arith_exceeds_bounds, warn_ptr_arith_precedes_bounds}),
      both_compilers(173, "float_to_integer_conversion", {}),
      nvcc(174, "expr_has_no_effect", {}),
      nvcc(177, "declared_but_not_referenced", {warn_unused_variable, warn_unused_const_variable, warn_unused_function, warn_unused_label},
           reporting_pass::device),
      both_compilers(179, "", {}),
      nvcc(181, "printf_arg_mismatch", {warn_format_conversion_argument_type_mismatch}, reporting_pass::device, shown_in::device),
      nvcc(186, "unsigned_compare_with_zero", {warn_unsigned_always_true_comparison}),
      nvcc(187, "assign_where_compare_meant", {}),
      nvcc(192, "unrecognized_char_escape", {ext_unknown_escape}),
      nvcc(224, "too_few_printf_args", {warn_printf_insufficient_data_args}),
      nvcc(225, "too_many_printf_args", {warn_printf_data_arg_not_used}),
      nvcc(226, "bad_printf_format_string", {warn_format_invalid_conversion}),
      both_compilers(430, "return_ref_init_requires_temp", {warn_ret_local_temp_addr_ref}),
      nvcc(549, "used_before_set", {warn_uninit_var, warn_uninit_self_reference_in_init}),
      nvcc(550, "set_but_not_used", {}, reporting_pass::device),
      nvcc(554, "conversion_function_not_usable", {warn_conv_to_self_not_used, warn_conv_to_base_not_used, warn_conv_to_void_not_used}),
      nvcc(815, "useless_type_qualifier_on_return_type", {warn_qual_return_type}),
      nvcc(821, "extern_inline_never_defined", {warn_undefined_inline}),
      both_compilers(836, "returning_ref_to_local_variable", {}),
      both_compilers(852, "expr_not_object_pointer", {ext_delete_void_ptr_operand}),
      both_compilers(940, "implicit_return_from_non_void_function",
           {warn_maybe_falloff_nonvoid_function, warn_falloff_nonvoid_function, warn_maybe_falloff_nonvoid_lambda, warn_falloff_nonvoid_lambda}),
      nvcc(997, "virtual_function_decl_hidden", {warn_overloaded_virtual}),
      both_compilers(1056, "returning_ptr_to_local_variable", {warn_ret_stack_addr_ref}),
      both_compilers(1215, "deprecated_entity", {warn_deprecated}),
      both_compilers(1305, "noreturn_function_does_return", {warn_falloff_noreturn_function, warn_noreturn_function_has_return_expr}),
      both_compilers(1406, "", {trigraph_ignored, trigraph_converted}),
      nvcc(1422, "multi_char_literal", {warn_multichar_character_literal}),
      both_compilers(1444, "deprecated_entity_with_custom_message", {warn_deprecated_message}),
      on_request(1719, "out_of_order_ctor_init", {warn_initializer_out_of_order, warn_some_initializers_out_of_order}),
      both_compilers(2361, "", {ext_init_list_type_narrowing, ext_init_list_variable_narrowing}),
      nvcc(2464, "", {ext_deprecated_string_literal_conversion}),
      nvcc(2506, "", {warn_user_literal_reserved}),
      both_compilers(2809, "nodiscard_routine", {warn_unused_result, warn_unused_result_msg}),
      nvcc(20011, "h_hd_illegal_call", {}, reporting_pass::device),
      nvcc(20013, "h_hd_illegal_call_constexpr", {}, reporting_pass::device),
      nvcc(20035, "", {}, reporting_pass::device),
      nvcc(20036, "", {}, reporting_pass::device),
      nvcc(20037, "", {}, reporting_pass::device),
      nvcc(20039, "", {}, reporting_pass::device),
      nvcc(20040, "", {}, reporting_pass::device),
      nvcc(20044, "extern_entity_treated_as_static", {}, reporting_pass::device),
      nvcc(20050, "global_function_inline", {warn_kern_is_inline}),
      nvcc(20054, "", {}, reporting_pass::device),
      on_request(20178, "", {}),
      on_request(20198, "default_stream_launch", {}),
      nvcc(20199, "unrecognized_pragma_device_code", {warn_pragma_ignored}, reporting_pass::device, shown_in::device),
      on_request(20238, "missing_launch_bounds", {}),
      // The preprocessor.
      host_compiler({ext_pp_macro_redef, ext_pp_extra_tokens_at_eol, pp_hash_warning, pp_pragma_once_in_main_file,
                     pp_pragma_sysheader_in_main_file, pp_include_next_in_primary, ext_pp_redef_builtin_macro,
                     ext_pp_undef_builtin_macro, backslash_newline_space, null_in_file},
                    both, in_all),
      // g++.
      host_compiler({warn_comparison_mixed_enum_types, warn_comparison_mixed_enum_types_cxx20,
                     warn_conditional_mixed_enum_types, warn_conditional_mixed_enum_types_cxx20, warn_comparison_of_mixed_enum_types_switch,
                     warn_impcast_null_pointer_to_integer, warn_int_to_pointer_cast, warn_int_to_void_pointer_cast,
                     warn_empty_parens_are_function_decl, warn_parens_disambiguated_as_function_declaration, warn_impcast_bitfield_precision_constant, warn_pragma_diagnostic_unknown_warning,
                     warn_taking_address_of_packed_member, warn_second_arg_of_va_start_not_last_named_param,
                     warn_throw_in_noexcept_func, warn_sizeof_array_param, ext_offsetof_non_pod_type, ext_offsetof_non_standardlayout_type,
                     warn_inaccessible_base_class, warn_delete_incomplete, warn_extern_init, warn_fortify_source_overflow, ext_register_storage_class,
                     ext_reserved_user_defined_literal},
                    reporting_pass::host, shown_in::host),
      host_compiler({warn_shift_result_gt_typewidth}, reporting_pass::device, shown_in::host),  // silent under -fwrapv
      host_compiler({ext_init_list_constant_narrowing}, both, in_all),
  };
  return all;
}
// clang-format on

const nvcc_warning* find_warning(int number) {
  return find([=](const nvcc_warning& warning) { return warning.number == number; });
}

const nvcc_warning* find_warning(std::string_view tag) {
  return tag.empty() ? nullptr : find([=](const nvcc_warning& warning) { return warning.tag == tag; });
}

const nvcc_warning* find_warning_of_clang(unsigned diagnostic) {
  return find([=](const nvcc_warning& warning) {
    return std::find(warning.clang.begin(), warning.clang.end(), diagnostic) != warning.clang.end();
  });
}

int number_of(const nvcc_warning& warning, const clang::Diagnostic& diagnostic) {
  switch (diagnostic.getID()) {
    case warn_remainder_division_by_zero:
      return diagnostic.getArgUInt(0) ? 39 : 179;  // NOLINT: clang's own type
    case warn_ret_stack_addr_ref:
      return diagnostic.getArgSInt(0) ? 836 : 1056;
    default:
      return warning.number;
  }
}

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols and sections that the plugin makes or refers to by name, and that no table of the border lists.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cohort::names {

// Functions without a body: steps of the plugin make the calls, and later steps replace them.
inline constexpr llvm::StringLiteral exit_thread = "cohort_ptx_exit";           // void (): PTX's exit
inline constexpr llvm::StringLiteral variable_delta = "cohort_variable_delta";  // int64_t (): an entry of the deltas

// Functions of the device headers, into which a launch in device code compiles (cudart_detail/device/launches.h). The
// step for kernel launches replaces calls of the first by calls of the second.
inline constexpr llvm::StringLiteral configure_launch = "__cudaPushCallConfiguration";
inline constexpr llvm::StringLiteral set_launch_shape = "cohort_set_launch_shape";

// The namespace of texture<> and surface<> (cudart_detail/api/texture_references.h).
inline constexpr llvm::StringLiteral texture_references = "cohort_references";

// Variables: the engine's, and those that the linker merges over all device objects of a program.
inline constexpr llvm::StringLiteral current_thread = "cohort_current_thread";      // port/kernel_calls.hpp
inline constexpr llvm::StringLiteral count_context = "cohort_count_context";        // port/count/counter.hpp
inline constexpr llvm::StringLiteral variable_deltas = "cohort_variable_deltas";    // cohort_module::deltas
inline constexpr llvm::StringLiteral variables_anchor = "cohort_variables_anchor";  // makes the section exist

// Sections, and the prefixes of the symbols that the linker defines as their bounds.
inline constexpr llvm::StringLiteral start_of_section = "__start_", end_of_section = "__stop_";
inline constexpr llvm::StringLiteral shared_section = "cohort_shared";        // __shared__ variables of several files
inline constexpr llvm::StringLiteral variables_section = "cohort_variables";  // cohort_module::own_begin
inline constexpr llvm::StringLiteral check_shared_section = "cohort_check_shared";  // records of cohort_shared_variable

}  // namespace cohort::names

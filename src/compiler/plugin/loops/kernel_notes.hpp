// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "lowering.hpp"

namespace cohort {

// Adds a note to the object file that lists the kernels and the versions of each, so that `cohort-info --kernels` can
// read them from a program without running it. The linker joins the notes of all modules, and strip keeps them.
// @pre The tables of the kernels are complete.
void note_kernels(llvm::Module& module, const std::vector<lowered_kernel>& kernels);

}  // namespace cohort

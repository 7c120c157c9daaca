// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the versions that a plan lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gang/build/version.hpp"
#include "gang/plan/gang_plan.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cohort {

struct built_version {
  version_plan plan;
  gang_function function;
};

// The versions of a kernel, each with a function of its own.
struct version_set {
  std::vector<built_version> rows;      // for whole rows, in the order of the plan; empty: the kernel has no gangs
  std::optional<built_version> others;  // for all other blocks; empty: these have a stack for each thread
  std::string refusal;                  // why `rows` is empty, or else why `others` is
  std::vector<version_plan> not_made;   // versions that the code has no form for, or that do not fit the registers
  widening_notes notes;                 // about the first of `rows`
};

// `make_loop` makes the version for version_kind::thread_loop.
version_set build_versions(const gang_plan& plan, const version_source& source,
                           llvm::function_ref<gang_function()> make_loop);

}  // namespace cohort

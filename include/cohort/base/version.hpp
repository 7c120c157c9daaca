// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of Cohort, which its headers, compiler and runtime library must share. A program that mixes two versions
// is refused when it is compiled or linked, or when its kernels register.
#pragma once

/// 10000 * major + 100 * minor + patch. Configuration fails unless it is the newest version in CHANGES.md.
#define COHORT_VERSION 100

// cohortcc defines its own version.
#if defined(COHORT_COMPILER_VERSION) && COHORT_COMPILER_VERSION != COHORT_VERSION
#error "cohortcc and these headers are of two versions of Cohort: compile without the -I that leads to them"
#endif

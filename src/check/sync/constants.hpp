// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::check {

struct access;
struct accessor;

// --check=sync: reports a write of a __constant__ variable.
void check_constant(const accessor& c, const access& now);

}  // namespace cohort::check

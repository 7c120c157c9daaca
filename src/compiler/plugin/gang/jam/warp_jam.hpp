// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wider gangs from gangs of one warp, as unroll-and-jam makes them of the outer of two loops: several warps execute
// each instruction of the kernel before any of them executes the next one. A row of a block with rows of 16 or 32
// threads takes the place of a warp in the same way.
#pragma once

#include "gang/structure/gang_function.hpp"
#include "gang/target/vector_target.hpp"

namespace cohort {

// The parameter of a row version in which the warps of a gang differ: it grows by `step` from one warp to the next.
struct jam_axis {
  unsigned parameter;
  unsigned step;
  unsigned lanes;  // lanes of a warp
};
// Warps that are neighbours in x.
constexpr jam_axis warps_in_x(unsigned lanes) { return {1, lanes, lanes}; }
// Rows of the block that are neighbours in y.
constexpr jam_axis rows_in_y(unsigned lanes) { return {2, 1, lanes}; }

struct jam_form {
  bool is_possible;
  bool has_common_loop;  // several warps repeat a loop together; without such a loop they gain little
};

// The form in which warps can run `rows` together. `rows`: a row version for the axis' lanes (gang/build/version.hpp),
// as the widener leaves it.
jam_form form_of(const llvm::Function& rows, const jam_axis& axis, llvm::FunctionAnalysisManager& functions);

// The version for gangs of `width` threads, with the parameters of `rows`. Null if it has no such form, becomes too
// large, or keeps more in a loop than `registers` hold.
gang_function jam(const llvm::Function& rows, const jam_axis& axis, unsigned width, const loop_registers& registers,
                  llvm::FunctionAnalysisManager& functions);

}  // namespace cohort

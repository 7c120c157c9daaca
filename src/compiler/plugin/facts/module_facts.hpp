// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of the source as metadata of the module, so that opt runs a step on IR that has been printed or written by
// hand. A module without such metadata is a device pass with the default options.
//
//   !cohort.options = !{!{!"rdc", !"arch=90"}}        words (option_words.hpp); `host`: it is the host pass
//   !cohort.cpus = !{!{!"znver5", !"+avx,+avx2"}}     name, features
//   !cohort.kernels = !{!{!"_Z1kPi", !"k", !{...}, i32 1024, i32 0, i32 0, i32 0}}
//                     symbol, readable name, parameters; then, if given, __launch_bounds__ and __cluster_dims__
//     parameter: !{!"values", i64 8, i64 8, i64 0}    or "copy", "reference"; bytes, alignment, offsets
//   !cohort.variables = !{!{!"v", !"constant", !"visible"}}   `constant` and `visible` appear if true
//   !cohort.dynamic_shared = !{!{!"a", !"b"}}         and each other set of symbols in source_facts
#pragma once

#include "facts/source_facts.hpp"

namespace llvm {
class Module;
}

namespace cohort {

void write_facts(llvm::Module& module, const source_facts& facts);

// @pre The metadata has the form above; anything else ends the process with a message.
source_facts read_facts(const llvm::Module& module);

}  // namespace cohort

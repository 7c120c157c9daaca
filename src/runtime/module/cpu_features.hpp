// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace cohort::runtime {

// The features of a list in LLVM's spelling ("+avx2,+avx512f,-xop") that this machine's CPU lacks, for example
// "avx512f". Leaves out features that cannot be queried; each CPU with one of them has others of the list too.
std::string lacking_cpu_features(std::string_view list);

}  // namespace cohort::runtime

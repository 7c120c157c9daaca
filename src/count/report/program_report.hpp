// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches of the program and the accesses of its kernels, as one JSON text (docs/would-it-be-slow.md).
#pragma once

#include <cstdint>
#include <string>

#include "count/gather/site_totals.hpp"
#include "count/gather/tool_ports.hpp"

namespace cohort::count {

// Called from any thread.
void add_launch(tools::launch_view launch);
void add_totals(const cohort_kernel& kernel, const kernel_totals& totals);

// The report. `blocks_for_one`: one block of this number was counted.
std::string report_text(uint32_t blocks_for_one);

}  // namespace cohort::count

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/tools/view.hpp"

#include "engine/report/report.hpp"

namespace cohort::tools {

const void* grid_view::plain_kernel() const { return engine::plain_kernel(*grid_); }
std::string grid_view::kernel_title() const { return engine::kernel_title(*grid_); }

}  // namespace cohort::tools

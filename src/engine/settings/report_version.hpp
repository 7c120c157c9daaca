// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

// The version of docs/schemas/report.schema.json, of reports and of orders.
inline constexpr int report_version = 1;

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits that the launch, the engine, the runtime and the compiler share.
#pragma once

namespace cohort {

/// Devices of one process, and so grids of one launch over several devices. Tables that hold an entry for each device
/// have this size, and a set of devices is a 64-bit mask.
inline constexpr int max_devices = 64;

}  // namespace cohort

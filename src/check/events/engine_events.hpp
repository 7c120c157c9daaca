// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the synchronisations of the engine.
#pragma once

namespace cohort::check {

// Called once, before the first launch.
void follow_engine();

}  // namespace cohort::check

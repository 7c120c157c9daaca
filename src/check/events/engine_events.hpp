// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscribes to the engine's synchronisation events.
#pragma once

namespace cohort::check {

// Registers the listeners. Called once, before the first launch.
void follow_engine();

}  // namespace cohort::check

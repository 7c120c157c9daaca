// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measuring process. It reads commands from stdin and answers on the descriptor that was stdout:
//   row NAME   makes the row's sides; answers `sides N` and a line for each peer, empty or with the reason of its lack
//   run I      runs side I (0: ours) once unmeasured and once measured; answers `value X`
//   version    answers a line `peer NAME: VERSION` for each peer, then `end`
// It ends with stdin. A wrong result ends it with a message.
#pragma once

#include "suite.hpp"

namespace bench {

// Serves until stdin ends and returns the exit status.
int serve(const suite& rows);

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that only rare code of a gang uses.
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Moves the computation of a value into the rare sides of branches if only code there uses it, once for each side. A
// gather that a gang needs only where its index wraps around takes vectors of addresses. LLVM computes them before the
// branch, because several sides use them, and then keeps them on the stack. Runs last: LLVM would move the computations
// out of loops again. True if it changed the function.
bool sink_cold_values(llvm::Function& function);

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isspacep: whether a generic address lies in a state space. As for __isShared() and the like, all that is not the
// block's shared memory is global.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/StringSwitch.h"

namespace cohort {

bool ptx_lowering::lower_space_test(const ptx_statement& statement) {
  llvm::StringRef space = statement.opcode;
  const auto& operands = statement.operands;
  llvm::Value* place =
      space.consume_front("isspacep.") && operands.size() == 2 ? source(operands[1], 64, false) : nullptr;
  if (!place) {
    return false;
  }
  const bool is_shared = space == "shared" || space == "shared::cta" || space == "shared::cluster";
  if (!is_shared && space != "global") {
    const bool is_known = llvm::StringSwitch<bool>(space)
                              .Cases("const", "local", "param", "param::entry", "param::func", true)
                              .Default(false);
    return is_known && write(operands[0], builder_.getFalse(), false);
  }
  llvm::Value* inside =
      call("cohort_ptx_is_shared", builder_.getInt32Ty(), {builder_.CreateIntToPtr(place, builder_.getPtrTy())});
  auto* none = builder_.getInt32(0);
  return write(operands[0], is_shared ? builder_.CreateICmpNE(inside, none) : builder_.CreateICmpEQ(inside, none),
               false);
}

}  // namespace cohort

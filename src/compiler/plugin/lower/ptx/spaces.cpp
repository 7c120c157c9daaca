// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State spaces: isspacep, whether a generic address lies in one, and mapa and getctarank for the shared memory of other
// blocks. As for __isShared() and the like, all that is not the block's shared memory is global.
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

// mapa{.shared::cluster}.u64 d, a, rank; getctarank{.shared::cluster}.u64 d, a. In the shared window addresses may have
// 32 bits.
bool ptx_lowering::lower_cluster_address(const ptx_statement& statement) {
  llvm::StringRef width = statement.opcode;
  const auto& operands = statement.operands;
  const bool maps = width.consume_front("mapa.");
  if ((!maps && !width.consume_front("getctarank.")) || operands.size() != (maps ? 3 : 2)) {
    return false;
  }
  const bool is_short = width == "shared::cluster.u32";
  if (!is_short && width != "shared::cluster.u64" && width != "u64") {
    return false;
  }
  llvm::Value* place = source(operands[1], is_short ? 32 : 64, false);
  llvm::Value* rank = maps ? source(operands[2], 32, false) : nullptr;
  if (!place || (maps && !rank)) {
    return false;
  }
  if (!maps) {
    place = builder_.CreateZExt(place, builder_.getInt64Ty());
    return write(operands[0], call("cohort_ptx_cluster_owner", builder_.getInt32Ty(), {place}), false);
  }
  const char* map = is_short ? "cohort_ptx_cluster_map_short" : "cohort_ptx_cluster_map";
  return write(operands[0], call(map, place->getType(), {place, rank}), false);
}

}  // namespace cohort

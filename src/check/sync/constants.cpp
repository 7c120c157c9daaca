// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "constants.hpp"

#include "../memory/allocations.hpp"
#include "../order/accessor.hpp"
#include "../report/findings.hpp"
#include "../report/locations.hpp"
#include "../report/sync_findings.hpp"
#include "../report/variables.hpp"

namespace cohort::check {

void check_constant(const accessor& c, const access& now) {
  if (!checks_sync || is_allocated(now.address, now.length) || !is_constant(now.address, now.length)) return;
  sync_side writer = side_of(*c.block, c.thread, now.code());
  writer.access.flags = is_write;
  writer.access.bytes = static_cast<uint32_t>(now.length);
  add_constant_write(writer, reinterpret_cast<const void*>(now.address), describe_location, c.block->block);
}

}  // namespace cohort::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/constants.hpp"

#include "check/memory/allocations.hpp"
#include "check/order/accessor.hpp"
#include "check/report/findings.hpp"
#include "check/report/locations.hpp"
#include "check/report/sync_findings.hpp"
#include "check/report/variables.hpp"

namespace cohort::check {

void check_constant(const accessor& c, const access& now) {
  if (!checks_sync || is_allocated(now.address, now.length) || !is_constant(now.address, now.length)) return;
  sync_side writer = side_of(*c.block, c.thread, now.code());
  writer.access.flags = is_write;
  writer.access.bytes = static_cast<uint32_t>(now.length);
  add_constant_write(writer, reinterpret_cast<const void*>(now.address), describe_location, c.block->block);
}

}  // namespace cohort::check

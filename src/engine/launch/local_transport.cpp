// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/local_transport.hpp"

#include <cstring>

#include "engine/sync/event.hpp"

namespace cohort::engine {

void local_transport::raise_phase() {
  raise_event(multi_grid_synchronised{&session_});
  session_.all_blocks.open();
  session_.announce();
}

void local_transport::put(size_t offset, const void* from, size_t bytes) {
  std::memcpy(session_.scratch_start() + offset, from, bytes);
}

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inaccessible address space for reservations, with gaps between them: a kernel that overruns one reaches neither the
// host's data nor the engine's.
#pragma once

#include <cstddef>

#include "runtime/ipc/free_ranges.hpp"

namespace cohort::runtime {

class reserved_addresses {
 public:
  // Takes `bytes` of inaccessible addresses, at `hint` if that is not null and nothing lies there. Null if the system
  // has no address space left. pre: `bytes` is a positive multiple of the page size, `alignment` a power of two
  char* take(size_t bytes, size_t alignment, char* hint);
  // Makes the addresses free for later reservations. They stay inaccessible and are not returned to the system. pre:
  // nothing is mapped there
  void give_back(char* first, size_t bytes);

 private:
  char* take_hint(size_t bytes, size_t alignment, char* hint);
  bool obtain(size_t needed);

  free_ranges free_;
};

}  // namespace cohort::runtime

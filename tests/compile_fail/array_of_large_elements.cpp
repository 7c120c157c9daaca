// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: collectives of arrays: an element has more than 1024 bytes
#include <cohort/cohort.hpp>

struct element {
#if WRONG
  char bytes[1025];
#else
  char bytes[1024];
#endif
};

void kernel(element* to, const element* from) { cohort::all_gather(cohort::this_world(), to, from, 5); }

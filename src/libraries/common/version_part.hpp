// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a library's version by their names.
#pragma once

#include <library_types.h>

namespace cohort::libraries {

// `parts`: major, minor and patch. False for a type that is not one of them.
inline bool read_version_part(const int (&parts)[3], libraryPropertyType type, int* value) {
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return false;
  *value = parts[type];
  return true;
}

}  // namespace cohort::libraries

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a library's version by their names.
#pragma once

#include <library_types.h>

namespace cohort::libraries {

// Writes the part of a library's version that `type` names. `parts`: major, minor and patch. False for any other type.
inline bool read_version_part(const int (&parts)[3], libraryPropertyType type, int* value) {
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return false;
  *value = parts[type];
  return true;
}

}  // namespace cohort::libraries

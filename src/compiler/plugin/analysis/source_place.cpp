// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/source_place.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace cohort {

const llvm::DILocation* place_in_source(const llvm::DebugLoc& location) {
  const llvm::DILocation* place = location.get();
  // A function that the plugin makes around a kernel is artificial and has no lines of its own.
  while (place && place->getInlinedAt() && !place->getInlinedAt()->getScope()->getSubprogram()->isArtificial()) {
    place = place->getInlinedAt();
  }
  return place;
}

bool is_in_headers(const llvm::DILocation& place) {
  const std::string path = "/" + place.getDirectory().str() + "/" + place.getFilename().str();
  const auto is_in = [&](const char* folder) { return path.find(folder) != std::string::npos; };
  return is_in("/include/cohort/") || is_in("/include/compat/") || is_in("/include/cudart/") ||
         is_in("/cohort/cudart/");
}

std::string source_place(const llvm::DebugLoc& location) {
  const llvm::DILocation* place = place_in_source(location);
  return place ? " (" + place->getFilename().str() + ":" + std::to_string(place->getLine()) + ")" : "";
}

llvm::DebugLoc start_of(const llvm::Function& function) {
  llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram ? llvm::DebugLoc(llvm::DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram))
                    : llvm::DebugLoc();
}

}  // namespace cohort

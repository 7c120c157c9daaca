// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the shared variables of blocks in clusters. Programs use only the lower 32 bits of an address in another
// block, so all of it lies within 2 GiB.
#pragma once

#include <cstddef>

namespace cohort::engine {

/// Returns pages of zeros. They lie elsewhere, perhaps far away, if the 2 GiB are in use or cannot be reserved. Throws
/// std::bad_alloc if there is no memory.
char* take_cluster_arena(size_t bytes);

/// Gives back what take_cluster_arena(bytes) has returned.
void give_cluster_arena(char* memory, size_t bytes);

}  // namespace cohort::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Replaces masked loads and stores of shared memory by plain ones where the CPU has no mask registers: without these,
// masked instructions cost more than ten others (AVX2), or are a branch for each lane. A store keeps what it finds in
// the inactive lanes: no other worker accesses that memory, and it has a margin (cohort_shared_margin). Comes after
// gang/jam, which moves the accesses of several warps between each other.
void unmask_shared_accesses(llvm::Function& function);

}  // namespace cohort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace cohort {

// Spares masked instructions where the CPU has no mask registers: a masked store of AVX2 costs more than ten others,
// and on other CPUs masked accesses are a branch for each lane. Comes after gang/jam, which moves the accesses of
// several warps between each other. Returns true if `function` has changed.
// - Loads and stores of shared memory become plain ones. A store keeps what it finds in the inactive lanes: no other
//   worker accesses that memory, and it has a margin (cohort_shared_margin).
// - Other stores are plain ones where all lanes are active, which the code tests.
bool replace_masked_accesses(llvm::Function& function);

}  // namespace cohort

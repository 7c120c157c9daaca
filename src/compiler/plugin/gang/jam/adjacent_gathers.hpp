// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of several rows that read adjacent words, as those of a transposition through shared memory: each lane loads
// the words of four rows at once, and shuffles turn four words of each lane into a vector of each row. A gather loads
// every lane's word by itself.
#pragma once

namespace llvm {
class Function;
}

namespace cohort {

// Replaces such gathers of 32-bit words in which all lanes take part. No other bytes are read.
void join_adjacent_gathers(llvm::Function& function);

}  // namespace cohort

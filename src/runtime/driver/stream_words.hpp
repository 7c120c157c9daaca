// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of waits for words of memory and writes of words, for streams and for nodes of graphs.
#pragma once

#include <memory>

#include "runtime/memory/copy/word_operation.hpp"

namespace cohort::runtime {

// Makes the operation of a batch. cudaErrorInvalidValue for an empty or too long batch and for wrong flags,
// cudaErrorNotSupported for a flush of remote writes.
cudaError_t make_words(const CUstreamBatchMemOpParams* list, unsigned count, unsigned flags,
                       std::shared_ptr<word_operation>* made);

}  // namespace cohort::runtime

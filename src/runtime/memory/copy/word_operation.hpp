// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of streams for words of memory, and writes of words by streams.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cuda.h"
#include "runtime/schedule/time_limit.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

enum class word_action : uint8_t {
  write,
  wait_greater_or_equal,  // the signed difference of the word and the value is not negative
  wait_equal,
  wait_and,  // the word and the value have a common bit
  wait_nor,  // a bit is clear in both the word and the value
  barrier,   // all memory is ordered between steps: nothing to do
};

struct word_step {
  word_action action;
  void* address = nullptr;
  bool is_wide = false;  // the word has 64 bits; otherwise 32
  uint64_t value = 0;
};

// Performs its steps one after another. A wait polls its word until a kernel, a copy, a host thread or another stream
// has changed it. COHORT_LAUNCH_LIMIT ends a wait with a report and cudaErrorLaunchTimeout, and
// so does COHORT_TIMEOUT where only waits hold up the end of the program or the reset of a device.
class word_operation : public operation, public std::enable_shared_from_this<word_operation> {
 public:
  // Makes an operation of the steps. `parameters`: the steps as the program has given them, which the node of a graph
  // returns.
  word_operation(std::vector<word_step> steps, std::vector<CUstreamBatchMemOpParams> parameters)
      : operation(operation_kind::work), steps_(std::move(steps)), parameters_(std::move(parameters)) {}
  operation_label label() const override { return {"wait", "words of memory"}; }
  operation_ref again() const override { return std::make_shared<word_operation>(steps_, parameters_); }
  const std::vector<CUstreamBatchMemOpParams>& parameters() const { return parameters_; }
  // cudaErrorInvalidValue for a word that is not aligned, or that lies in no memory of the runtime.
  cudaError_t check_words() const;

 protected:
  cudaError_t execute() override;

 private:
  cudaError_t wait(const word_step& step);
  bool is_over_limit(const word_step& step, time_limit& time);

  const std::vector<word_step> steps_;
  const std::vector<CUstreamBatchMemOpParams> parameters_;
};

// Appends the operation to a stream, unless check_words() returns an error.
cudaError_t submit_words(cudaStream_t stream, const std::shared_ptr<word_operation>& words);

}  // namespace cohort::runtime

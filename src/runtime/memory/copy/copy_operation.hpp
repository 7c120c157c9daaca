// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy and a fill, as operations of a stream or a graph.
#pragma once

#include <memory>

#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

inline uint64_t bytes_of(const box& b) { return uint64_t{b.width} * b.height * b.depth; }

class copy_operation : public operation {
 public:
  explicit copy_operation(const copy_request& request, bool is_repeated = false)
      : operation(operation_kind::work), request_(request), is_repeated_(is_repeated) {}
  const copy_request& request() const { return request_; }
  // Copies the source to a buffer. The caller may then change the source.
  void stage();
  bool is_staged() const { return staged_ != nullptr; }
  operation_label label() const override { return {"copy", "copy", bytes_of(request_.extent)}; }
  // Returns a copy operation with the same request. pre: stage() was not called
  operation_ref again() const override { return std::make_shared<copy_operation>(request_, true); }

 protected:
  cudaError_t execute() override;

 private:
  copy_request request_;
  const bool is_repeated_;  // a launch of a graph repeats the copy: the memory may have been freed since the request
  std::unique_ptr<char[]> staged_;
};

class fill_operation : public operation {
 public:
  explicit fill_operation(const fill_request& request, bool is_repeated = false)
      : operation(operation_kind::work), request_(request), is_repeated_(is_repeated) {}
  const fill_request& request() const { return request_; }
  operation_label label() const override { return {"copy", "fill", bytes_of(request_.extent)}; }
  operation_ref again() const override { return std::make_shared<fill_operation>(request_, true); }

 protected:
  cudaError_t execute() override;

 private:
  void fill_row(char* row, size_t bytes) const;
  fill_request request_;
  const bool is_repeated_;  // a launch of a graph repeats the fill: the memory may have been freed since the request
};

}  // namespace cohort::runtime

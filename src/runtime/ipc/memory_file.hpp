// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory of a fixed size. Ranges are taken from it and given back; only written pages use memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/ipc/free_ranges.hpp"
#include "runtime/ipc/process.hpp"

namespace cohort::runtime {

class memory_file {
 public:
  // Creates a file of `header_bytes`, which take() never returns, followed by `bytes`. Null if the system refuses it.
  static std::shared_ptr<memory_file> make(size_t header_bytes, size_t bytes);
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  // Takes an unused range of `bytes` zeros and returns its offset; nothing if there is no room. A forked child takes
  // nothing, because its parent takes ranges of the same file.
  std::optional<uint64_t> take(size_t bytes);
  // Gives the range's memory back to the system. Has no effect in a forked child.
  void give_back(uint64_t offset, size_t bytes);

  int descriptor() const { return descriptor_; }
  // True in the process that made the file.
  bool is_own() const { return maker_ == this_process(); }

 private:
  explicit memory_file(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
  const process_id maker_ = this_process();
  std::mutex mutex_;
  free_ranges free_;
};

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory of a fixed size. Ranges of it are taken and given back, and only written pages use memory.
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
  // A file of `header_bytes` that are never taken and `bytes` behind them. Null if the system refuses it.
  static std::shared_ptr<memory_file> make(size_t header_bytes, size_t bytes);
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  // The offset of `bytes` zeros that nothing else uses; nothing if there is no room. A forked child takes nothing,
  // because its parent takes ranges of the same file.
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

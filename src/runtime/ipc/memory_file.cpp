// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/memory_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

std::shared_ptr<memory_file> memory_file::make(size_t header_bytes, size_t bytes) {
  const int descriptor = make_shared_file(header_bytes + bytes);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<memory_file> made(new memory_file(descriptor));
  made->free_.add(header_bytes, bytes);
  return made;
}

memory_file::~memory_file() { close(descriptor_); }

std::optional<uint64_t> memory_file::take(size_t bytes) {
  if (!is_own()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return free_.take(bytes, 1);
}

void memory_file::give_back(uint64_t offset, size_t bytes) {
  if (!is_own()) return;
  const std::lock_guard lock(mutex_);
  // A range whose pages cannot be dropped is never reused: its next owner would read old bytes.
  const bool dropped = fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                                 static_cast<off_t>(bytes)) == 0;
  if (dropped) free_.add(offset, bytes);
}

}  // namespace cohort::runtime

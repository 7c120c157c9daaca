// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guard/shared_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

namespace {

bool write_all(int file, const char* from, size_t bytes, size_t offset) {
  while (bytes > 0) {
    const ssize_t written = pwrite(file, from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    offset += static_cast<size_t>(written);
    bytes -= static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

int move_to_file(char* first, size_t bytes, size_t header_bytes) {
  const int file = make_shared_file(header_bytes + bytes);
  if (file < 0) return -1;
  if (write_all(file, first, bytes, header_bytes) && map_file(first, bytes, file, header_bytes)) return file;
  close(file);
  return -1;
}

bool copy_from_file(char* first, size_t bytes) {
  void* const copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, first, bytes);
  if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, first) != MAP_FAILED) return true;
  munmap(copy, bytes);
  return false;
}

bool map_file(char* first, size_t bytes, int file, uint64_t offset) {
  return mmap(first, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(offset)) !=
         MAP_FAILED;
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/descriptor_header.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cohort::runtime {

bool write_header(int file, const descriptor_header& header) {
  return pwrite(file, &header, sizeof header, 0) == sizeof header;
}

bool read_header(int file, ipc_kind kind, descriptor_header* header) {
  // Only files in memory have seals, so no read of a device or a pipe follows.
  if (fcntl(file, F_GET_SEALS) != (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) return false;
  if ((fcntl(file, F_GETFL) & O_ACCMODE) != O_RDWR) return false;
  struct stat state{};
  if (fstat(file, &state) != 0 || pread(file, header, sizeof *header, 0) != sizeof *header) return false;
  const ipc_entry& contents = header->contents;
  const auto size = static_cast<uint64_t>(state.st_size);
  return header->kind == kind && header->unused == 0 && !contents.key.empty() && contents.bytes > 0 &&
         contents.offset >= sizeof *header && contents.offset <= size && contents.bytes <= size - contents.offset;
}

int duplicate_descriptor(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 0); }

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace cohort::runtime {

namespace {

constexpr char file_name[] = "cohort-ipc";
constexpr std::string_view link_text = "/memfd:cohort-ipc (deleted)";

}  // namespace

ipc_key random_key() {
  ipc_key key;
  if (getrandom(key.words, sizeof key.words, 0) != sizeof key.words) {
    throw std::system_error(errno, std::generic_category());
  }
  key.words[0] |= 1;  // a key is never empty
  return key;
}

int make_shared_file(size_t bytes) {
  // Beyond this limit (ulimit -f), ftruncate() would end the process with SIGXFSZ.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur) return -1;
  const int file = memfd_create(file_name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  // A file that shrinks would end the processes that access it with SIGBUS.
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0 && fchmod(file, S_IRUSR | S_IWUSR) == 0 &&
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    return file;
  }
  close(file);
  return -1;
}

int open_shared_file(const ipc_handle& handle) {
  if (!is_alive(handle.owner()) || handle.entry.key.empty() || handle.unused != 0) return -1;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process_number, handle.file);
  // Compares the name first: the descriptor may belong to any file now, and opening a device or a pipe could have
  // effects.
  char target[64];
  const ssize_t length = readlink(path, target, sizeof target);
  if (length < 0 || std::string_view(target, static_cast<size_t>(length)) != link_text) return -1;
  const int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -1;
  ipc_entry found;
  if (read_entry(file, handle.entry_place, &found) && found == handle.entry) return file;
  close(file);
  return -1;
}

bool read_entry(int file, uint64_t place, ipc_entry* entry) {
  return pread(file, entry, sizeof *entry, static_cast<off_t>(place)) == sizeof *entry;
}

bool write_entry(int file, uint64_t place, const ipc_entry& entry) {
  return pwrite(file, &entry, sizeof entry, static_cast<off_t>(place)) == sizeof entry;
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The board of a world: memory that its processes on one host share, in which each publishes its steps. It needs no GPU
// and no network, so it reports even the failure of a process whose GPU has stopped working.
//
// Each process holds a lock on a byte of the board's file. The system releases it however the process ends, and the
// others test the lock.
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "../../../base/world_step.hpp"

namespace cohort {
namespace detail {

// Identifies where a process uses a board: the running system and its /dev/shm, which a container may have for itself.
// Processes of one world must be in one place.
struct host_place {
  static constexpr const char* rule =
      "a world of GPUs needs all processes on one host, with one /dev/shm, because its barriers and puts are loads and "
      "stores between GPUs: start them on one host, or compile the program for CPUs, whose worlds span hosts";

  char boot[40] = {};
  uint64_t shared_memory = 0;
  char name[64] = {};

  static host_place here() {
    host_place mine;
    if (::FILE* const file = ::fopen("/proc/sys/kernel/random/boot_id", "r")) {
      if (::fread(mine.boot, 1, sizeof mine.boot - 4, file) == 0) mine.boot[0] = 0;
      ::fclose(file);
    }
    struct stat found = {};
    if (::stat("/dev/shm", &found) == 0) mine.shared_memory = static_cast<uint64_t>(found.st_dev);
    if (::gethostname(mine.name, sizeof mine.name - 1) != 0) mine.name[0] = 0;
    return mine;
  }
  bool operator==(const host_place& other) const {
    return ::memcmp(boot, other.boot, sizeof boot) == 0 && shared_memory == other.shared_memory;
  }
  std::string describe() const { return std::string("host ") + (name[0] != 0 ? name : "without a name"); }
};

struct board_record {
  world_step step;
  uint64_t value;  // see world_step
};

class host_board {
 public:
  host_board() = default;
  host_board(const host_board&) = delete;
  host_board& operator=(const host_board&) = delete;
  ~host_board() {
    if (entries_ != nullptr) munmap(entries_, bytes());
    if (file_ >= 0) ::close(file_);
  }

  // Opens the board `number`, which the first process makes. Returns false if the system refuses.
  bool open(uint64_t number, uint32_t process, uint32_t processes) {
    process_ = process;
    processes_ = processes;
    ::snprintf(name_, sizeof name_, "/dev/shm/cohort-world-%016llx", static_cast<unsigned long long>(number));
    file_ = ::open(name_, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes())) != 0) return false;
    struct flock mine = lock_of(process);
    if (fcntl(file_, F_SETLK, &mine) != 0) return false;
    void* const memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) return false;
    entries_ = static_cast<entry*>(memory);
    return true;
  }
  // Removes the board's name, once all processes have opened it.
  void remove_name() const { ::unlink(name_); }

  // Begins an exchange: publishes this process's record. It stays readable until the exchange after the next one.
  void begin(const board_record& mine) {
    ++exchanges_;
    entries_[process_].records[exchanges_ % 2] = mine;
    __atomic_store_n(&entries_[process_].exchanges, exchanges_, __ATOMIC_RELEASE);
  }
  // Whether a process has begun the exchange that this process has begun last. If so, record_of() can read its record.
  bool has_begun(uint32_t process) const {
    return __atomic_load_n(&entries_[process].exchanges, __ATOMIC_ACQUIRE) >= exchanges_;
  }
  board_record record_of(uint32_t process) const { return entries_[process].records[exchanges_ % 2]; }

  // Publishes the end of this process's grid in a launch, with its error.
  void publish_end(uint32_t launch, int error) {
    entries_[process_].error = error;
    __atomic_store_n(&entries_[process_].ended_launch, launch, __ATOMIC_RELEASE);
  }
  bool has_returned(uint32_t process, uint32_t launch) const {
    return __atomic_load_n(&entries_[process].ended_launch, __ATOMIC_ACQUIRE) == launch;
  }
  bool has_failed(uint32_t process, uint32_t launch) const {
    return has_returned(process, launch) && entries_[process].error != 0;
  }

  // Publishes that this process can no longer use the world.
  void give_up() { __atomic_store_n(&entries_[process_].gave_up, 1, __ATOMIC_RELEASE); }
  bool gave_up(uint32_t process) const { return __atomic_load_n(&entries_[process].gave_up, __ATOMIC_ACQUIRE) != 0; }

  // Whether a process has opened the board and ended since then. A system call.
  bool has_ended(uint32_t process) const {
    if (process == process_ || __atomic_load_n(&entries_[process].exchanges, __ATOMIC_ACQUIRE) == 0) return false;
    struct flock found = lock_of(process);
    return fcntl(file_, F_GETLK, &found) == 0 && found.l_type == F_UNLCK;
  }

 private:
  struct alignas(128) entry {
    uint64_t exchanges;  // number of exchanges that the process has begun
    board_record records[2];
    uint32_t ended_launch;  // the latest launch whose grid has ended on the process's GPU
    int error;              // error of that grid
    int gave_up;
  };

  static struct flock lock_of(uint32_t process) {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(process);
    lock.l_len = 1;
    return lock;
  }
  size_t bytes() const { return processes_ * sizeof(entry); }

  int file_ = -1;
  entry* entries_ = nullptr;
  uint32_t process_ = 0, processes_ = 0;
  uint64_t exchanges_ = 0;
  char name_[64] = {};
};

}  // namespace detail
}  // namespace cohort

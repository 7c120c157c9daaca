// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects the processes of one host over a file, without MPI: process 0 writes NCCL's id into it, the others read it.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <string>

#include "../../../base/cuda_error.hpp"
#include "../../../base/limits.hpp"
#include "process_world.hpp"

namespace cohort {
namespace detail {

// The path of the file. The process that made the file removes it.
struct id_file {
  std::string path;

  static void remove(void* state) { ::unlink(static_cast<id_file*>(state)->path.c_str()); }
  static void close(void* state) { delete static_cast<id_file*>(state); }
};

// The contents of the file.
struct id_record {
  ncclUniqueId id;
  host_place place;  // place of rank 0
};

// Writes the file under another name first, so readers never read a part of it.
inline bool write_id(const std::string& path, const id_record& record) {
  const std::string part = path + ".part";
  ::FILE* const file = ::fopen(part.c_str(), "wb");
  if (file == nullptr) return false;
  const bool is_written = ::fwrite(&record, sizeof record, 1, file) == 1;
  return ::fclose(file) == 0 && is_written && ::rename(part.c_str(), path.c_str()) == 0;
}

inline bool read_id(const std::string& path, double limit_seconds, id_record* record) {
  patient_wait wait(limit_seconds);
  for (;;) {
    if (::FILE* const file = ::fopen(path.c_str(), "rb")) {
      const bool is_read = ::fread(record, sizeof *record, 1, file) == 1;
      ::fclose(file);
      return is_read;
    }
    wait.pause();
    if (wait.is_over()) return false;
  }
}

// Connects process `process` of `processes`. Returns an error number.
inline int connect_over_file(const char* path, uint32_t process, uint32_t processes, gpu_network* network) {
  *network = {};
  network->process = process;
  network->processes = processes;
  id_record record{};
  record.place = host_place::here();
  const host_place here = record.place;
  if (process == 0) {
    if (ncclGetUniqueId(&record.id) != ncclSuccess || !write_id(path, record)) {
      print_world_report(std::string("rank 0 cannot write the id of the world to ") + path);
      return error_operating_system;
    }
    network->connected = id_file::remove;
  } else if (!read_id(path, read_timeout(), &record)) {
    print_world_report("rank " + std::to_string(process) + " found no id of a world in " + path +
                       " within COHORT_TIMEOUT seconds: rank 0 writes it");
    return error_operating_system;
  } else if (!(record.place == here)) {
    print_world_report("rank " + std::to_string(process) + " runs on " + here.describe() + ", but rank 0 on " +
                       record.place.describe() + ", or in another container; " + host_place::rule);
    return error_not_supported;
  }
  network->id = record.id;
  network->state = new id_file{path};
  network->close = id_file::close;
  return error_none;
}

// Connects the processes that COHORT_WORLD_FILE, COHORT_WORLD_RANK and COHORT_WORLD_SIZE describe. `made` stays false
// without the first variable, and in a world of one process.
inline int open_file_network(gpu_network* network, bool* made) {
  *made = false;
  const char* const path = environment_variable("COHORT_WORLD_FILE");
  if (path == nullptr) {
    if (launched_processes() <= 1) return error_none;
    print_world_report(std::to_string(launched_processes()) +
                       " processes were started together, but the program has no network: include "
                       "<cohort/world_mpi.hpp> and link cohort::mpi, or set COHORT_WORLD_FILE");
    return error_not_supported;
  }
  const long rank = environment_number("COHORT_WORLD_RANK", -1), size = environment_number("COHORT_WORLD_SIZE", -1);
  if (size < 1 || size > max_devices || rank < 0 || rank >= size) {
    print_world_report(
        "COHORT_WORLD_FILE needs COHORT_WORLD_SIZE, 1 to 64, and COHORT_WORLD_RANK, 0 to the size less 1");
    return error_invalid_value;
  }
  if (size == 1) return error_none;
  *made = true;
  return connect_over_file(path, static_cast<uint32_t>(rank), static_cast<uint32_t>(size), network);
}

}  // namespace detail
}  // namespace cohort

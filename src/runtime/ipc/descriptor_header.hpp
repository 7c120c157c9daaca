// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first bytes of a file whose descriptor a program passes to other processes: they tell what the file holds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/ipc/shared_file.hpp"

namespace cohort::runtime {

struct descriptor_header {
  ipc_kind kind{};
  int32_t device = 0;          // in the process that made the file
  int32_t process_number = 0;  // that made the file
  uint32_t unused = 0;
  ipc_entry contents;  // the range behind all headers
};

bool write_header(int file, const descriptor_header& header);
// Reads the header of any descriptor that another program has passed. False if it is no open file of this kind, if it
// cannot be written, or if the file does not hold its contents or could lose them.
bool read_header(int file, ipc_kind kind, descriptor_header* header);

// A new descriptor of the same file; -1 if the system refuses it.
int duplicate_descriptor(int file);

}  // namespace cohort::runtime

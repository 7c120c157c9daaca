// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of the heap that lie in a file, so that other processes can map them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cohort::runtime {

// Moves the contents of whole pages to a new file, after `header_bytes` of zeros, and maps the file at their address.
// Returns the file, or -1 if the system refuses it, which leaves the pages unchanged. pre: nothing writes the pages
int move_to_file(char* first, size_t bytes, size_t header_bytes);

// Gives the process a private copy of pages that lie in a file. False if the system refuses it.
bool copy_from_file(char* first, size_t bytes);

// Maps pages of a file at `first`. False if the system refuses it.
bool map_file(char* first, size_t bytes, int file, uint64_t offset);

}  // namespace cohort::runtime

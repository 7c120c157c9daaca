// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race as text and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "check/memory/record.hpp"
#include "check/order/operations.hpp"

namespace cohort::check {

// One side of a race.
struct racing_access {
  uint8_t flags = 0;
  uint32_t bytes = 0;
  const void* code = nullptr;
  operation_facts by;
  uint32_t block = 0;   // rank in the grid
  uint32_t thread = 0;  // the first thread's rank in its block
  uint8_t extent = 0;   // 0: one thread; else several threads of a group of this extent
  std::string place;
  std::string submission = {};  // where the host submitted the operation; empty: the same launch, or unknown

  // True for a copy, a fill or a free, whose `code` is a call_site.
  bool is_call() const {
    return by.sort == operation_sort::copy || by.sort == operation_sort::fill || by.sort == operation_sort::release ||
           by.sort == operation_sort::library;
  }
};

struct finding {
  uint64_t count = 0;
  uint32_t operations[2] = {};  // the numbers of the operations that made the accesses
  racing_access first, second;
  bool same_launch = true;
  std::string location;

  // True if at least one pair of the finding lies in one launch, or in two.
  bool in_launch = false, across_launches = false;
  bool scopes = false;  // in all pairs both accesses are atomic, and the scope of one is too small
  bool copies = false;  // one access is part of an asynchronous copy
  bool plain_updates = false, two_writes = false, one_write = false;
  uint8_t common = 0;  // extent of the smallest group with both threads; the largest over all pairs

  // Adds the pairs of another finding with the same lines.
  void cover(const finding& other);
};

// For example "kernel k <<<(1, 1, 1), (32, 1, 1)>>>" or "a copy".
std::string title_of(const racing_access& a);
// For example "  write of 4 bytes by thread (0, 0, 0) of block (0, 0, 0), at file.cu:3 (k)", and the end of the line.
std::string line_of(const racing_access& a, bool names_kernel);
// For example "thread (0, 0, 0) of block (0, 0, 0)" or "the host".
std::string threads_of(const racing_access& a);
std::string times(uint64_t count);  // "1 time"
std::string json_of(const racing_access& a, bool names_kernel);
// The shape of the access's launch, as further members of a JSON object; empty if the access is in no launch.
std::string json_shape(const racing_access& a);

std::string text_of(const finding& race);
std::string json_of(const finding& race);  // one line

}  // namespace cohort::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's advice for ranges of managed memory. Advice has no effect on a CPU: programs read it back.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct range_advice {
  bool read_mostly = false;
  cudaMemLocation preferred{};      // type 0: none
  cudaMemLocation last_prefetch{};  // type 0: none
  std::set<int> accessed_by;        // devices, cudaCpuDeviceId for the host
};

class managed_ranges {
 public:
  // The only table. Never destroyed.
  static managed_ranges& instance();

  // Calls `change(range_advice&)` for all parts of a range.
  template <class Change>
  void update(const void* first, size_t bytes, Change&& change) {
    const std::lock_guard lock(mutex_);
    const char* const begin = static_cast<const char*>(first);
    const char* const end = begin + bytes;
    split(begin);
    split(end);
    for (const char* at = begin; at < end;) {
      const auto part = parts_.lower_bound(at);
      if (part == parts_.end() || part->first != at) {
        const char* const next = part == parts_.end() || part->first > end ? end : part->first;
        parts_[at] = {next, {}};
        continue;
      }
      change(part->second.advice);
      at = part->second.end;
    }
  }
  // The advice for each part of a range; a part without any has the defaults.
  std::vector<range_advice> find(const void* first, size_t bytes);
  // Removes the advice for memory that is new.
  void clear(const void* first, size_t bytes);

 private:
  struct part {
    const char* end;
    range_advice advice;
  };
  // Makes a part begin at `at`, if it lies inside one.
  void split(const char* at);

  std::mutex mutex_;
  std::map<const char*, part> parts_;
};

}  // namespace cohort::runtime

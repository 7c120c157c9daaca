// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of addresses with false positives: one bit for each hash. Most lookups are of absent addresses and need no
// lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cohort::check {

class address_filter {
 public:
  void add(uintptr_t address) {
    const size_t hash = hash_of(address);
    words_[hash / 64].fetch_or(uint64_t{1} << hash % 64, std::memory_order_release);
  }
  bool may_contain(uintptr_t address) const {
    const size_t hash = hash_of(address);
    return words_[hash / 64].load(std::memory_order_acquire) >> hash % 64 & 1;
  }

 private:
  static size_t hash_of(uintptr_t address) { return (address >> 2) * 0x9e3779b97f4a7c15u >> 48; }

  std::atomic<uint64_t> words_[1024]{};
};

}  // namespace cohort::check

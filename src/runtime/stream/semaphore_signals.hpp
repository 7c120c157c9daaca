// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signals of external semaphores that this process has executed, while a listener follows the program. A wait is
// ordered after the signals that it found, as an acquire after releases.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

// The scheduler's lock guards all members.
class semaphore_signals {
 public:
  // The signals of the semaphore that the file is. All imports of one semaphore share them. Null without a listener.
  static std::shared_ptr<semaphore_signals> of_file(int file, bool has_number);

  // Notes a signal that `by` is about to execute. `value`: for a timeline semaphore.
  void add(uint64_t value, operation& by);
  // Orders `op` after the first signal of a timeline semaphore that lets a wait for the value end. `number`: what the
  // wait has found. If no signal of this process has stored it, the host or another process has.
  void order_after_value(operation& op, uint64_t value, uint64_t number) const;
  // Orders `op` after the oldest signals of a binary semaphore, and removes them: the wait has consumed `count`.
  void order_after_consumed(operation& op, uint64_t count);

 private:
  explicit semaphore_signals(bool has_number) : has_number_(has_number) {}

  const bool has_number_;
  std::map<uint64_t, operation_ref> by_value_;
  std::deque<operation_ref> pending_;  // signals of a binary semaphore that no wait of this process has consumed
};

}  // namespace cohort::runtime

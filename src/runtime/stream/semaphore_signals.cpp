// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream/semaphore_signals.hpp"

#include <sys/stat.h>

#include <fstream>
#include <string>
#include <unordered_map>

#include "runtime/schedule/operation_edges.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

// A semaphore that only other processes wait for keeps no more signals than these.
constexpr size_t most_signals = 1024;

// Names the semaphore of a descriptor. All eventfds share one inode, but each has a number of its own. Empty: unknown.
std::string key_of_file(int file, bool has_number) {
  if (has_number) {
    struct stat state{};
    if (fstat(file, &state) != 0) return {};
    return std::to_string(state.st_dev) + ":" + std::to_string(state.st_ino);
  }
  std::ifstream facts("/proc/self/fdinfo/" + std::to_string(file));
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("eventfd-id:")) return line;
  }
  return {};
}

// A mark after all signals of this process.
operation& all_signals() {
  static operation* const mark = new operation(operation_kind::mark);
  return *mark;
}

// Orders `op` after a signal of the host or of another process. That signal may follow anything that this process has
// signaled before, and anything that the host has done.
void order_after_others(operation& op) {
  order_late(op, all_signals());
  order_after_host(op);
}

}  // namespace

std::shared_ptr<semaphore_signals> semaphore_signals::of_file(int file, bool has_number) {
  static auto* const all = new std::unordered_map<std::string, std::weak_ptr<semaphore_signals>>;
  if (!installed_operation_listener) return nullptr;
  const std::string key = key_of_file(file, has_number);
  const auto held = scheduler::instance().lock();
  std::erase_if(*all, [](const auto& each) { return each.second.expired(); });
  if (const auto known = all->find(key); known != all->end()) return known->second.lock();
  const std::shared_ptr<semaphore_signals> made(new semaphore_signals(has_number));
  if (!key.empty()) all->emplace(key, made);
  return made;
}

void semaphore_signals::add(uint64_t value, operation& by) {
  installed_operation_listener->ordered(all_signals(), by);
  // A mark stands for the operation, which holds the semaphore, which holds these signals.
  const auto signal = std::make_shared<operation>(operation_kind::mark);
  installed_operation_listener->ordered(*signal, by);
  if (has_number_) {
    by_value_.erase(by_value_.upper_bound(value),
                    by_value_.end());  // a smaller value than before: the program counts anew
    by_value_[value] = signal;
    if (by_value_.size() > most_signals) by_value_.erase(by_value_.begin());
  } else {
    if (pending_.size() == most_signals) pending_.clear();
    pending_.push_back(signal);
  }
}

void semaphore_signals::order_after_value(operation& op, uint64_t value, uint64_t number) const {
  const auto first = by_value_.lower_bound(value);
  if (!by_value_.contains(number) || first == by_value_.end()) return order_after_others(op);
  order_late(op, *first->second);
}

void semaphore_signals::order_after_consumed(operation& op, uint64_t count) {
  for (; count > 0 && !pending_.empty(); --count) {
    order_late(op, *pending_.front());
    pending_.pop_front();
  }
  if (count > 0) order_after_others(op);
}

}  // namespace cohort::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

#include <cohort/base/cpu_pause.hpp>

namespace cohort::engine {

// Admits workers to a pool's launch. The launching thread closes the gate once no block is left, and waits only for the
// workers inside. A worker that wakes up later finds the gate closed, or open for another launch, and touches nothing
// of the launch that it was woken for.
class gate {
 public:
  // Opens the gate for a new launch and returns its number. pre: closed, and no worker is inside
  uint32_t open() {
    const uint64_t number = (state_.load(std::memory_order_relaxed) >> number_shift) + 1;
    state_.store(number << number_shift | open_bit, std::memory_order_release);
    return static_cast<uint32_t>(number);
  }

  // Enters if launch `number` still runs; a worker that entered must leave. False if the launch has ended.
  bool enter(uint32_t number) {
    uint64_t state = state_.load(std::memory_order_relaxed);
    while ((state & ~inside_bits) == (uint64_t{number} << number_shift | open_bit)) {
      if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  void leave() {
    const uint64_t before = state_.fetch_sub(1, std::memory_order_release);
    if ((before & ~number_bits) == 1) state_.notify_one();  // the gate is closed, and this was the last one inside
  }

  // Lets no further worker enter, and returns when the workers inside have left.
  void close() {
    uint64_t state = state_.fetch_and(~open_bit, std::memory_order_acquire) & ~open_bit;
    for (int poll = 0; poll < spin_limit && (state & inside_bits); ++poll) {
      detail::cpu_pause();
      state = state_.load(std::memory_order_acquire);
    }
    while (state & inside_bits) {
      state_.wait(state, std::memory_order_acquire);
      state = state_.load(std::memory_order_acquire);
    }
  }

 private:
  static constexpr int spin_limit = 20000;
  static constexpr int number_shift = 32;
  static constexpr uint64_t number_bits = ~uint64_t{0} << number_shift;
  static constexpr uint64_t open_bit = uint64_t{1} << 31;
  static constexpr uint64_t inside_bits = open_bit - 1;

  // The number of the launch, the open bit, and the number of workers inside.
  alignas(64) std::atomic<uint64_t> state_{0};
};

}  // namespace cohort::engine

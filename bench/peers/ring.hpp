// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers that switch to one another in a ring, with the engine's own switch.
#pragma once

#include <cstddef>
#include <vector>

#include "../harness/timing.hpp"
#include "engine/fiber/switch.hpp"

namespace bench {

// Stacks in the engine's layout: an odd number of pages apart, with first frames at different cache lines of a page.
// Both sides use this layout, so the comparison measures only the switches.
class ring_stacks {
 public:
  static constexpr size_t usable_bytes = 128 * 1024;

  ring_stacks() = default;
  ~ring_stacks();
  ring_stacks(const ring_stacks&) = delete;
  ring_stacks& operator=(const ring_stacks&) = delete;

  void make(int count);
  char* top(int number) const;
  char* low(int number) const;

 private:
  char* memory_ = nullptr;
  size_t bytes_ = 0;
};

class own_ring {
 public:
  explicit own_ring(int fibers);
  own_ring(const own_ring&) = delete;
  own_ring& operator=(const own_ring&) = delete;

  // Returns the nanoseconds of one switch, averaged over `laps` laps of the ring.
  double measure(int laps);

 private:
  struct fiber {
    own_ring* ring;
    size_t number;
  };
  static void run(void* argument);

  std::vector<cohort::engine::context> contexts_;
  std::vector<fiber> fibers_;
  cohort::engine::context host_{};
  long left_ = 0;  // switches that are left to do
  ring_stacks stacks_;
};

}  // namespace bench

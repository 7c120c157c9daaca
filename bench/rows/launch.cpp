// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a launch of two small blocks and the wait for it, alone and beside a busy thread on each CPU.
#include <atomic>
#include <thread>
#include <vector>

#include "../harness/array.hpp"
#include "../harness/verify.hpp"
#include "../kernels/programs.hpp"
#include "rows.hpp"
#include "sides.hpp"

namespace bench {

namespace {

constexpr int launches = 500;

// Keeps each CPU busy while it exists.
class busy_cpus {
 public:
  busy_cpus() {
    for (int i = 0; i < usable_cpus(); ++i) {
      threads_.emplace_back([this] {
        volatile unsigned long word = 1;
        while (!stop_.load(std::memory_order_relaxed)) word = word * 3 + 1;
      });
    }
  }
  ~busy_cpus() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// The median in microseconds of wall time: a launch that the system interrupts takes milliseconds.
double launch_time(int32_t* out) {
  std::vector<double> times;
  for (int i = 0; i < launches; ++i) {
    const double start = nanoseconds_now(CLOCK_MONOTONIC);
    two_small_blocks(out);
    times.push_back((nanoseconds_now(CLOCK_MONOTONIC) - start) / 1000);
  }
  return median(times);
}

std::shared_ptr<array<int32_t>> verified_output() {
  const auto out = std::make_shared<array<int32_t>>(64);
  two_small_blocks(out->data());
  const array<int32_t> expected(64, [](size_t i) { return i % 32; });
  expect_equal("two small blocks", out->data(), expected.data(), 64);
  return out;
}

}  // namespace

void add_launch_rows(suite& rows) {
  rows.add({.name = "launch of two small blocks", .unit = "us", .on = cpus::all, .at_most = 5}, [] {
    const auto out = verified_output();
    return row_sides{[out] { return launch_time(out->data()); }};
  });
  rows.add({.name = "launch of two small blocks, all CPUs busy",
            .unit = "us",
            .peers = {{.name = "the launch with idle CPUs", .limit = bar::at_most(1.5)}},
            .on = cpus::all},
           [] {
             const auto out = verified_output();
             return row_sides{[out] {
                                const busy_cpus busy;
                                return launch_time(out->data());
                              },
                              {{[out] { return launch_time(out->data()); }}}};
           });
}

}  // namespace bench

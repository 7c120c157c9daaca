// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop in the engine's own code, as after a kernel has overwritten its data, does not end: the watchdog ends the
// launch.
#include <atomic>
#include <cstdlib>
#include <variant>

#include "cohort/cohort.hpp"
#include "cohort/launch.hpp"
#include "engine/state/running.hpp"
#include "engine/sync/event.hpp"

#include <gmock/gmock.h>

// A failed launch does not free what the kernel may have overwritten, because freeing would follow its pointers.
extern "C" const char* __lsan_default_suppressions() { return "leak:cohort::engine::"; }

namespace {

// The first launch reads the variable when it creates the device.
const int timeout_is_short = setenv("COHORT_TIMEOUT", "0.3", 1);

volatile bool endless = true;  // volatile, because a compiler assumes that other loops end

// Spins when a worker begins a block: on the home fiber, outside all kernels.
class spinner : public cohort::engine::event_listener {
 public:
  explicit spinner(uint64_t block) : block_(block) {}
  void handle(const cohort::engine::event& raised) override {
    const auto* const entered = std::get_if<cohort::engine::block_entered>(&raised);
    if (!entered || entered->block->rank != block_) return;
    while (endless) {
    }
  }

 private:
  uint64_t block_;
};

std::string last_report() {
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  return text;
}

void run_into_spinner(unsigned blocks, uint64_t block) {
  ASSERT_EQ(timeout_is_short, 0);
  spinner listener(block);
  cohort::engine::add_listener(listener);
  std::atomic<int> ran{0};
  const auto kernel = [&] {
    cohort_wait_block();
    ++ran;
  };
  EXPECT_EQ(cohort::launch(blocks, 33, kernel).number(), 702);
  cohort::engine::remove_listener(listener);
  EXPECT_LE(ran.load(), static_cast<int>(33 * (blocks - 1)));
  EXPECT_THAT(last_report(), ::testing::AllOf(::testing::HasSubstr("cohort: failure in kernel "),
                                              ::testing::HasSubstr("the engine's own code did not end"),
                                              ::testing::HasSubstr("COHORT_TIMEOUT")));
  ran = 0;
  EXPECT_EQ(cohort::launch(5, 33, kernel).number(), 0);
  EXPECT_EQ(ran.load(), 165);
}

TEST(Watchdog, EndsTheEngineOfTheLaunchingThread) { run_into_spinner(1, 0); }

TEST(Watchdog, EndsTheEngineOfAnyWorker) { run_into_spinner(9, 8); }

TEST(Watchdog, EndsTheEngineAgain) { run_into_spinner(3, 1); }

}  // namespace

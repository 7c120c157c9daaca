// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for phases of mbarriers: the kernel changes the word, the engine suspends and releases threads. A wait in
// shared memory that cannot end is reported; in other memory, threads of any worker may complete the phase.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cohort/machine/cpu/port/mbarrier_state.hpp>

#include "raw_launch.hpp"

namespace {

using cohort::cpu::mbarrier_state;
using ::testing::HasSubstr;

constexpr char tag = 0;

std::atomic<uint64_t>& shared_word() {
  return *static_cast<std::atomic<uint64_t>*>(cohort_tagged_shared(&tag, sizeof(uint64_t), alignof(uint64_t)));
}
const uint64_t* plain(const std::atomic<uint64_t>& word) { return reinterpret_cast<const uint64_t*>(&word); }

void init(std::atomic<uint64_t>& word, uint64_t expected) { word = mbarrier_state::of_phase(0, expected).word; }
void arrive(std::atomic<uint64_t>& word) {
  const mbarrier_state next{word.fetch_sub(mbarrier_state::arrival) - mbarrier_state::arrival};
  if (!next.is_complete()) return;
  word = next.next_phase().word;
  cohort_mbarrier_completed(plain(word));
}

TEST(Mbarrier, APhaseEndsWithItsLastArrival) {
  for (const uint32_t threads : {1u, 31u, 64u, 200u, 1024u}) {
    std::atomic<uint32_t> arrived{0};
    std::atomic<int> wrong{0};
    const auto kernel = [&] {
      std::atomic<uint64_t>& word = shared_word();
      if (raw::thread_rank() == 0) init(word, threads);
      cohort_wait_block();
      for (uint32_t round = 0; round < 9; ++round) {
        ++arrived;
        arrive(word);
        wrong += cohort_wait_mbarrier(plain(word), round % 4, 1) != 1;
        wrong += arrived < threads * (round + 1);
      }
    };
    ASSERT_EQ(raw::launch({{1, 1, 1}, {threads, 1, 1}}, kernel), 0) << raw::last_report();
    EXPECT_EQ(wrong, 0) << threads;
  }
}

// The waiting threads do not arrive, so phases follow each other before these threads run. The last thread must run
// last: schedules leave this test out.
TEST(Mbarrier, AWaitMissesNoPhase) {
  std::atomic<uint32_t> woken{0};
  const auto kernel = [&] {
    std::atomic<uint64_t>& word = shared_word();
    if (raw::thread_rank() == 0) init(word, 1);
    cohort_wait_block();
    if (raw::thread_rank() < 63) {
      woken += static_cast<uint32_t>(cohort_wait_mbarrier(plain(word), 0, 1));
    } else {
      for (int phase = 0; phase < 4; ++phase) arrive(word);  // the parity of the phase is 0 again
    }
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {64, 1, 1}}, kernel), 0) << raw::last_report();
  EXPECT_EQ(woken, 63u);
}

TEST(Mbarrier, ATryEndsWhenNothingElseCanRun) {
  std::atomic<uint32_t> failed{0}, other{0};
  const auto kernel = [&] {
    std::atomic<uint64_t>& word = shared_word();
    if (raw::thread_rank() == 0) init(word, 1);
    cohort_wait_block();
    if (raw::thread_rank() == 5) {
      failed += cohort_wait_mbarrier(plain(word), 0, 0) == 0 && other == 39;
    } else {
      ++other;
    }
  };
  ASSERT_EQ(raw::launch({{1, 1, 1}, {40, 1, 1}}, kernel), 0) << raw::last_report();
  EXPECT_EQ(failed, 1u);
}

TEST(Mbarrier, BlocksOfAnyWorkerCompleteAPhaseInOtherMemory) {
  std::atomic<uint64_t> word;
  init(word, 4 * 32);
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    arrive(word);
    wrong += cohort_wait_mbarrier(plain(word), 0, 1) != 1;
    wrong += mbarrier_state{word}.phase() != 1;
  };
  raw::shape shape{{4, 1, 1}, {32, 1, 1}};
  shape.cooperative = 1;
  ASSERT_EQ(raw::launch(shape, kernel), 0) << raw::last_report();
  EXPECT_EQ(wrong, 0);
}

TEST(Mbarrier, AWaitThatCannotEndIsADeadlock) {
  const auto kernel = [&] {
    std::atomic<uint64_t>& word = shared_word();
    if (raw::thread_rank() == 0) {
      init(word, 3);
      arrive(word);
      word += 100 * mbarrier_state::byte;
    }
    cohort_wait_block();
    cohort_wait_mbarrier(plain(word), 0, 1);
  };
  EXPECT_NE(raw::launch({{1, 1, 1}, {33, 1, 1}}, kernel), 0);
  EXPECT_THAT(raw::last_report(), HasSubstr("33 threads: wait at the mbarrier at "));
  EXPECT_THAT(raw::last_report(), HasSubstr("whose phase of parity 0 lacks 2 of 3 arrivals and 100 bytes"));
}

}  // namespace
